#pragma once
#include <string>

#include "gingham/io/limits.hpp"

namespace gingham {

// All bytes of a regular file, decompressed when its name ends in ".gz". Throws Error{input}.
std::string read_whole_file(const std::string& path, const Limits& limits = {});

}  // namespace gingham
