#include "gingham/methods/ssvd/sparse_step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gingham::methods::ssvd {
namespace {

double largest_magnitude(ConstVec z) {
  double largest = 0.0;
  for (const double value : z) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

double Threshold::lambda(double exponent) const { return level * std::pow(scale, 1.0 + exponent); }

double Threshold::at(double z, double exponent) const {
  if (level == 0.0) return 0.0;
  return exponent == 0.0 ? level * scale : level * scale * std::pow(std::abs(z) / scale, -exponent);
}

Threshold fixed_threshold(double lambda) { return {lambda, 1.0}; }

Threshold share_of_maximum(ConstVec z, double share) {
  const double scale = largest_magnitude(z);
  return {share, scale > 0.0 ? scale : 1.0};
}

void shrink(ConstVec z, const Threshold& threshold, double exponent, Vec x) {
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double size = std::abs(z[j]);
    const double kept = size > 0.0 ? size - threshold.at(z[j], exponent) : 0.0;
    x[j] = kept > 0.0 ? std::copysign(kept, z[j]) : 0.0;
  }
}

Threshold shrink_by_bic(ConstVec z, double exponent, double residual, double variance, double cells,
                        Vec x) {
  const double scale = largest_magnitude(z);
  std::fill(x.begin(), x.end(), 0.0);
  if (scale == 0.0) return {0.0, 1.0};
  std::vector<Index> order(z.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const double size_a = std::abs(z[a]), size_b = std::abs(z[b]);
    return size_a != size_b ? size_a > size_b : a < b;
  });
  std::size_t n_nonzero = order.size();
  while (z[order[n_nonzero - 1]] == 0.0) --n_nonzero;

  // With y = |z| / scale falling: level_k = y_{k+1}^(1+g), and
  // ||z - x||^2 / scale^2 = level_k^2 sum_{j<=k} y_j^(-2g) + sum_{j>k} y_j^2.
  const auto y = [&](std::size_t rank) { return std::abs(z[order[rank]]) / scale; };
  double tail = 0.0;
  for (std::size_t rank = n_nonzero; rank-- > 0;) tail += y(rank) * y(rank);
  double weights = 0.0, best = 0.0, best_level = 0.0;
  std::size_t best_size = 0;
  for (std::size_t k = 1; k <= n_nonzero; ++k) {
    const double last = y(k - 1);
    tail = k == n_nonzero ? 0.0 : std::max(tail - last * last, 0.0);
    weights += std::pow(last, -2.0 * exponent);
    const double level = k == n_nonzero ? 0.0 : std::pow(y(k), 1.0 + exponent);
    const double distance = scale * scale * (level * level * weights + tail);
    const double bic = (residual + distance) / variance + static_cast<double>(k) * std::log(cells);
    if (best_size == 0 || bic < best) {
      best = bic;
      best_size = k;
      best_level = level;
    }
  }
  const Threshold threshold{best_level, scale};
  for (std::size_t rank = 0; rank < best_size; ++rank) {
    const double value = z[order[rank]];
    x[order[rank]] =
        std::copysign(std::max(std::abs(value) - threshold.at(value, exponent), 0.0), value);
  }
  return threshold;
}

}  // namespace gingham::methods::ssvd
