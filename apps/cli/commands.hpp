// The commands, each from its parsed arguments to an exit code. They print; nothing below them
// does.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gingham/io/read.hpp"

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

// How input files are read, as typed.
struct InputArguments {
  std::vector<std::string> paths;
  std::string unlisted = "zero", duplicates = "error", labels = "automatic", shape, memory_limit;
  int index_base = 1;
};
ReadOptions reading_from(const InputArguments& arguments);
// "4GB", "500 MB", "1e9": bytes; 0 for empty text. Throws Error{usage}.
double parse_bytes(const std::string& text);

struct FitArguments {
  std::string method;
  InputArguments input;
  std::map<std::string, std::string> options;  // only those that were given
  std::string output;
  std::vector<std::string> truth;
  bool force = false, resume = false, quiet = false;
  double checkpoint_seconds = 5.0;
  std::vector<std::string> typed;  // the command line, word by word
};
int run_fit(const FitArguments& arguments);

struct MethodsArguments {
  std::string method;
  bool markdown = false;
};
int run_methods(const MethodsArguments& arguments);

struct InfoArguments {
  InputArguments input;
  bool json = false;
};
int run_info(const InfoArguments& arguments);

struct EvaluateArguments {
  std::string found;               // a result directory or a label file
  std::vector<std::string> truth;  // a label file, one per block, or a clusters.tsv
  std::string mode;
  bool json = false;
};
int run_evaluate(const EvaluateArguments& arguments);

struct VerifyArguments {
  std::string directory;
  std::vector<std::string> inputs;
  bool quiet = false;
};
int run_verify(const VerifyArguments& arguments);

struct SimulateArguments {
  std::string problem, output, format;
  std::map<std::string, std::string> options;
  long long seed = 0;
  bool force = false;
};
int run_simulate(const SimulateArguments& arguments);

struct DemoArguments {
  std::string output = "gingham-demo";
  bool force = false;
};
int run_demo(const DemoArguments& arguments);

int run_completion();

}  // namespace gingham::cli
