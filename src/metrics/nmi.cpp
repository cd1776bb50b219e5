#include "gingham/metrics/nmi.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/metrics/contingency.hpp"

namespace gingham {
namespace {

double entropy(const std::vector<Index>& sizes, double n) {
  double sum = 0.0;
  for (const Index size : sizes) {
    const double p = static_cast<double>(size) / n;
    sum -= p * std::log(p);
  }
  return sum;
}

}  // namespace

double nmi(std::span<const Index> a, std::span<const Index> b) {
  const Contingency table = contingency(a, b);
  const bool single_a = table.a_sizes.size() == 1, single_b = table.b_sizes.size() == 1;
  if (single_a || single_b) return single_a && single_b ? 1.0 : 0.0;
  const auto n = static_cast<double>(table.n_items);
  double information = 0.0;
  for (const Contingency::Cell& cell : table.cells) {
    const auto count = static_cast<double>(cell.count);
    const double expected =
        static_cast<double>(table.a_sizes[cell.a]) / n * static_cast<double>(table.b_sizes[cell.b]);
    information += count / n * std::log(count / expected);
  }
  const double scale = std::sqrt(entropy(table.a_sizes, n) * entropy(table.b_sizes, n));
  return std::clamp(information / scale, 0.0, 1.0);  // rounding may pass either end
}

}  // namespace gingham
