//   g(v) = gamma * sum_{i<t} |v_{i+1} - v_i| + alpha * sum_i |v_i|        (v one signal of t times)
//
// Keeps a signal constant over stretches of time, and zero where it is small. prox: total variation
// exactly, then soft threshold by step * alpha (Ji, Zhang, Liu 2012, Theorem 3.1). O(t). Many
// signals at once, and curvatures that differ over time: kernels/tv_prox.hpp.
#pragma once
#include "gingham/penalties/penalty.hpp"

namespace gingham {

struct Fused {
  double gamma;
  double alpha = 0.0;

  static constexpr PenaltyTraits traits{.homogeneous = true};

  double value(ConstVec v) const;
  void prox(Vec v, double step) const;

  // Neighbours count as equal only when equal to the last bit, as the prox leaves them.
  double stationarity_gap(ConstVec v, ConstVec gradient) const;
};
static_assert(Penalty<Fused>);

}  // namespace gingham
