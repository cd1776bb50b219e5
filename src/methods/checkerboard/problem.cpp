#include "gingham/methods/checkerboard/problem.hpp"

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::checkerboard {
namespace {

// One group of everything, on both sides.
struct Whole {
  explicit Whole(const Cells& cells)
      : rows(Groups::one(cells.items(Side::rows))),
        columns(Groups::one(cells.items(Side::columns))) {}
  Groups rows, columns;
  const Groups& of(Side side) const { return side == Side::rows ? rows : columns; }
};

PerItem constant(const Cells& cells, double value) {
  return {{std::vector<double>(static_cast<std::size_t>(cells.items(Side::rows)), value),
           std::vector<double>(static_cast<std::size_t>(cells.items(Side::columns)), value)}};
}

std::vector<double> totals(const Cells& cells, Side side, const Whole& whole, Executor& executor) {
  const auto sums = sum_by_group(cells, side, whole.of(other(side)), executor);
  return {sums.sums.values().begin(), sums.sums.values().end()};
}

// r_i + c_j with r_i the average of a row, c_j that of a column less the average of all.
PerItem additive_parts(const Cells& cells, const Whole& whole, Executor& executor) {
  PerItem parts{
      {totals(cells, Side::rows, whole, executor), totals(cells, Side::columns, whole, executor)}};
  const auto m = static_cast<double>(parts[Side::rows].size());
  const auto n = static_cast<double>(parts[Side::columns].size());
  const double mean = sum(parts[Side::rows]) / (m * n);
  for (double& r : parts[Side::rows]) r /= n;
  for (double& c : parts[Side::columns]) c = c / m - mean;
  return parts;
}

// r_i c_j with r_i the sum of a row, c_j that of a column as a share of the sum of all.
PerItem multiplicative_parts(const Cells& cells, const Whole& whole, Executor& executor) {
  PerItem parts{
      {totals(cells, Side::rows, whole, executor), totals(cells, Side::columns, whole, executor)}};
  const double total = sum(parts[Side::rows]);
  for (double& c : parts[Side::columns]) c /= total;
  return parts;
}

}  // namespace

Prepared::Prepared(const Block& block, const Problem& wanted, Executor& executor)
    : cells(block), problem(wanted) {
  const Whole whole(cells);
  const Divergence divergence = problem.divergence;
  const bool squares = divergence == Divergence::squares;
  if (squares) {
    parts = constant(cells, 0.0);
    size = deviations_of_both(cells, divergence, parts, whole.rows, whole.columns, Matrix(1, 1),
                              executor);
  } else {
    parts = constant(cells, 1.0);
    size = {{totals(cells, Side::rows, whole, executor),
             totals(cells, Side::columns, whole, executor)}};
  }
  total_size = sum(size[Side::rows]);
  for (const Side side : {Side::rows, Side::columns}) {
    // With additive parts an item is compared with all others, whatever its own values are.
    const double average = total_size / static_cast<double>(cells.items(side));
    for (double& one : size[side]) one += squares && problem.keeps_margins ? average : 0.0;
  }
  const Summary& summary = block.summary();
  const double n_observed =
      static_cast<double>(summary.shape[0]) * static_cast<double>(summary.shape[1]) -
      static_cast<double>(summary.missing);
  mean = sum(totals(cells, Side::rows, whole, executor)) / n_observed;
  if (squares) cells.shift_by(mean);
  mean -= cells.shift();
  if (problem.keeps_margins) {
    parts = squares ? additive_parts(cells, whole, executor)
                    : multiplicative_parts(cells, whole, executor);
  }
  const Profiles profiles =
      make_profiles(cells, divergence, parts, Side::rows, whole.columns, executor);
  double total = 0.0, item_weight = 0.0;
  for (Index i = 0; i < profiles.items(); ++i) {
    profiles.weights(i, Vec(&item_weight, 1));
    total += profiles.sums(i, 0);
    weight += item_weight;
  }
  base = weight > 0.0 ? total / weight : 0.0;
  Matrix level(1, 1);
  level(0, 0) = base;
  spread = deviations_of_both(cells, divergence, parts, whole.rows, whole.columns, level, executor);
  total_spread = sum(spread[Side::rows]);
}

double Prepared::in_units(double total) const {
  if (problem.divergence == Divergence::squares) return total / cells.scale() / cells.scale();
  if (total <= kNothing * total_size) return 0.0;
  return problem.is_distribution ? total / total_size : total / cells.scale();
}

}  // namespace gingham::methods::checkerboard
