#include "gingham/metrics/ari.hpp"

#include "gingham/metrics/contingency.hpp"

namespace gingham {
namespace {

double pairs(Index m) { return 0.5 * static_cast<double>(m) * static_cast<double>(m - 1); }

double pairs(const std::vector<Index>& sizes) {
  double sum = 0.0;
  for (const Index size : sizes) sum += pairs(size);
  return sum;
}

}  // namespace

double ari(std::span<const Index> a, std::span<const Index> b) {
  const Contingency table = contingency(a, b);
  if (table.cells.size() == table.a_sizes.size() && table.cells.size() == table.b_sizes.size()) {
    return 1.0;  // equal partitions
  }
  double together = 0.0;
  for (const Contingency::Cell& cell : table.cells) together += pairs(cell.count);
  const double in_a = pairs(table.a_sizes), in_b = pairs(table.b_sizes);
  const double expected = in_a * (in_b / pairs(table.n_items));
  return (together - expected) / (0.5 * (in_a + in_b) - expected);
}

}  // namespace gingham
