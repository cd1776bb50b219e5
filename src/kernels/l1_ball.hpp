// The threshold of projections onto the l1 ball and the simplex.
//
// For x with largest entry m, gaps y_j = m - x_j >= 0 and weights d_j >= 0, the depth is the delta
// >= 0 with
//
//   sum_j d_j (delta - y_j)_+ = radius,        i.e.  sum_j d_j (x_j - tau)_+ = radius at tau = m -
//   delta.
//
// Working with y keeps every sum free of cancellation: the depth is right to rounding even where
// the radius is tiny beside x. Found by partitioning around pivots drawn from a fixed sequence:
// expected O(n), no sort, always the same result for the same input. Values must be finite, radius
// >= 0: otherwise Error{internal}.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham {

struct L1Threshold {
  double largest = 0.0;  // m
  double depth = 0.0;    // delta
  double tau() const { return largest - depth; }
};

// Requires x to be non-empty and, with weights, some d_j > 0; entries with d_j = 0 take no part.
L1Threshold l1_threshold(ConstVec x, double radius);
L1Threshold l1_threshold(ConstVec x, ConstVec weights, double radius);

}  // namespace gingham
