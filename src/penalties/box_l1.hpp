//   g(v) = lambda * sum_j |v_j|   if low <= v_j <= high for all j,   +infinity otherwise
//
// The factors of a tensor model: [0, 1], or [-1, 1] with signs. prox: soft threshold, then clip; in
// one dimension clipping the unconstrained minimiser of a convex function is exact.
#pragma once
#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham {

struct BoxL1 {
  double lambda;
  double low = 0.0;   // <= 0
  double high = 1.0;  // >= 0

  static constexpr PenaltyTraits traits{.grain = Grain::entry};

  double value(ConstVec v) const { return contains(v) ? lambda * norms::l1(v) : kInfinity; }

  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    for (double& x : v) x = std::clamp(norms::soft(x, step * lambda), low, high);
  }

  double stationarity_gap(ConstVec v, ConstVec gradient) const {
    if (!contains(v)) return kInfinity;
    return norms::l2_of(v.size(), [&](std::size_t j) {
      // At a face of the box the subdifferential is open-ended to the outside.
      const double least = v[j] == low ? -kInfinity : v[j] > 0.0 ? lambda : -lambda;
      const double most = v[j] == high ? kInfinity : v[j] < 0.0 ? -lambda : lambda;
      return norms::outside(-gradient[j], least, most);
    });
  }

 private:
  bool contains(ConstVec v) const {
    return std::all_of(v.begin(), v.end(), [&](double x) { return low <= x && x <= high; });
  }
};
static_assert(Penalty<BoxL1>);

}  // namespace gingham
