//   g(v) = lambda * sum_j v_j   if v >= 0,   +infinity otherwise
//
// prox: subtract step * lambda, then clip to v >= 0.
#pragma once
#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham {

struct NonnegL1 {
  double lambda;

  static constexpr PenaltyTraits traits{
      .grain = Grain::entry, .nonnegative = true, .homogeneous = true};

  double value(ConstVec v) const {
    return norms::any_negative(v) ? kInfinity : lambda * norms::l1(v);
  }

  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    for (double& x : v) x = std::max(x - step * lambda, 0.0);
  }

  double stationarity_gap(ConstVec v, ConstVec gradient) const {
    if (norms::any_negative(v)) return kInfinity;
    return norms::l2_of(v.size(), [&](std::size_t j) {
      return norms::outside(-gradient[j], v[j] > 0.0 ? lambda : -kInfinity, lambda);
    });
  }
};
static_assert(Penalty<NonnegL1>);

}  // namespace gingham
