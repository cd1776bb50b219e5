#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::rank_one {

// Every number of a result from the data and u, v, s, levels, by plain loops in long double that
// share no code with the method. Options with one name only some of its users have (adaptive,
// row-fusion, column-fusion) count as 0 where they are not there; with fusion options the arrays
// and members are those of a series.
Recomputed recompute(const Dataset& data, const Options& options, const Model& model);

}  // namespace gingham::methods::rank_one
