// When a sum of squares may be had as a difference.
//
// ||R - u z^T||^2 = ||R||^2 - ||z||^2 for the best z costs nothing once both are known, but
// rounding is relative to ||R||^2: where little is left of it, few digits are, and the sum must be
// taken from the residual itself.
#pragma once

namespace gingham {

// A difference of sums of squares keeps at least twelve digits while it is above this share of what
// it was taken from.
inline constexpr double kCancelled = 1e-3;

// `difference` of `whole`, or a NaN: to be summed again.
inline bool has_cancelled(double difference, double whole) {
  return !(difference > kCancelled * whole);
}

}  // namespace gingham
