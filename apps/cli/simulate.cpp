#include "gingham/tools/simulate.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "gingham/base/text.hpp"
#include "terminal.hpp"

namespace gingham::cli {

int run_simulate(const Arguments& arguments) {
  const SimulateRequest request{.problem = arguments.topic,
                                .options = arguments.options,
                                .seed = static_cast<std::uint64_t>(arguments.own.integer("seed")),
                                .output = arguments.text("output"),
                                .format = arguments.text("format"),
                                .force = arguments.own.flag("force")};
  for (const std::string& file : simulate(request))
    print_line(printable(request.output) + "/" + file);
  return kDone;
}

}  // namespace gingham::cli
