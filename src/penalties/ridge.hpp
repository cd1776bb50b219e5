//   g(v) = lambda / 2 * ||v||_2^2
//
// prox: divide by 1 + step * lambda.
#pragma once
#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham {

struct Ridge {
  double lambda;

  static constexpr PenaltyTraits traits{.grain = Grain::entry, .radial = true};

  double value(ConstVec v) const {
    double sum = 0.0;
    for (const double x : v) sum += 0.5 * lambda * x * x;
    return sum;
  }

  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    for (double& x : v) x /= 1.0 + step * lambda;
  }

  double stationarity_gap(ConstVec v, ConstVec gradient) const {
    return norms::l2_of(v.size(), [&](std::size_t j) { return gradient[j] + lambda * v[j]; });
  }

  // The radial part of a Sum (sum.hpp).
  double pull(double norm, double /*outward*/) const { return lambda * norm; }
  double slack_at_zero() const { return 0.0; }
};
static_assert(Penalty<Ridge>);

}  // namespace gingham
