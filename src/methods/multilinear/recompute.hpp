#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::multilinear {

// Every number of a multilinear result from data, options and stored arrays, by plain loops.
Recomputed recompute(const Dataset& data, const Options& options, const Model& model);

}  // namespace gingham::methods::multilinear
