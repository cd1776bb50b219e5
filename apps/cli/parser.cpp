#include "parser.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/engine/registry.hpp"
#include "help.hpp"

namespace gingham::cli {
namespace {

// One option per record; what is typed lands in `values`, and only that.
void add_records(CLI::App& app, const std::vector<OptionRecord>& records,
                 std::map<std::string, std::string>& values) {
  for (const OptionRecord& record : records) {
    const std::string name = record.name;
    std::string text = record.help;
    if (record.type == OptionType::flag) {
      app.add_flag_callback(
          "--" + name, [&values, name] { values[name] = "yes"; }, text);
      continue;
    }
    text += " " + option_range(record);
    app.add_option_function<std::string>(
        "--" + name, [&values, name](const std::string& value) { values[name] = value; }, text);
  }
}

void add_input(CLI::App& app, InputArguments& input, bool many) {
  CLI::Option* paths = app.add_option(
      "INPUT", input.paths,
      "Data: .csv .tsv .mtx .npy .npz .tns, each also .gz; file.npz:name picks an array");
  paths->required();
  if (!many) paths->expected(1);
  app.add_option("--unlisted", input.unlisted,
                 "What a sparse file means where it lists nothing: zero or missing [zero]")
      ->check(CLI::IsMember({"zero", "missing"}));
  app.add_option("--index-base", input.index_base, "First index of .mtx and .tns: 1 or 0 [1]")
      ->check(CLI::IsMember({0, 1}));
  app.add_option("--duplicates", input.duplicates,
                 "Several entries at one place: error or sum [error]")
      ->check(CLI::IsMember({"error", "sum"}));
  app.add_option("--labels", input.labels,
                 "Labels of a table: automatic, none, rows, columns or both [automatic]")
      ->check(CLI::IsMember({"automatic", "none", "rows", "columns", "both"}));
  app.add_option("--shape", input.shape,
                 "Sizes of a .tns whose last indices do not occur: 80,80,8");
  app.add_option("--memory-limit", input.memory_limit,
                 "Memory that may be used: 4GB; default four fifths of what is free");
}

// CLI11 tells a missing or unknown word in its own way; here it becomes one line with the remedy.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
  std::string path;
  for (const CLI::App* at = &app; at != nullptr; at = at->get_parent()) {
    if (!at->get_name().empty()) path = at->get_name() + (path.empty() ? "" : " " + path);
  }
  throw Error(ErrorCode::usage, path, std::string(error.what()) + "; see " + path + " --help");
}

const CLI::App* deepest(const CLI::App* app) {
  for (;;) {
    const auto used = app->get_subcommands();
    if (used.empty()) return app;
    app = used.front();
  }
}

struct Parser {
  CLI::App app{
      "Gingham finds sparse, structured blocks in data: where a few rows cross a few columns.",
      "gingham"};
  FitArguments fit;
  MethodsArguments methods;
  InfoArguments info;
  EvaluateArguments evaluate;
  VerifyArguments verify;
  SimulateArguments simulate;
  DemoArguments demo;
  std::function<int()> chosen;

  void add_fit() {
    CLI::App* command =
        app.add_subcommand("fit", "Fit a method to data and write a result directory");
    command->footer(
        "gingham fit METHOD INPUT... -o DIR [options]\ngingham fit METHOD --help explains a method "
        "and its options.");
    command->require_subcommand(1);
    for (const MethodInfo& method : all_methods()) {
      CLI::App* one = command->add_subcommand(method.name, method.title);
      one->formatter_fn([&method](const CLI::App*, std::string, CLI::AppFormatMode) {
        return method_help(method);
      });
      add_input(*one, fit.input, true);
      one->add_option("-o,--output", fit.output, "Directory for the result; must not exist")
          ->required();
      add_records(*one, method.all_options(), fit.options);
      one->add_option("--truth", fit.truth, "Known labels of the rows; adds scores to the summary");
      one->add_flag("--force", fit.force, "Replace an existing result, forget an unfinished run");
      one->add_flag("--resume", fit.resume, "Continue an unfinished run from DIR.checkpoint");
      one->add_option("--checkpoint-interval", fit.checkpoint_seconds,
                      "Seconds between checkpoints [5]")
          ->check(CLI::Range(0.0, 1e9));
      one->add_flag("-q,--quiet", fit.quiet, "No progress, no summary");
      one->callback([this, name = method.name] {
        fit.method = name;
        chosen = [this] { return run_fit(fit); };
      });
    }
  }

  void add_simulate() {
    CLI::App* command = app.add_subcommand("simulate", "Make data with known structure");
    command->footer(
        "gingham simulate PROBLEM -o DIR [options]\ngingham simulate PROBLEM --help explains a "
        "problem.");
    command->require_subcommand(1);
    for (const MethodInfo& method : all_methods()) {
      for (const Simulator& problem : method.simulators) {
        CLI::App* one = command->add_subcommand(problem.name, problem.title);
        one->add_option("-o,--output", simulate.output,
                        "Directory for data and truth; must not exist")
            ->required();
        one->add_option("--seed", simulate.seed, "Start of the random stream [0]")
            ->check(CLI::NonNegativeNumber);
        one->add_option("--format", simulate.format,
                        "File format: csv, tsv, npy, mtx, npz, tns; default what suits")
            ->check(CLI::IsMember({"csv", "tsv", "npy", "mtx", "npz", "tns"}));
        one->add_flag("--force", simulate.force, "Replace an existing directory of simulated data");
        add_records(*one, problem.options, simulate.options);
        one->callback([this, name = problem.name] {
          simulate.problem = name;
          chosen = [this] { return run_simulate(simulate); };
        });
      }
    }
  }

  void add_small() {
    CLI::App* list = app.add_subcommand("methods", "List the methods, or explain one");
    list->add_option("METHOD", methods.method, "A method's name");
    list->add_flag("--markdown", methods.markdown, "As the tables of docs/methods.md");
    list->callback([this] { chosen = [this] { return run_methods(methods); }; });

    CLI::App* look = app.add_subcommand("info", "Say what is in a data file");
    add_input(*look, info.input, false);
    look->add_flag("--json", info.json, "One JSON object");
    look->callback([this] { chosen = [this] { return run_info(info); }; });

    CLI::App* score = app.add_subcommand("evaluate", "Compare labels with the truth");
    score->add_option("FOUND", evaluate.found, "A result directory or a label file")->required();
    score
        ->add_option("--truth", evaluate.truth,
                     "Known labels: a label file (one label per line, or .npy), one per block, or "
                     "a clusters.tsv")
        ->required();
    score->add_option("--mode", evaluate.mode,
                      "Which labels of the result: rows, columns, ... [the first]");
    score->add_flag("--json", evaluate.json, "One JSON object");
    score->callback([this] { chosen = [this] { return run_evaluate(evaluate); }; });

    CLI::App* check =
        app.add_subcommand("verify", "Recompute every number of a result from data and factors");
    check->add_option("DIR", verify.directory, "A result directory")->required();
    check->add_option("--input", verify.inputs, "Where the data are now, if they have moved");
    check->add_flag("-q,--quiet", verify.quiet, "Print differences only");
    check->callback([this] { chosen = [this] { return run_verify(verify); }; });

    CLI::App* show = app.add_subcommand("demo", "Simulate, fit, score and verify in a few seconds");
    show->add_option("-o,--output", demo.output, "Directory for everything [gingham-demo]");
    show->add_flag("--force", demo.force, "Replace an earlier demo");
    show->callback([this] { chosen = [this] { return run_demo(demo); }; });

    CLI::App* words = app.add_subcommand("completion", "Print the completion script for a shell");
    words->add_option("SHELL", completion_shell_, "bash")->check(CLI::IsMember({"bash"}));
    words->callback([this] { chosen = [] { return run_completion(); }; });
  }

  std::string completion_shell_ = "bash";
};

}  // namespace

int parse_and_run(int argc, char** argv) {
  Parser parser;
  parser.fit.typed.assign(argv, argv + argc);
  parser.app.set_version_flag("--version", std::string("gingham ") + kVersion);
  parser.app.require_subcommand(1);
  parser.app.footer(
      "Examples:\n  gingham demo\n  gingham fit ssvd table.csv -o out --clusters 3\n"
      "  gingham info table.csv\n\ngingham COMMAND --help explains a command.");
  parser.add_fit();
  parser.add_simulate();
  parser.add_small();
  try {
    parser.app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return parser.app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    if (argc == 1) {
      std::fputs(parser.app.help().c_str(), stderr);
      return kBadInput;
    }
    explain_unknown(argc, argv);
    refuse(*deepest(&parser.app), error);
  }
  return parser.chosen();
}

}  // namespace gingham::cli
