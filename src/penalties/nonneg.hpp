//   g(v) = 0   if v >= 0,   +infinity otherwise
//
// prox: clip to v >= 0, whatever the step.
#pragma once
#include "gingham/penalties/nonneg_l1.hpp"

namespace gingham {

struct Nonneg {
  static constexpr PenaltyTraits traits{
      .grain = Grain::entry, .indicator = true, .nonnegative = true, .homogeneous = true};

  double value(ConstVec v) const { return norms::any_negative(v) ? kInfinity : 0.0; }

  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    for (double& x : v) x = std::max(x, 0.0);
  }

  double stationarity_gap(ConstVec v, ConstVec gradient) const {
    return NonnegL1{0.0}.stationarity_gap(v, gradient);
  }
};
static_assert(Penalty<Nonneg>);

}  // namespace gingham
