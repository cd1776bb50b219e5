// The commands about images. They need libraries that the rest does not, so they run in a program
// of their own, gingham-annotate; both programs have them in their tables, so that help, completion
// and hints do not depend on whether that program is there.
#pragma once
#include "commands.hpp"

namespace gingham::cli {

struct ImageRuns {
  int (*features)(const Arguments&) = nullptr;
  int (*pool)(const Arguments&) = nullptr;
  int (*annotate)(const Arguments&) = nullptr;
};
std::vector<Command> image_commands(const ImageRuns& runs);

}  // namespace gingham::cli
