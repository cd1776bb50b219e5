#include "gingham/metrics/s_index.hpp"

#include <algorithm>

#include "gingham/metrics/contingency.hpp"

namespace gingham {

double s_index(std::span<const Index> a, std::span<const Index> b) {
  const Contingency table = contingency(a, b);
  double weights = 0.0, mixed = 0.0;
  for (const Contingency::Cell& cell : table.cells) {
    const auto smaller =
        static_cast<double>(std::min(table.a_sizes[cell.a], table.b_sizes[cell.b]));
    const double x = static_cast<double>(cell.count) / smaller;
    weights += smaller;
    mixed += smaller * x * (1.0 - x);
  }
  return 1.0 - 4.0 * mixed / weights;
}

}  // namespace gingham
