// Area under the ROC curve: the probability that a positive item has a larger score than a negative
// one, ties counting one half:
//
//   AUC = sum over pairs (p positive, q negative) of ([s_p > s_q] + [s_p = s_q] / 2) / (#p #q).
#pragma once
#include <span>

#include "gingham/base/index.hpp"

namespace gingham {

// Items whose label is `positive` against all others. O(n log n). Throws Error{usage} where the
// lengths differ or one side has no items, Error{input} where a score is NaN. Infinite scores are
// fine.
double auc(ConstVec scores, std::span<const Index> labels, Index positive = 1);

}  // namespace gingham
