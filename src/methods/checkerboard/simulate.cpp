//   x_ij = level_gh + noise N(0, 1),            level_gh ~ N(0, separation^2)
//   x_ij ~ Poisson(level_gh)  with --counts,    level_gh = mean exp(separation N(0, 1))
#include "gingham/methods/checkerboard/simulate.hpp"

#include <cmath>

namespace gingham::methods::checkerboard {
namespace {

constexpr double kLargestMean = 1e6;  // of a count: drawing it takes time in proportion

std::vector<Index> random_labels(Index n_items, Index k, Rng& rng) {
  std::vector<Index> labels(static_cast<std::size_t>(n_items));
  for (Index& label : labels) label = rng.below(k);
  return labels;
}

Simulation make(const Options& options, Rng rng) {
  const Index m = options.integer("rows"), n = options.integer("columns"),
              kr = options.integer("row-clusters"), kc = options.integer("column-clusters");
  const bool counts = options.flag("counts");
  const std::vector<Index> rows = random_labels(m, kr, rng), columns = random_labels(n, kc, rng);
  Matrix levels(kr, kc);
  for (double& level : levels.values()) {
    const double z = options.real("separation") * rng.normal();
    level = counts ? std::min(options.real("mean") * std::exp(z), kLargestMean) : z;
  }
  Matrix x(m, n);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double level = levels(rows[i], columns[j]);
      x(i, j) = counts ? static_cast<double>(rng.poisson(level))
                       : level + options.real("noise") * rng.normal();
    }
  }
  Simulation simulation;
  simulation.blocks.emplace_back("data", std::move(x));
  simulation.truth.push_back({"blocks", std::move(levels)});
  simulation.memberships = {membership_of("rows", std::nullopt, rows),
                            membership_of("columns", std::nullopt, columns)};
  return simulation;
}

}  // namespace

Simulator simulator() {
  return {.name = "checkerboard",
          .title = "Groups of rows times groups of columns, every block at its own level",
          .options = {integer_option("rows", "120", 1, 1e9, "Rows of the matrix."),
                      integer_option("columns", "80", 1, 1e9, "Columns of the matrix."),
                      integer_option("row-clusters", "4", 1, 1e6, "Groups of rows."),
                      integer_option("column-clusters", "3", 1, 1e6, "Groups of columns."),
                      real_option("separation", "2", 0, 1e100,
                                  "Standard deviation of the levels, of their logarithms for "
                                  "counts."),
                      real_option("noise", "1", 0, 1e100,
                                  "Standard deviation of values around their level."),
                      {.name = "counts",
                       .type = OptionType::flag,
                       .initial = "no",
                       .help = "Poisson counts in place of values with normal noise."},
                      real_option("mean", "2", 0, 1e6, "Typical mean of the counts.")},
          .make = make};
}

}  // namespace gingham::methods::checkerboard
