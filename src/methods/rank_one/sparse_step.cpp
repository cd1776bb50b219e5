#include "gingham/methods/rank_one/sparse_step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/penalties/norms.hpp"

namespace gingham::methods::rank_one {
namespace {

// lambda at which unit j goes to zero, in units of scale^(1+g): (H / N) (|z| / scale)^(1+g).
double last_level(const Units& units, std::size_t j, double exponent, double scale) {
  const double y = std::abs(units.z[j]) / scale;
  return units.H(j) / units.N(j) * (exponent == 0.0 ? y : std::pow(y, 1.0 + exponent));
}

// By how much unit j is shortened.
double shortening(const Units& units, std::size_t j, const Threshold& threshold, double exponent) {
  return threshold.at(units.z[j], exponent) * units.N(j) / units.H(j);
}

// z shortened; what is left of rounding alone is nothing, since a vector of such entries would
// become a unit vector.
double shortened(const Units& units, std::size_t j, const Threshold& threshold, double exponent) {
  constexpr double kRounding = 1e-14;
  const double z = units.z[j];
  const double kept = norms::soft(z, shortening(units, j, threshold, exponent));
  return std::abs(kept) > kRounding * std::abs(z) ? kept : 0.0;
}

}  // namespace

double Threshold::lambda(double exponent) const {
  return level == 0.0 ? 0.0 : level * std::pow(scale, 1.0 + exponent);
}

double Threshold::at(double z, double exponent) const {
  if (level == 0.0) return 0.0;
  return exponent == 0.0 ? level * scale : level * scale * std::pow(std::abs(z) / scale, -exponent);
}

Threshold fixed_threshold(double lambda) { return {lambda, 1.0}; }

Threshold share_of_maximum(const Units& units, double exponent, double share) {
  const double scale = max_abs(units.z);
  if (scale == 0.0) return {0.0, 1.0};
  double largest = 0.0;
  for (std::size_t j = 0; j < units.size(); ++j) {
    if (units.z[j] != 0.0) largest = std::max(largest, last_level(units, j, exponent, scale));
  }
  return {share * largest, scale};
}

void shrink(const Units& units, const Threshold& threshold, double exponent, Vec x) {
  for (std::size_t j = 0; j < units.size(); ++j) {
    x[j] = units.z[j] != 0.0 ? shortened(units, j, threshold, exponent) : 0.0;
  }
}

Threshold shrink_by_bic(const Units& units, double exponent, Bic bic, double residual,
                        double variance, double cells, Vec x) {
  const double scale = max_abs(units.z);
  std::fill(x.begin(), x.end(), 0.0);
  if (scale == 0.0) return {0.0, 1.0};
  struct Ranked {
    double level;
    Index unit;
  };
  std::vector<Ranked> order;
  order.reserve(units.size());
  for (std::size_t j = 0; j < units.size(); ++j) {
    if (units.z[j] == 0.0) continue;
    order.push_back({last_level(units, j, exponent, scale), static_cast<Index>(j)});
  }
  // Of equal units that stay unshortened each is worth z^2 / variance - log(cells) by itself: those
  // that are worth nothing need not be in order, but for the first, where the threshold lies.
  const double log_cells = std::log(cells);
  std::size_t ordered = order.size();
  if (bic == Bic::relaxed && units.curvature.empty() && units.pull.empty()) {
    const auto worth = std::count_if(units.z.begin(), units.z.end(),
                                     [&](double z) { return z * z > variance * log_cells; });
    ordered = std::min(ordered, static_cast<std::size_t>(worth) + 2);
  }
  const auto rank = [](const Ranked& a, const Ranked& b) {
    return a.level != b.level ? a.level > b.level : a.unit < b.unit;
  };
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(ordered);
  if (middle != order.end()) std::nth_element(order.begin(), middle, order.end(), rank);
  std::sort(order.begin(), middle, rank);

  // With y = |z| / scale: a kept unit has d = level_k (N / H) y^-g scale, one that is gone d = z.
  // The loss over scale^2 is level_k^2 sum N^2/H y^-2g + 2 level_k sum (N/H) y^-g p over the kept
  // ones, p = sign(z) pull / scale, and sum H y^2 + 2 y p over the others.
  const auto y = [&](Index j) { return std::abs(units.z[j]) / scale; };
  const auto pulled = [&](Index j) {
    return units.pull.empty() ? 0.0 : std::copysign(1.0, units.z[j]) * units.pull[j] / scale;
  };
  double gone = 0.0;
  for (std::size_t k = order.size(); k-- > 0;) {
    const Index j = order[k].unit;
    gone += units.H(j) * y(j) * y(j) + 2.0 * y(j) * pulled(j);
  }
  double quadratic = 0.0, linear = 0.0, best = 0.0, best_level = 0.0;
  std::size_t best_size = 0;
  const std::size_t most = ordered == order.size() ? ordered : ordered - 1;
  for (std::size_t k = 1; k <= most; ++k) {
    const Index j = order[k - 1].unit;
    const double weight = exponent == 0.0 ? 1.0 : std::pow(y(j), -exponent);
    const double ratio = units.N(j) / units.H(j) * weight;
    const bool all = k == order.size();
    gone = all ? 0.0 : gone - (units.H(j) * y(j) * y(j) + 2.0 * y(j) * pulled(j));
    quadratic += units.H(j) * ratio * ratio;
    linear += 2.0 * ratio * pulled(j);
    const double next = all ? 0.0 : order[k].level;
    const double short_by = bic == Bic::shrunk ? next * (next * quadratic + linear) : 0.0;
    const double rss = residual + scale * scale * (short_by + gone);
    const double value = rss / variance + static_cast<double>(k) * log_cells;
    if (best_size == 0 || value < best) {
      best = value;
      best_size = k;
      best_level = next;
    }
  }
  const Threshold threshold{best_level, scale};
  for (std::size_t k = 0; k < best_size; ++k) {
    const Index j = order[k].unit;
    x[j] = shortened(units, j, threshold, exponent);
  }
  return threshold;
}

}  // namespace gingham::methods::rank_one
