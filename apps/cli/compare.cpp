#include "gingham/tools/compare.hpp"

#include "gingham/base/shell_words.hpp"
#include "gingham/base/text.hpp"
#include "request.hpp"
#include "table_text.hpp"

namespace gingham::cli {

int run_compare(const Arguments& arguments) {
  const bool quiet = arguments.own.flag("quiet");
  CompareRequest request;
  ProgressLine progress;
  fill_request(request, arguments, progress);
  request.methods = parse_method_list(arguments.text("methods"));
  request.options = arguments.options;
  request.truth_mode = arguments.text("mode");
  request.command = shell_command(arguments.typed);
  request.begin_run = [&](const std::string& name) { progress.begin(name); };

  const CompareOutcome outcome = compare(request);
  progress.clear();
  for (const std::string& remark : outcome.remarks) print_remark(remark);
  if (!quiet) {
    print_table(outcome.table);
    print_line("written to " + printable(request.output));
  }
  if (outcome.table.rows() > 0) write_page_of(request.output, quiet);
  if (!outcome.is_complete) {
    print_remark("stopped; the methods before are complete");
    return kStopped;
  }
  if (outcome.worst == Status::time_limit) return kStopped;
  return outcome.worst == Status::numerical_failure ? kNumerical : kDone;
}

}  // namespace gingham::cli
