//   x_ij ~ Poisson(inside)  where row i and column j belong to the same part,  Poisson(outside)
//   elsewhere
#include "gingham/methods/spectral/simulate.hpp"

namespace gingham::methods::spectral {
namespace {

Simulation make(const Options& options, Rng rng) {
  const Index m = options.integer("rows"), n = options.integer("columns"),
              k = options.integer("clusters");
  std::vector<Index> row_labels(static_cast<std::size_t>(m)),
      column_labels(static_cast<std::size_t>(n));
  for (Index& label : row_labels) label = rng.below(k);
  for (Index& label : column_labels) label = rng.below(k);
  GrowingArray<std::int32_t> row, column;
  GrowingArray<double> value;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      const bool together = row_labels[i] == column_labels[j];
      const Index count = rng.poisson(options.real(together ? "inside" : "outside"));
      if (count == 0) continue;
      row.push_back(static_cast<std::int32_t>(i));
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(static_cast<double>(count));
    }
  }
  Simulation simulation;
  simulation.blocks.emplace_back(
      "data", SparseMatrix::from_triplets(m, n, row.finish(), column.finish(), value.finish(),
                                          Duplicates::error));
  simulation.memberships = {membership_of("rows", std::nullopt, row_labels),
                            membership_of("columns", std::nullopt, column_labels)};
  return simulation;
}

}  // namespace

Simulator simulator() {
  return {.name = "spectral",
          .title = "Counts that are high inside planted blocks and low elsewhere",
          .options = {integer_option("rows", "150", 1, 1e9, "Rows of the matrix."),
                      integer_option("columns", "100", 1, 1e9, "Columns of the matrix."),
                      integer_option("clusters", "4", 1, 1e6, "Planted blocks."),
                      real_option("inside", "1", 0, 1e6, "Mean count inside a block."),
                      real_option("outside", "0.1", 0, 1e6, "Mean count elsewhere.")},
          .make = make};
}

}  // namespace gingham::methods::spectral
