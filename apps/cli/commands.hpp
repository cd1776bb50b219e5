// The commands: one table of them with their own options, which parser, help, completion and hints
// follow, and for each a function from its arguments to an exit code. These functions print;
// nothing below them does.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gingham/engine/options.hpp"
#include "gingham/io/result_json.hpp"
#include "gingham/tools/output.hpp"
#include "gingham/tools/simulate.hpp"

namespace gingham::cli {

// Exit codes, the same for all commands.
enum Exit : int {
  kDone = 0,
  kDifference = 1,
  kBadInput = 2,
  kStopped = 3,
  kNumerical = 4,
  kNotWritten = 5
};

// An option or plain word of a command; what a method or problem brings is not among them.
struct CommandOption {
  OptionRecord record = {};
  std::string value = {};       // what help calls the value: DIR, FILE
  char letter = 0;              // -o
  bool is_word = false;         // stands on its own, without a name before it
  bool is_list = false;         // takes several values
  bool takes_one_each = false;  // a list whose name comes before each value
  bool is_required = false;
  bool is_about_input = false;  // how data files are read
};

// What the word after the command names.
enum class Topic { none, method, problem };

// What was typed, checked against the records.
struct Arguments {
  std::string topic;  // the method or problem
  Options own;        // of the command itself, those with one value
  std::map<std::string, std::vector<std::string>> lists;  // those with several
  std::map<std::string, std::string> options;  // of methods or problems: only those given
  std::vector<std::string> typed;              // the command line, word by word

  std::string text(const std::string& name) const;  // empty when it was not given
  const std::vector<std::string>& list(const std::string& name) const { return lists.at(name); }
};

struct Command {
  std::string name = {}, title = {};
  std::string usage = {};   // what follows the topic
  std::string writes = {};  // into DIR, before the arrays of the method
  Topic topic = Topic::none;
  bool takes_method_options = false;  // those of every method, without naming one
  std::vector<CommandOption> options = {};
  int (*run)(const Arguments&) = nullptr;
};
const std::vector<Command>& all_commands();
const Command& find_command(const std::string& name);  // one that is there
// The options of every method that the command itself does not have, each name once.
std::vector<OptionRecord> method_options(const Command& command);

// The data files, and how they are to be read.
ReadingRecord reading_record(const Arguments& arguments);
DataFiles data_files(const Arguments& arguments);
// --attached OPTION=FILE: where files of the fit's options are now.
std::map<std::string, std::string> attached_files(const Arguments& arguments);
// --set OPTION=VALUE: options of the fit given anew.
std::map<std::string, std::string> changed_settings(const Arguments& arguments);
// The files of names in this folder as --names takes them; empty where there are none.
std::string names_of(const SimulatedFiles& files, const std::string& folder);
// The page of a result, with the command that was typed.
ReportMaker report_maker(const Arguments& arguments);
// The page of a folder that path or compare has just written; says where it is, or why there is
// none.
void write_page_of(const std::string& directory, bool quiet);
// "4GB", "500 MB", "1e9": bytes; 0 for empty text. Throws Error{usage}.
double parse_bytes(const std::string& text);

int run_fit(const Arguments& arguments);
int run_transform(const Arguments& arguments);
int run_path(const Arguments& arguments);
int run_compare(const Arguments& arguments);
int run_methods(const Arguments& arguments);
int run_info(const Arguments& arguments);
int run_evaluate(const Arguments& arguments);
int run_verify(const Arguments& arguments);
int run_report(const Arguments& arguments);
int run_simulate(const Arguments& arguments);
int run_demo(const Arguments& arguments);
int run_completion(const Arguments& arguments);
// Hands the command over to the program that has it; returns only by Error{usage}.
int run_elsewhere(const Arguments& arguments);

}  // namespace gingham::cli
