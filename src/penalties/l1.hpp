//   g(v) = lambda * sum_j |v_j|
//
// Switches single entries off. prox: soft threshold by step * lambda.
#pragma once
#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham {

struct L1 {
  double lambda;

  static constexpr PenaltyTraits traits{.grain = Grain::entry, .homogeneous = true};

  double value(ConstVec v) const { return lambda * norms::l1(v); }

  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    for (double& x : v) x = norms::soft(x, step * lambda);
  }

  double stationarity_gap(ConstVec v, ConstVec gradient) const {
    return norms::l2_of(v.size(), [&](std::size_t j) {
      const double low = v[j] > 0.0 ? lambda : -lambda;
      const double high = v[j] < 0.0 ? -lambda : lambda;
      return norms::outside(-gradient[j], low, high);
    });
  }
};
static_assert(Penalty<L1>);

}  // namespace gingham
