// What a penalty is: a function g of one vector with a value, a prox, and a measure of
// stationarity.
//
//   value(v)                      g(v); +infinity outside the domain
//   prox(v, step)                 v <- argmin_x ||x - v||^2 / 2 + step g(x), in place; step 0
//   projects onto
//                                 the domain. Throws Error{internal} when v is not finite or step
//                                 is negative or not finite, and then leaves v as it was.
//   stationarity_gap(x, gradient) distance from -gradient to the subdifferential of g at x: 0
//   exactly where x
//                                 is stationary for a loss with this gradient. +infinity outside
//                                 the domain.
//
// Penalties are small structs passed as objects. Their weights are finite and >= 0 (the registry
// has checked the ranges). Zero is in every domain and is the smallest value of every penalty here.
#pragma once
#include <cmath>
#include <concepts>
#include <limits>

#include "gingham/base/index.hpp"

namespace gingham {

// What a penalty may be applied to by itself: any single entry, or only the whole vector.
enum class Grain { entry, vector };

struct PenaltyTraits {
  bool convex = true;
  Grain grain = Grain::vector;
  bool indicator = false;    // takes the values 0 and +infinity only; the prox is a projection
  bool nonnegative = false;  // +infinity where an entry is negative
  bool homogeneous = false;  // g(c v) = c g(v) for c > 0 (cones included): may come first in a Sum
  bool radial = false;       // a function of the Euclidean norm: may come second in a Sum

  constexpr bool separable() const { return grain == Grain::entry; }
};

template <class P>
concept Penalty = requires(const P p, Vec out, ConstVec in, double step) {
  { P::traits } -> std::convertible_to<PenaltyTraits>;
  { p.value(in) } -> std::same_as<double>;
  { p.prox(out, step) } -> std::same_as<void>;
  { p.stationarity_gap(in, in) } -> std::same_as<double>;
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The check that opens every prox.
inline void require_prox_input(ConstVec point, double step) {
  bool finite = true;
  for (const double x : point) finite &= std::abs(x) <= std::numeric_limits<double>::max();
  if (!finite) throw Error(ErrorCode::internal, "", "prox: the point is not finite");
  if (!(step >= 0.0 && step <= std::numeric_limits<double>::max())) {
    throw Error(ErrorCode::internal, "", "prox: the step must be finite and not negative");
  }
}

}  // namespace gingham
