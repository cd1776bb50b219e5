//   g(v) = lambda * max_j |v_j|                                             GroupLinf
//   g(v) = lambda * max_j v_j   if v >= 0,   +infinity otherwise            NonnegGroupLinf
//
// Switches the whole vector off and otherwise levels its largest entries. prox: v minus its
// projection onto the l1 ball of radius step * lambda, i.e. magnitudes capped at the tau with sum
// (|v_j| - tau)_+ = step * lambda; for the non-negative one after clipping. Expected O(n).
#pragma once
#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham {

struct GroupLinf {
  double lambda;

  static constexpr PenaltyTraits traits{.homogeneous = true};

  double value(ConstVec v) const { return lambda * norms::linf(v); }
  void prox(Vec v, double step) const;

  // Entries count as largest only when equal to the last bit, as the prox leaves them.
  double stationarity_gap(ConstVec v, ConstVec gradient) const;

  // v <- argmin_z sum_j curvature_j (z_j - v_j)^2 / 2 + lambda max |z_j|, curvature >= 0:
  // magnitudes capped at the tau with sum_j curvature_j (|v_j| - tau)_+ = lambda; zero when sum
  // curvature_j |v_j| <= lambda. Entries without curvature become 0.
  void prox_weighted(Vec v, ConstVec curvature) const;
};
static_assert(Penalty<GroupLinf>);

struct NonnegGroupLinf {
  double lambda;

  static constexpr PenaltyTraits traits{.nonnegative = true, .homogeneous = true};

  double value(ConstVec v) const {
    return norms::any_negative(v) ? kInfinity : lambda * norms::linf(v);
  }
  void prox(Vec v, double step) const;
  double stationarity_gap(ConstVec v, ConstVec gradient) const;
  void prox_weighted(Vec v, ConstVec curvature) const;  // as GroupLinf, over z >= 0
};
static_assert(Penalty<NonnegGroupLinf>);

}  // namespace gingham
