// Samples made of few atoms each, with noise: a dictionary to be found again.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::dictionary {

// Problem "dictionary"; the truth holds `dictionary` (length x atoms) and `codes` (samples x
// atoms).
Simulator simulator();

}  // namespace gingham::methods::dictionary
