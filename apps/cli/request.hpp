// What fit, path and compare ask for alike.
#pragma once
#include "commands.hpp"
#include "terminal.hpp"

namespace gingham::cli {

// Input, truth, output and limits as typed; the page, the stop signals, and the progress line
// unless it is to be quiet. `progress` outlives the request.
template <class Request>
void fill_request(Request& request, const Arguments& arguments, ProgressLine& progress) {
  request.input = data_files(arguments);
  request.truth.files = arguments.list("truth");
  request.output = arguments.text("output");
  if (request.output.empty()) throw Error(ErrorCode::usage, "--output", "a directory is needed");
  request.force = arguments.own.flag("force");
  request.memory_limit_bytes = parse_bytes(arguments.text("memory-limit"));
  request.report = report_maker(arguments);
  request.stop = &install_stop_signals();
  if (!arguments.own.flag("quiet")) request.observers.push_back(&progress);
}

}  // namespace gingham::cli
