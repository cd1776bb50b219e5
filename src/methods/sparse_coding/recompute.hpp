#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::sparse_coding {

// Every number of a result from the data, the dictionary and the codes, by plain loops.
Recomputed recompute(const Dataset& data, const Options& options, const Model& model);

}  // namespace gingham::methods::sparse_coding
