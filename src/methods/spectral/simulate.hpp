#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::spectral {

// Counts that are high inside planted blocks and low elsewhere.
Simulator simulator();

}  // namespace gingham::methods::spectral
