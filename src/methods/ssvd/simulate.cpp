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
  const double large = 1e9;
  return {.name = "ssvd",
          .title = "Noise with planted blocks that share no row and no column",
          .options = {{.name = "rows",
                       .type = OptionType::integer,
                       .initial = "200",
                       .min = 1,
                       .max = large,
                       .help = "Rows of the matrix."},
                      {.name = "columns",
                       .type = OptionType::integer,
                       .initial = "120",
                       .min = 1,
                       .max = large,
                       .help = "Columns of the matrix."},
                      {.name = "clusters",
                       .type = OptionType::integer,
                       .initial = "3",
                       .min = 1,
                       .max = large,
                       .help = "Planted blocks."},
                      {.name = "block-rows",
                       .type = OptionType::integer,
                       .initial = "20",
                       .min = 1,
                       .max = large,
                       .help = "Rows of each block."},
                      {.name = "block-columns",
                       .type = OptionType::integer,
                       .initial = "10",
                       .min = 1,
                       .max = large,
                       .help = "Columns of each block."},
                      {.name = "level",
                       .type = OptionType::real,
                       .initial = "3",
                       .min = 0,
                       .max = 1e100,
                       .help = "Size of the planted values."},
                      {.name = "noise",
                       .type = OptionType::real,
                       .initial = "1",
                       .min = 0,
                       .max = 1e100,
                       .help = "Standard deviation of the noise."}},
          .make = make};
}

}  // namespace gingham::methods::ssvd
