#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::ssvd {

// A matrix of noise with planted blocks, no two of which share a row or a column.
Simulator simulator();

}  // namespace gingham::methods::ssvd
