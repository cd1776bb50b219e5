#include "gingham/tools/fit.hpp"

#include <fmt/format.h>

#include "gingham/base/shell_words.hpp"
#include "gingham/base/text.hpp"
#include "report/page.hpp"
#include "request.hpp"
#include "summary.hpp"

namespace gingham::cli {

ReportMaker report_maker(const Arguments& arguments) {
  return [command = shell_command(arguments.typed)](const Dataset& data, const Result& result) {
    return report_page(data, result, command);
  };
}

int run_fit(const Arguments& arguments) {
  const MethodInfo& info = find_method(arguments.topic);
  const std::string output = arguments.text("output");
  const bool quiet = arguments.own.flag("quiet");
  FitRequest request;
  ProgressLine progress;
  fill_request(request, arguments, progress);
  request.method = info.name;
  request.options = info.make_options();
  for (const auto& [name, text] : arguments.options) request.options.set(name, text);
  request.resume = arguments.own.flag("resume");
  request.checkpoint_seconds = arguments.own.real("checkpoint-interval");

  const FitOutcome outcome = fit(request);
  progress.clear();
  for (const std::string& remark : outcome.remarks) print_remark(remark);
  if (outcome.was_complete) {
    print_remark(printable(output) + " is complete already; nothing was done");
    return kDone;
  }
  if (!outcome.is_written) {
    print_remark("stopped before there was anything to write; --resume continues");
    return kStopped;
  }
  if (!quiet) print_summary(outcome.result, output);
  switch (outcome.result.status) {
    case Status::time_limit:
    case Status::cancelled:
      print_remark(fmt::format(
          "stopped ({}); the result so far is in {}, --resume continues from {}",
          status_name(outcome.result.status), printable(output), printable(outcome.checkpoint)));
      return kStopped;
    case Status::numerical_failure:
      print_remark("a number that is not finite turned up; try data on a smaller scale");
      return kNumerical;
    default:
      return kDone;
  }
}

}  // namespace gingham::cli
