// When a sum of squares may be had as a difference.
//
// ||R - u z^T||^2 = ||R||^2 - ||z||^2 for the best z costs nothing once both are known, but
// rounding is relative to ||R||^2: where little is left of it, few digits are, and the sum must be
// taken from the residual itself, or in two doubles.
#pragma once
#include "gingham/kernels/double_double.hpp"

namespace gingham {

// A `difference` from `whole` of which too few digits are left, or a NaN.
inline bool has_cancelled(double difference, double whole) {
  return !(difference > kCancelled * whole);
}

}  // namespace gingham
