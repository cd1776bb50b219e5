#include "gingham/tools/simulate.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "gingham/base/text.hpp"
#include "terminal.hpp"

namespace gingham::cli {

int run_simulate(const SimulateArguments& arguments) {
  SimulateRequest request{
      arguments.problem, arguments.options, static_cast<std::uint64_t>(arguments.seed),
      arguments.output,  arguments.format,  arguments.force};
  for (const std::string& file : simulate(request))
    print_line(printable(arguments.output) + "/" + file);
  return kDone;
}

}  // namespace gingham::cli
