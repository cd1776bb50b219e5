// An array with planted blocks that may overlap, after Papalexakis, Sidiropoulos and Bro 2013.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::tensor {

// By default the array of the paper: 80 x 80 x 8 with three blocks, two of which overlap in every
// mode, and noise in a tenth of the cells. Other sizes, two to five modes, other noise, holes,
// sparse storage, and the sum over the last mode. Problem "tensor".
Simulator simulator();

}  // namespace gingham::methods::tensor
