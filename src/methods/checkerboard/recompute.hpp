#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/methods/checkerboard/problem.hpp"

namespace gingham::methods::checkerboard {

// Every number of a result from the data, the labels and the block averages, by plain loops.
Recomputed recompute(const Problem& problem, const Dataset& data, Index row_groups,
                     Index column_groups, const Model& model);

}  // namespace gingham::methods::checkerboard
