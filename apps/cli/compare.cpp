#include "gingham/tools/compare.hpp"

#include "commands.hpp"
#include "gingham/base/text.hpp"
#include "shell_words.hpp"
#include "table_text.hpp"
#include "terminal.hpp"

namespace gingham::cli {

int run_compare(const Arguments& arguments) {
  const bool quiet = arguments.own.flag("quiet");
  CompareRequest request;
  request.methods = parse_method_list(arguments.text("methods"));
  request.input = data_files(arguments);
  request.options = arguments.options;
  request.truth = arguments.list("truth");
  request.truth_mode = arguments.text("mode");
  request.output = arguments.text("output");
  request.force = arguments.own.flag("force");
  request.memory_limit_bytes = parse_bytes(arguments.text("memory-limit"));
  request.command = shell_command(arguments.typed);
  request.report = report_maker(arguments);
  request.stop = &install_stop_signals();
  ProgressLine progress;
  if (!quiet) request.observers.push_back(&progress);
  request.begin_run = [&](const std::string& name) { progress.begin(name); };

  const CompareOutcome outcome = compare(request);
  progress.clear();
  for (const std::string& remark : outcome.remarks) print_remark(remark);
  if (!quiet) {
    print_table(outcome.table);
    print_line("written to " + printable(request.output));
  }
  if (!outcome.is_complete) {
    print_remark("stopped; the methods before are complete");
    return kStopped;
  }
  if (outcome.worst == Status::time_limit) return kStopped;
  return outcome.worst == Status::numerical_failure ? kNumerical : kDone;
}

}  // namespace gingham::cli
