#include "gingham/penalties/members/simplex.hpp"

#include "gingham/kernels/l1_ball.hpp"

namespace gingham {

double Simplex::value(ConstVec z, Curvature h) const {
  double sum = 0.0;
  bool is_observed = false;
  for (std::size_t j = 0; j < z.size(); ++j) {
    if (z[j] < 0.0) return kInfinity;
    if (h[j] > 0.0) {
      sum += z[j];
      is_observed = true;
    } else if (z[j] != 0.0) {
      return kInfinity;
    }
  }
  return !is_observed || std::abs(sum - 1.0) <= kRounding * static_cast<double>(z.size() + 1)
             ? 0.0
             : kInfinity;
}

void Simplex::minimise(ConstVec b, Curvature h, Vec z) const {
  require_problem(b, h, z);
  const double steepest = h.largest(z.size());
  if (!(steepest > 0.0)) return std::fill(z.begin(), z.end(), 0.0);
  // Steps in units of the largest curvature, so that their inverses stay in range where they count.
  std::vector<double> room(z.size()), point(b.begin(), b.end());
  for (std::size_t j = 0; j < z.size(); ++j) {
    room[j] = h[j] > 0.0 ? std::min(steepest / h[j], 1e300) : 0.0;
  }
  const L1Threshold threshold = l1_threshold(point, room, steepest);
  double sum = 0.0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double above = threshold.depth - (threshold.largest - point[j]);
    z[j] = above > 0.0 && room[j] > 0.0 ? room[j] * (above / steepest) : 0.0;
    sum += z[j];
  }
  if (sum > 0.0 && std::isfinite(sum)) {
    for (double& x : z) x /= sum;  // rounding
  }
}

}  // namespace gingham
