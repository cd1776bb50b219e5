#include "gingham/penalties/in_ball.hpp"

#include "gingham/kernels/vector_ops.hpp"

namespace gingham {

double InBall::value(ConstVec z, Curvature h) const {
  constexpr double kBoundary = 1e-12;
  return norm2(z) <= 1.0 + kBoundary ? cone_->value(z, h) : kInfinity;
}

void InBall::minimise(ConstVec b, Curvature h, Vec z) const {
  constexpr int kHalvings = 200;
  const std::vector<double> pull(b.begin(), b.end());
  cone_->minimise(pull, h, z);
  const double length = norm2(z);
  if (!(length > 1.0)) return;
  if (h.is_even()) return scale(1.0 / length, z);
  std::vector<double> raised(pull.size());
  const auto length_at = [&](double mu) {
    for (std::size_t j = 0; j < raised.size(); ++j) raised[j] = h[j] > 0.0 ? h[j] + mu : 0.0;
    cone_->minimise(pull, raised, z);
    return norm2(z);
  };
  double low = 0.0, high = norm2(pull);  // |z| <= |b| / mu
  for (int step = 0; step < kHalvings && low < high; ++step) {
    const double middle = low + 0.5 * (high - low);
    if (middle <= low || middle >= high) break;
    (length_at(middle) > 1.0 ? low : high) = middle;
  }
  length_at(high);
}

}  // namespace gingham
