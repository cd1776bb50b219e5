#include "commands.hpp"

#include <iterator>

#include "command_options.hpp"
#include "image_commands.hpp"

namespace gingham::cli {
namespace {

const char* const kInputHelp =
    "Data: .csv .tsv .mtx .npy .npz .tns, each also .gz; file.npz:name picks an array.";

std::vector<CommandOption> reading() {
  std::vector<CommandOption> options{
      choice("unlisted", "zero", {"zero", "missing"},
             "What a sparse file means where it lists nothing."),
      choice("index-base", "1", {"1", "0"}, "First index of .mtx and .tns."),
      choice("duplicates", "error", {"error", "sum"}, "Several entries at one place."),
      choice("labels", "automatic", {"automatic", "none", "rows", "columns", "both"},
             "Labels of a table."),
      text("names", "FILE,...",
           "Names of the items, a file per mode with a name per line, in place of labels in the "
           "data: senders.txt,receivers.txt,months.txt; empty for none. Several inputs share "
           "them."),
      text("shape", "SIZES", "Sizes of a .tns whose last indices do not occur: 80,80,8."),
      text("memory-limit", "SIZE",
           "Memory that may be used, as 4GB. [four fifths of what is free]")};
  for (CommandOption& option : options) option.is_about_input = true;
  return options;
}

CommandOption series_mode() {
  CommandOption option{
      .record = integer_option("series-mode", "", 0, 2,
                               "Cut a tensor of three modes into a series of matrices along this "
                               "mode, counted from 0."),
      .is_about_input = true};
  return option;
}

const char* const kTruthHelp =
    "Known labels of the rows, a file or one per block, or a clusters.tsv; adds scores to the "
    "result.";

CommandOption attached() {
  CommandOption option = list("attached", "OPTION=FILE",
                              "Where a file that an option of the fit names is now, if it has "
                              "moved: groups=FILE.");
  option.takes_one_each = true;
  return option;
}

CommandOption settings() {
  CommandOption option = list("set", "OPTION=VALUE",
                              "An option that says how the fit is applied, given anew: "
                              "coding=steps for a dictionary.");
  option.takes_one_each = true;
  return option;
}

std::vector<CommandOption> fit_options() {
  return joined(
      {required(word(list("INPUT", "INPUT", kInputHelp))),
       required(output("Directory for the result; must not exist.")),
       list("truth", "FILE", kTruthHelp),
       flag("force", "Replace an existing result, forget an unfinished run."),
       flag("resume", "Continue an unfinished run from DIR.checkpoint."),
       {.record = real_option("checkpoint-interval", "5", 0, 1e9, "Seconds between checkpoints.")},
       quiet("No progress, no summary."),
       series_mode()},
      reading());
}

std::vector<CommandOption> path_options() {
  CommandOption vary =
      list("vary", "VALUES",
           "An option and its values, OPTION=FROM:TO:COUNT with log or lin after it for equal "
           "ratios or equal "
           "steps, or OPTION=VALUE,VALUE,...; several make a grid, the last varies fastest.");
  vary.takes_one_each = true;
  return joined({required(word(list("INPUT", "INPUT", kInputHelp))),
                 required(output("Directory for path.tsv and a result per point; must not exist.")),
                 required(vary), flag("cold", "Begin every run anew, not from its neighbour."),
                 list("truth", "FILE", kTruthHelp), flag("force", "Replace an existing path."),
                 flag("resume", "Keep the points that are complete and go on."),
                 quiet("No progress, no table."), series_mode()},
                reading());
}

std::vector<CommandOption> compare_options() {
  return joined(
      {required(word(list("INPUT", "INPUT", kInputHelp))),
       required(text("methods", "LIST",
                     "Methods, each with options of its own if need be: "
                     "ssvd:clusters=3:row-sparsity=10%,kmeans. A method that takes one matrix runs "
                     "on every block of a series; where one of them is of views it runs on every "
                     "view and has a row for each, the best by nmi marked.")),
       required(output("Directory for compare.tsv and the results; must not exist.")),
       list("truth", "FILE", kTruthHelp),
       text("mode", "MODE", "Which labels the truth is of: rows, columns, ... [the first]"),
       flag("force", "Replace an existing comparison."), quiet("No progress, no table."),
       series_mode()},
      reading());
}

std::vector<CommandOption> simulate_options() {
  return {required(output("Directory for data and truth; must not exist.")),
          {.record = integer_option("seed", "0", 0, 9.0e15, "Start of the random stream.")},
          {.record = {.name = "format",
                      .type = OptionType::choice,
                      .words = {"csv", "tsv", "npy", "mtx", "npz", "tns"},
                      .help = "File format; by default what suits."}},
          flag("force", "Replace an existing directory of simulated data.")};
}

std::vector<CommandOption> evaluate_options() {
  return {required(word(text("FOUND", "FOUND", "A result directory or a label file."))),
          required(list("truth", "FILE",
                        "Known labels: a label file (one label per line, or .npy), one per block, "
                        "or a clusters.tsv; that of co-clusters adds their consensus and the "
                        "shares of cells in exactly the co-clusters they belong to: cells_right "
                        "of all, planted_right of those in a co-cluster, background_right of the "
                        "others.")),
          text("mode", "MODE", "Which labels of the result: rows, columns, ... [the first]"),
          flag("json", "One JSON object.")};
}

// The data are read as those of the fit unless something else is said.
std::vector<CommandOption> transform_options() {
  CommandOption axis = choice("axis", "", {"rows", "columns"},
                              "What there are new items of: rows unless given; modes 0 and 1.");
  std::vector<CommandOption> read = reading();
  for (CommandOption& option : read) {
    if (option.record.type != OptionType::choice) continue;
    option.record.initial.clear();
    option.record.help += " By default as for the fit.";
  }
  return joined({required(word(text("DIR", "DIR", "A result directory."))),
                 required(word(list("INPUT", "INPUT", kInputHelp))),
                 required(output("Directory for factors, labels and clusters.tsv of the new "
                                 "items; must not exist.")),
                 axis,
                 {.record = integer_option("mode", "", 0, 1e6,
                                           "The same by number, for tensors, counted from 0. An "
                                           "input with one mode less is a single item of it.")},
                 text("views", "LIST",
                      "Which of the fit's views the inputs are, in their order, as 0,2: for a "
                      "method of views whose new rows were seen in only some of them. [all]"),
                 attached(),
                 settings(),
                 {.record = integer_option("threads", "0", 0, 4096,
                                           "Threads to use, 0 for all; the result does not depend "
                                           "on it.")},
                 flag("force", "Replace an existing transform."),
                 quiet("No summary.")},
                read);
}

CommandOption demo_output() {
  CommandOption option = output("Directory for everything.");
  option.record.initial = "gingham-demo";
  return option;
}

std::vector<Command> make_commands() {
  return {
      {.name = "fit",
       .title = "Fit a method to data and write a result directory",
       .usage = "INPUT... -o DIR [options]",
       .writes = "result.json, clusters.tsv, labels/, stability.tsv where --restarts is above 1, "
                 "report.html, and",
       .topic = Topic::method,
       .options = fit_options(),
       .run = run_fit},
      {.name = "path",
       .title = "Fit a method at every value of an option, each run begun from the one before",
       .usage = "INPUT... -o DIR --vary OPTION=FROM:TO:COUNT [options]",
       .writes = "path.tsv, path.json, report.html, and a folder per point with result.json, "
                 "clusters.tsv, labels/, stability.tsv where --restarts is above 1, report.html,",
       .topic = Topic::method,
       .options = path_options(),
       .run = run_path},
      {.name = "compare",
       .title = "Fit several methods to the same data and score them; options that are not in "
                "--methods go to every method that has them",
       .takes_method_options = true,
       .options = compare_options(),
       .run = run_compare},
      {.name = "transform",
       .title =
           "Apply a result to new rows (or columns, or items of another mode), everything else "
           "as fitted",
       .options = transform_options(),
       .run = run_transform},
      {.name = "methods",
       .title = "List the methods, or explain one",
       .options = {word(text("METHOD", "METHOD", "A method's name.")),
                   flag("markdown", "As the tables of docs/methods.md.")},
       .run = run_methods},
      {.name = "info",
       .title = "Say what is in a data file",
       .options = joined(
           {required(word(text("INPUT", "INPUT", kInputHelp))), flag("json", "One JSON object.")},
           reading()),
       .run = run_info},
      {.name = "evaluate",
       .title = "Compare labels with the truth",
       .options = evaluate_options(),
       .run = run_evaluate},
      {.name = "verify",
       .title = "Recompute every number of a result from data and factors",
       .options = {required(word(text("DIR", "DIR", "A result directory."))),
                   flag("deep",
                        "Run the fit again from options, seed and data, and compare all it gives: "
                        "also what percentages, auto and --rank auto came to."),
                   list("input", "FILE", "Where the data are now, if they have moved."), attached(),
                   quiet("Print differences only.")},
       .run = run_verify},
      {.name = "report",
       .title = "Make the page of a result, a path or a comparison again, or of several results "
                "side by side",
       .options = {required(word(list("DIR", "DIR", "Folders that fit, path or compare wrote."))),
                   with_letter('o', text("output", "FILE",
                                         "File for the page. [DIR/report.html, where there is one "
                                         "DIR]")),
                   list("input", "FILE",
                        "Where the data of the one result are now, if they have moved."),
                   attached(), flag("force", "Replace an existing file."), quiet("Print nothing.")},
       .run = run_report},
      {.name = "simulate",
       .title = "Make data with known structure",
       .usage = "-o DIR [options]",
       .topic = Topic::problem,
       .options = simulate_options(),
       .run = run_simulate},
      {.name = "demo",
       .title = "Three questions answered on simulated data in a few seconds: fitted, scored, "
                "verified, with a page to look at",
       .options = {demo_output(), flag("force", "Replace an earlier demo.")},
       .run = run_demo},
      {.name = "completion",
       .title = "Print the completion script for a shell",
       .options = {word(choice("SHELL", "bash", {"bash"}, "The shell."))},
       .run = run_completion},
  };
}

}  // namespace

const std::vector<Command>& all_commands() {
  static const std::vector<Command> commands = [] {
    std::vector<Command> all = make_commands();
    for (Command& command : image_commands({run_elsewhere, run_elsewhere, run_elsewhere}))
      all.insert(std::prev(all.end(), 2), std::move(command));  // demo and completion come last
    return all;
  }();
  return commands;
}

}  // namespace gingham::cli
