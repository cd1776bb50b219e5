//   X = sum_k level * r_k c_k^T + noise * N(0, 1)
//
// r_k and c_k are the indicators of block k times signs: rows and columns are drawn without
// repetition, and half of a block's columns go down where the other half goes up, as genes do.
#include "gingham/methods/ssvd/simulate.hpp"

namespace gingham::methods::ssvd {
namespace {

Simulation make(const Options& options, Rng rng) {
  const Index m = options.integer("rows"), n = options.integer("columns");
  const Index k = options.integer("clusters");
  const Index block_rows = options.integer("block-rows"),
              block_columns = options.integer("block-columns");
  if (k * block_rows > m || k * block_columns > n) {
    throw Error(ErrorCode::usage, "--clusters",
                "the blocks do not fit: clusters * block-rows must be at most rows, and clusters * "
                "block-columns at most columns");
  }
  Matrix x(m, n);
  for (double& value : x.values()) value = options.real("noise") * rng.normal();
  const std::vector<Index> row_order = rng.sample(m, k * block_rows);
  const std::vector<Index> column_order = rng.sample(n, k * block_columns);
  std::vector<Index> row_labels(static_cast<std::size_t>(m), -1),
      column_labels(static_cast<std::size_t>(n), -1);
  for (Index c = 0; c < k; ++c) {
    for (Index a = 0; a < block_rows; ++a) {
      const Index i = row_order[c * block_rows + a];
      row_labels[i] = c;
      for (Index b = 0; b < block_columns; ++b) {
        const Index j = column_order[c * block_columns + b];
        column_labels[j] = c;
        x(i, j) += (b % 2 == 0 ? 1.0 : -1.0) * options.real("level");
      }
    }
  }
  Simulation simulation;
  simulation.blocks.emplace_back("data", std::move(x));
  simulation.memberships = {membership_of("rows", std::nullopt, row_labels),
                            membership_of("columns", std::nullopt, column_labels)};
  return simulation;
}

}  // namespace

Simulator simulator() {
  return {.name = "ssvd",
          .title = "Noise with planted blocks that share no row and no column",
          .options = {integer_option("rows", "200", 1, 1e9, "Rows of the matrix."),
                      integer_option("columns", "120", 1, 1e9, "Columns of the matrix."),
                      integer_option("clusters", "3", 1, 1e9, "Planted blocks."),
                      integer_option("block-rows", "20", 1, 1e9, "Rows of each block."),
                      integer_option("block-columns", "10", 1, 1e9, "Columns of each block."),
                      real_option("level", "3", 0, 1e100, "Size of the planted values."),
                      real_option("noise", "1", 0, 1e100, "Standard deviation of the noise.")},
          .make = make};
}

}  // namespace gingham::methods::ssvd
