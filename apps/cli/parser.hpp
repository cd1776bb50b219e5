#pragma once
#include "commands.hpp"

namespace gingham::cli {

// The command line from words to an exit code. Throws Error{usage} with one clear line.
int parse_and_run(int argc, char** argv);

}  // namespace gingham::cli
