#include "gingham/tools/simulate.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "gingham/base/shell_words.hpp"
#include "gingham/base/text.hpp"
#include "terminal.hpp"

namespace gingham::cli {

std::string names_of(const SimulatedFiles& files, const std::string& folder) {
  std::string list;
  bool has_some = false;
  for (std::size_t mode = 0; mode < files.names.size(); ++mode) {
    if (mode > 0) list += ",";
    if (files.names[mode].empty()) continue;
    list += folder + "/" + files.names[mode];
    has_some = true;
  }
  return has_some ? list : "";
}

int run_simulate(const Arguments& arguments) {
  const SimulateRequest request{.problem = arguments.topic,
                                .options = arguments.options,
                                .seed = static_cast<std::uint64_t>(arguments.own.integer("seed")),
                                .output = arguments.text("output"),
                                .format = arguments.text("format"),
                                .force = arguments.own.flag("force")};
  const SimulatedFiles files = simulate(request);
  for (const std::string& file : files.all) print_line(printable(request.output) + "/" + file);
  if (const std::string names = names_of(files, request.output); !names.empty())
    print_remark("the format holds no names of the items; read them with --names " +
                 printable(shell_command({names}), 4096));
  return kDone;
}

}  // namespace gingham::cli
