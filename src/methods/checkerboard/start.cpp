#include "gingham/methods/checkerboard/start.hpp"

#include <algorithm>

#include "gingham/kernels/kmeans.hpp"

namespace gingham::methods::checkerboard {
namespace {

constexpr Index kSketch = 32;  // random groups of columns

Groups random_groups(Index n_items, Rng rng) {
  Groups groups;
  groups.count = std::min(n_items, kSketch);
  groups.labels.resize(static_cast<std::size_t>(n_items));
  const std::vector<Index> order = rng.permutation(n_items);
  for (Index t = 0; t < n_items; ++t) groups.labels[order[t]] = t % groups.count;
  return groups;
}

// Items as points whose squared distances are about what it costs to give them one level.
Matrix points_of(const Prepared& prepared, const Profiles& profiles) {
  const bool squares = profiles.divergence == Divergence::squares;
  const std::vector<double>& size = squares ? profiles.others.count : profiles.others.part;
  Matrix points(profiles.items(), profiles.groups());
  std::vector<double> weights(static_cast<std::size_t>(profiles.groups()));
  for (Index i = 0; i < profiles.items(); ++i) {
    profiles.weights(i, weights);
    for (Index h = 0; h < profiles.groups(); ++h) {
      const double level = weights[h] > 0.0 ? profiles.sums(i, h) / weights[h] : prepared.base;
      points(i, h) =
          squares ? std::sqrt(size[h]) * level : std::sqrt(size[h] * std::max(level, 0.0));
    }
  }
  return points;
}

Groups group_points(const Matrix& points, Index k, Rng rng, Context& ctx) {
  KMeansState lloyd;
  kmeans_start(points, k, rng, lloyd, ctx.executor(), [&] { ctx.check_stop(); });
  kmeans_iterate(points, lloyd, ctx.executor());
  return {std::move(lloyd.labels), k};
}

}  // namespace

Board start_board(const Prepared& prepared, Index row_groups, Index column_groups, Context& ctx) {
  const auto profiles = [&](Side side, const Groups& others) {
    ctx.check_stop();
    return make_profiles(prepared.cells, prepared.problem.divergence, prepared.parts, side, others,
                         ctx.executor());
  };
  Board board;
  const Groups sketch = random_groups(prepared.cells.items(Side::columns), ctx.rng("sketch"));
  board.rows = group_points(points_of(prepared, profiles(Side::rows, sketch)), row_groups,
                            ctx.rng("rows"), ctx);
  const Profiles of_columns = profiles(Side::columns, board.rows);
  board.columns =
      group_points(points_of(prepared, of_columns), column_groups, ctx.rng("columns"), ctx);
  set_levels(prepared, Side::columns, of_columns, board);
  return board;
}

double start_bytes(double rows, double columns, double row_groups, double column_groups) {
  // Sums, counts and points of one side at a time, and the states of k-means.
  const double sketch = std::min(columns, static_cast<double>(kSketch));
  return std::max(rows * (24.0 * sketch + 120.0), columns * (24.0 * row_groups + 120.0)) +
         80.0 * std::max(row_groups * sketch, column_groups * row_groups);
}

}  // namespace gingham::methods::checkerboard
