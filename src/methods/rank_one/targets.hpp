// What a side is made from: b_i = R_i v_i (or R_i^T u_i) with the other side's unit vectors fixed,
// and per entry the curvature h, the sum of their squares over the cells observed there.
#pragma once
#include <vector>

#include "gingham/methods/rank_one/side.hpp"
#include "gingham/operators/prepared.hpp"

namespace gingham::methods::rank_one {

enum class Which { rows, columns };

// One pass over the data. Of an entry of whose squares next to nothing is observed nothing is
// known: b = h = 0.
Targets targets_of(Which which, const std::vector<PreparedMatrix>& residuals, const Layout& own,
                   const Layout& others, const std::vector<double>& other);

}  // namespace gingham::methods::rank_one
