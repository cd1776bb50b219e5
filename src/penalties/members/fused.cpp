#include "gingham/penalties/members/fused.hpp"

#include <algorithm>

#include "gingham/kernels/tv_prox.hpp"
#include "gingham/penalties/bisection.hpp"

namespace gingham {
namespace {

Matrix table(Index length, ConstVec values) {
  Matrix made(length, static_cast<Index>(values.size()) / length);
  std::copy(values.begin(), values.end(), made.values().begin());
  return made;
}

bool is_constant(ConstVec z) {
  return std::all_of(z.begin(), z.end(), [&](double x) { return x == z.front(); });
}

}  // namespace

double Fused::value(ConstVec z, Curvature h) const {
  double changes = 0.0;
  for (std::size_t j = 0; j + 1 < z.size(); ++j) changes += std::abs(z[j + 1] - z[j]);
  return weight_ * changes + entry_.value(z, h);
}

void Fused::minimise(ConstVec b, Curvature h, Vec z) const {
  require_problem(b, h, z);
  if (h.is_even() && h[0] > 0.0) {
    const double inverse = 1.0 / h[0];
    if (std::isfinite(inverse)) {
      for (std::size_t j = 0; j < z.size(); ++j) z[j] = b[j] * inverse;
      tv_prox(z, weight_ * inverse);
      for (double& x : z) x = norms::soft(x, entry_.l1 * inverse);
    } else {
      const std::vector<double> same(z.size(), h[0]);
      tv_prox_weighted(same, b, weight_, entry_.l1, z);
    }
  } else if (h.is_even()) {
    std::fill(z.begin(), z.end(), 0.0);
  } else {
    tv_prox_weighted(h.each(), b, weight_, entry_.l1, z);
  }
  for (double& x : z) x = std::clamp(x, entry_.low, entry_.high);
}

double Fused::smallest_zero(ConstVec b, Curvature h) const {
  const std::vector<double> same(h.is_even() ? b.size() : 0, h[0]);
  const ConstVec each = h.is_even() ? ConstVec(same) : h.each();
  const double enough = tv_gamma_max_weighted(each, b, entry_.l1);
  if (entry_.low == -kInfinity && entry_.high == kInfinity) return enough;
  // Bounds may level what the total variation alone would not.
  std::vector<double> z(b.size());
  return smallest_weight(enough, [&](double weight) {
    Fused(weight, entry_).minimise(b, h, z);
    return is_constant(z);
  });
}

void Fused::minimise_signals(Index length, ConstVec b, Curvature h, Vec z,
                             Executor& executor) const {
  require_problem(b, h, z);
  Matrix x = table(length, b);
  if (h.is_even() && h[0] == 1.0) {
    tv_prox(x, weight_, executor);
    for (double& one : x.values()) one = norms::soft(one, entry_.l1);
  } else {
    const std::vector<double> same(h.is_even() ? b.size() : 0, h[0]);
    const Matrix each = table(length, h.is_even() ? ConstVec(same) : h.each());
    tv_prox_weighted(each, x, weight_, entry_.l1, x, executor);
  }
  for (std::size_t e = 0; e < z.size(); ++e)
    z[e] = std::clamp(x.values()[e], entry_.low, entry_.high);
}

double Fused::smallest_zero_of_signals(Index length, ConstVec b, Curvature h,
                                       Executor& executor) const {
  const Matrix signals = table(length, b);
  std::vector<double> own;
  if (h.is_even() && entry_.l1 == 0.0) {
    own = tv_gamma_max(signals, executor);
  } else {
    const std::vector<double> same(h.is_even() ? b.size() : 0, h[0]);
    const Matrix each = table(length, h.is_even() ? ConstVec(same) : h.each());
    own = tv_gamma_max_weighted(each, signals, entry_.l1, executor);
  }
  return norms::linf(own);
}

double Fused::smallest_l1_of_signals(Index length, ConstVec b, Curvature h) const {
  const std::size_t n = b.size() / static_cast<std::size_t>(length);
  double most = 0.0;
  std::vector<double> signal;
  for (std::size_t j = 0; j < n; ++j) {
    signal.clear();
    for (std::size_t e = j; e < b.size(); e += n) {
      if (h[e] > 0.0) signal.push_back(b[e]);
    }
    tv_prox(signal, weight_);
    most = std::max(most, norms::linf(signal));
  }
  return most;
}

}  // namespace gingham
