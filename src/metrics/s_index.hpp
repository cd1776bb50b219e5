// S index of two partitions (Bohland, Bokil, Allen, Mitra 2009). With classes r_i of the one and
// r_j of the other:
//
//   X_ij = |r_i n r_j| / min(|r_i|, |r_j|),    U_ij = min(|r_i|, |r_j|) where X_ij > 0, otherwise
//   0, W = U / sum U,    S = 1 - 4 sum_ij W_ij X_ij (1 - X_ij).
//
// 1 where every class lies inside a class of the other partition or apart from it; symmetric.
#pragma once
#include <span>

#include "gingham/base/index.hpp"

namespace gingham {

// Throws Error{usage} where the lengths differ or there are no labels.
double s_index(std::span<const Index> a, std::span<const Index> b);

}  // namespace gingham
