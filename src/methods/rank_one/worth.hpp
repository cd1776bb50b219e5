// Which of the components found are worth what they cost.
//
//   F(S) = sum_i 0.5 || X_i - sum_{k in S} s_ik u_ik v_ik^T ||^2 + sum_{k in S} P_k
//
// P_k are the penalties of component k. Each component has an objective of its own, on what those
// before it have left at their least-squares levels; all together, at their weights s, they may
// cost more than some of them, or than none. With g_ikl = <u_ik v_ik^T, u_il v_il^T> and c_ik =
// <X_i, u_ik v_ik^T> over the observed cells, F(S) - F(none) is a sum over S and over its pairs.
#pragma once
#include <vector>

#include "gingham/data/matrix.hpp"

namespace gingham::methods::rank_one {

struct WorthProblem {
  std::vector<double> own;  // per component: sum_i (0.5 s_ik^2 g_ikk - s_ik c_ik) + P_k
  Matrix shared;            // of two components: sum_i s_ik s_il g_ikl
  double rounding = 0.0;    // differences up to this are none

  double value(const std::vector<bool>& in) const;  // F(S) - F(none)
};

// From all components, one at a time leaves or comes back, the one by which F falls most, until
// none does; and none at all where that is lower still.
std::vector<bool> worth_keeping(const WorthProblem& problem);

}  // namespace gingham::methods::rank_one
