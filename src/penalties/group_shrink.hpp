// A vector shortened as a whole, with z >= 0: for a norm q = 2 or infinity
//
//   z = argmin_{z >= 0}  sum_j d_j (z_j - p_j)^2 / 2 + weight |z|_q,
//
// in place (point holds p), d the curvature, without allocation, returning |z|_q. Plain versions
// have d_j = 1. Entries with d_j = 0 become 0. weight >= 0, perhaps infinite. Error{internal} where
// a p_j is NaN or +infinity, or a d_j is negative or not finite; -infinity counts as any negative
// number.
//
// q = 2: p_+ shortened by the weight; with d, z = d p t / (d t + weight) at the one root t = |z|.
// q = infinity: p_+ cut at the tau with sum_j d_j (p_j - tau)_+ = weight, found by Newton's method
// on the entries above it (Michelot), from below, hence in finitely many steps.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham {

double shrink_l2(Vec point, double weight);
double shrink_linf(Vec point, double weight);
double shrink_l2_weighted(Vec point, ConstVec curvature, double weight, Vec scratch);  // as long
double shrink_linf_weighted(Vec point, ConstVec curvature, double weight);

}  // namespace gingham
