// The data as a picture, with the components in sight.
#pragma once
#include <string>

#include "gingham/engine/result.hpp"

namespace gingham::report {

// One figure per matrix block, up to a dozen; a sentence where a block is not a matrix.
std::string picture_section(const Dataset& data, const Result& result);

}  // namespace gingham::report
