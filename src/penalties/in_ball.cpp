#include "gingham/penalties/in_ball.hpp"

#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

// Entries that were not observed, which follow their neighbours at most, do not count.
double length_of(ConstVec z, Curvature h) {
  if (h.is_even()) return norm2(z);
  double squares = 0.0;
  for (std::size_t j = 0; j < z.size(); ++j) squares += h[j] > 0.0 ? z[j] * z[j] : 0.0;
  return std::sqrt(squares);
}

}  // namespace

double InBall::value(ConstVec z, Curvature h) const {
  constexpr double kBoundary = 1e-12;
  return length_of(z, h) <= 1.0 + kBoundary ? g_->value(z, h) : kInfinity;
}

void InBall::minimise(ConstVec b, Curvature h, Vec z) const {
  constexpr int kHalvings = 200;
  const PenaltyTraits traits = g_->traits();
  const std::vector<double> pull(b.begin(), b.end());
  g_->minimise(pull, h, z);
  const double length = length_of(z, h);
  if (!(length > 1.0)) return;
  if (h.is_even() && traits.is_homogeneous) return scale(1.0 / length, z);
  std::vector<double> raised(h.is_even() ? 0 : pull.size());
  const auto length_at = [&](double mu) {
    for (std::size_t j = 0; j < raised.size(); ++j) raised[j] = h[j] > 0.0 ? h[j] + mu : 0.0;
    g_->minimise(pull, h.is_even() ? Curvature(h[0] + mu) : Curvature(raised), z);
    return length_of(z, h);
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
