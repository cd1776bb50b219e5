#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::checkerboard {

// Groups of rows and of columns; every pair of them is a block with a level of its own.
Simulator simulator();

}  // namespace gingham::methods::checkerboard
