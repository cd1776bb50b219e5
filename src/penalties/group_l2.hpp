//   g(v) = lambda * ||v||_2                                             GroupL2
//   g(v) = lambda * ||v||_2   if v >= 0,   +infinity otherwise          NonnegGroupL2
//
// Switches the whole vector off. prox: (clip to v >= 0, then) shorten by step * lambda. The order
// matters.
#pragma once
#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham {

struct GroupL2 {
  double lambda;

  static constexpr PenaltyTraits traits{.homogeneous = true, .radial = true};

  double value(ConstVec v) const { return lambda * norms::l2(v); }

  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    const double length = norms::l2(v);
    const double keep = length > step * lambda ? 1.0 - step * lambda / length : 0.0;
    for (double& x : v) x *= keep;
  }

  double stationarity_gap(ConstVec v, ConstVec gradient) const {
    const double length = norms::l2(v);
    if (length == 0.0) return std::max(norms::l2(gradient) - lambda, 0.0);
    return norms::l2_of(v.size(),
                        [&](std::size_t j) { return gradient[j] + lambda * (v[j] / length); });
  }

  // v <- argmin_z sum_j curvature_j (z_j - v_j)^2 / 2 + lambda ||z||_2, curvature >= 0: z = d v t /
  // (d t + lambda) with the one root t = ||z||; zero when ||d v|| <= lambda. Entries without
  // curvature become 0.
  void prox_weighted(Vec v, ConstVec curvature) const;

  // The radial part of a Sum (sum.hpp).
  double pull(double /*norm*/, double /*outward*/) const { return lambda; }
  double slack_at_zero() const { return lambda; }
};
static_assert(Penalty<GroupL2>);

struct NonnegGroupL2 {
  double lambda;

  static constexpr PenaltyTraits traits{.nonnegative = true, .homogeneous = true};

  double value(ConstVec v) const {
    return norms::any_negative(v) ? kInfinity : lambda * norms::l2(v);
  }

  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    for (double& x : v) x = std::max(x, 0.0);
    GroupL2{lambda}.prox(v, step);
  }

  double stationarity_gap(ConstVec v, ConstVec gradient) const {
    if (norms::any_negative(v)) return kInfinity;
    const double length = norms::l2(v);
    if (length == 0.0) {  // subdifferential: the lambda-ball plus the non-positive orthant
      const double outward =
          norms::l2_of(v.size(), [&](std::size_t j) { return std::max(-gradient[j], 0.0); });
      return std::max(outward - lambda, 0.0);
    }
    return norms::l2_of(v.size(), [&](std::size_t j) {
      const double total = gradient[j] + lambda * (v[j] / length);
      return v[j] > 0.0 ? total : std::min(total, 0.0);
    });
  }

  // As GroupL2, over z >= 0.
  void prox_weighted(Vec v, ConstVec curvature) const;
};
static_assert(Penalty<NonnegGroupL2>);

}  // namespace gingham
