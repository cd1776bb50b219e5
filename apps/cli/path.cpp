#include "gingham/tools/path.hpp"

#include <fmt/format.h>

#include "gingham/base/shell_words.hpp"
#include "gingham/base/text.hpp"
#include "request.hpp"
#include "table_text.hpp"

namespace gingham::cli {

int run_path(const Arguments& arguments) {
  const bool quiet = arguments.own.flag("quiet");
  PathRequest request;
  ProgressLine progress;
  fill_request(request, arguments, progress);
  request.info = &find_method(arguments.topic);
  request.options = arguments.options;
  request.vary = arguments.list("vary");
  request.resume = arguments.own.flag("resume");
  request.cold = arguments.own.flag("cold");
  request.command = shell_command(arguments.typed);
  request.begin_point = [&](Index point, Index n_points) {
    progress.begin(fmt::format("point {}/{}  ", point + 1, n_points));
  };

  const PathOutcome outcome = path(request);
  progress.clear();
  for (const std::string& remark : outcome.remarks) print_remark(remark);
  if (outcome.n_kept > 0)
    print_remark(fmt::format("{} points were complete already", outcome.n_kept));
  if (!quiet) {
    print_table(outcome.table);
    print_line("written to " + printable(request.output));
  }
  if (outcome.table.rows() > 0) write_page_of(request.output, quiet);
  if (!outcome.is_complete) {
    print_remark(fmt::format("stopped after {} of {} points; --resume continues",
                             outcome.table.rows(), outcome.n_points));
    return kStopped;
  }
  return outcome.worst == Status::numerical_failure ? kNumerical : kDone;
}

}  // namespace gingham::cli
