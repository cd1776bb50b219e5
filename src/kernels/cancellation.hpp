// When a sum may be had as a difference.
//
// What is left of a sum after another was taken away costs nothing once both are known, but
// rounding is relative to the whole: where little is left of it, few digits are, and what is left
// must be summed itself, or in two doubles. An example is ||R - u z^T||^2 = ||R||^2 - ||z||^2 for
// the best z.
#pragma once

namespace gingham {

// A difference below this share of the whole has lost three digits and is summed again.
inline constexpr double kCancelled = 1e-3;

// A `difference` from `whole` of which too few digits are left, or a NaN.
inline bool has_cancelled(double difference, double whole) {
  return !(difference > kCancelled * whole);
}

}  // namespace gingham
