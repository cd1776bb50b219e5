// Adjusted Rand index (Hubert and Arabie 1985). With pairs(m) = m (m - 1) / 2, A = sum_i
// pairs(|a_i|), B = sum_j pairs(|b_j|), E = A B / pairs(n):
//
//   ARI = (sum_ij pairs(n_ij) - E) / ((A + B) / 2 - E).
//
// 1 for equal partitions, also where the formula reads 0 / 0 (both one class, or both all apart);
// about 0 for unrelated ones; may be negative.
#pragma once
#include <span>

#include "gingham/base/index.hpp"

namespace gingham {

// Throws Error{usage} where the lengths differ or there are no labels.
double ari(std::span<const Index> a, std::span<const Index> b);

}  // namespace gingham
