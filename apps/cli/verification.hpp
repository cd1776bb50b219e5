#pragma once
#include <string>

#include "gingham/tools/verify.hpp"

namespace gingham::cli {

// Prints what was found, and returns the exit code it means.
int show_verification(const std::string& directory, const Verification& verification, bool quiet);

}  // namespace gingham::cli
