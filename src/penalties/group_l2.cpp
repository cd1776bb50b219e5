// The root behind the weighted group prox.
//
// z_j = v_j t / (t + e_j) with e_j = lambda / curvature_j, and t = ||z|| solves ||v_j / (t + e_j)||
// = 1. The function 1 / ||v_j / (t + e_j)|| rises and is concave in t >= 0, so Newton's method from
// the left never oversteps the root and converges quadratically.
#include "gingham/penalties/group_l2.hpp"

#include <vector>

namespace gingham {
namespace {

constexpr int kMaxNewtonSteps = 100;

// The t above. Starts at max (|v_j| - e_j)_+, which is not beyond the root and keeps every |q_j|
// <= 1.
double root(ConstVec v, ConstVec e) {
  double t = 0.0;
  for (std::size_t j = 0; j < v.size(); ++j) t = std::max(t, std::abs(v[j]) - e[j]);
  for (int k = 0; k < kMaxNewtonSteps; ++k) {
    double square = 0.0;  // ||q||^2 with q = v / (t + e)
    double slope = 0.0;   // sum q^2 / (t + e); the derivative of 1 / ||q|| is slope / ||q||^3
    for (std::size_t j = 0; j < v.size(); ++j) {
      if (v[j] == 0.0) continue;
      const double q = v[j] / (t + e[j]);
      square += q * q;
      slope += q * q / (t + e[j]);
    }
    const double next = t + (std::sqrt(square) - 1.0) * square / slope;
    if (!(next > t)) break;
    t = next;
  }
  return t;
}

}  // namespace

void GroupL2::prox_weighted(Vec v, ConstVec curvature) const {
  require_prox_input(v, 0.0);
  require_prox_input(curvature, 0.0);
  const double pull_out =
      norms::l2_of(v.size(), [&](std::size_t j) { return curvature[j] * v[j]; });
  const double largest = norms::linf(v);
  if (pull_out <= lambda) {
    std::fill(v.begin(), v.end(), 0.0);
    return;
  }
  // In units of the largest |v_j|, so that squares stay in range.
  std::vector<double> e(v.size());
  for (std::size_t j = 0; j < v.size(); ++j) {
    e[j] = curvature[j] > 0.0 ? lambda / curvature[j] / largest : kInfinity;
    v[j] /= largest;
  }
  const double t = root(v, e);
  for (std::size_t j = 0; j < v.size(); ++j) {
    v[j] = std::isinf(e[j]) ? 0.0 : largest * (v[j] * (t / (t + e[j])));
  }
}

void NonnegGroupL2::prox_weighted(Vec v, ConstVec curvature) const {
  require_prox_input(v, 0.0);
  for (double& x : v) x = std::max(x, 0.0);
  GroupL2{lambda}.prox_weighted(v, curvature);
}

}  // namespace gingham
