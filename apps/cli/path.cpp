#include "gingham/tools/path.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "gingham/base/text.hpp"
#include "shell_words.hpp"
#include "table_text.hpp"
#include "terminal.hpp"

namespace gingham::cli {

int run_path(const Arguments& arguments) {
  const bool quiet = arguments.own.flag("quiet");
  PathRequest request;
  request.info = &find_method(arguments.topic);
  request.input = data_files(arguments);
  request.options = arguments.options;
  request.vary = arguments.list("vary");
  request.output = arguments.text("output");
  request.truth = arguments.list("truth");
  request.force = arguments.own.flag("force");
  request.resume = arguments.own.flag("resume");
  request.cold = arguments.own.flag("cold");
  request.memory_limit_bytes = parse_bytes(arguments.text("memory-limit"));
  request.command = shell_command(arguments.typed);
  request.report = report_maker(arguments);
  request.stop = &install_stop_signals();
  ProgressLine progress;
  if (!quiet) request.observers.push_back(&progress);
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
  if (!outcome.is_complete) {
    print_remark(fmt::format("stopped after {} of {} points; --resume continues",
                             outcome.table.rows(), outcome.n_points));
    return kStopped;
  }
  return outcome.worst == Status::numerical_failure ? kNumerical : kDone;
}

}  // namespace gingham::cli
