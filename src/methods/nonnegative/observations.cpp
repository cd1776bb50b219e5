#include "gingham/methods/nonnegative/observations.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/methods/nonnegative/matrices.hpp"

namespace gingham::methods::nonnegative {
namespace {

using Cell = Observations::HeldOut;

SparseMatrix sparse_from(Index rows, Index cols, const std::vector<Cell>& cells) {
  const auto size = std::ssize(cells);
  Array<std::int32_t> row(size), column(size);
  Array<double> value(size);
  for (Index e = 0; e < size; ++e) {
    row.data()[e] = static_cast<std::int32_t>(cells[e].row);
    column.data()[e] = static_cast<std::int32_t>(cells[e].column);
    value.data()[e] = cells[e].value;
  }
  return SparseMatrix::from_triplets(rows, cols, std::move(row), std::move(column),
                                     std::move(value), Duplicates::error);
}

Cells grouped(const std::vector<Cell>& cells, Index n_items, bool by_row) {
  Cells made;
  made.pointers.assign(static_cast<std::size_t>(n_items + 1), 0);
  for (const Cell& cell : cells) ++made.pointers[(by_row ? cell.row : cell.column) + 1];
  for (Index i = 0; i < n_items; ++i) made.pointers[i + 1] += made.pointers[i];
  std::vector<Index> at(made.pointers.begin(), made.pointers.end() - 1);
  made.others.resize(cells.size());
  made.values.resize(cells.size());
  for (const Cell& cell : cells) {
    const Index to = at[by_row ? cell.row : cell.column]++;
    made.others[to] = static_cast<std::int32_t>(by_row ? cell.column : cell.row);
    made.values[to] = cell.value;
  }
  return made;
}

}  // namespace

Classes Classes::single(Index n_items) {
  return from(std::vector<Index>(static_cast<std::size_t>(n_items), 0));
}

Classes Classes::from(std::vector<Index> of_item) {
  Classes classes;
  Index count = of_item.empty() ? 1 : 0;
  for (const Index c : of_item) count = std::max(count, c + 1);
  classes.bounds.assign(static_cast<std::size_t>(count + 1), 0);
  for (const Index c : of_item) ++classes.bounds[c + 1];
  for (Index c = 0; c < count; ++c) classes.bounds[c + 1] += classes.bounds[c];
  std::vector<Index> at(classes.bounds.begin(), classes.bounds.end() - 1);
  classes.items.resize(of_item.size());
  for (Index i = 0; i < std::ssize(of_item); ++i) classes.items[at[of_item[i]]++] = i;
  classes.of_item = std::move(of_item);
  return classes;
}

Observations::Observations(const Block& block, const MissingBlocks& missing) : block_(&block) {
  take_classes(missing);
  drop_missing_blocks();
  take_cells();
}

void Observations::take_classes(const MissingBlocks& missing) {
  for (int side = 0; side < 2; ++side) {
    classes_[side] = missing.classes[side].empty() ? Classes::single(size(side))
                                                   : Classes::from(missing.classes[side]);
  }
  const auto n = static_cast<std::size_t>(classes_[0].count() * classes_[1].count());
  seen_.assign(n, 1);
  for (std::size_t b = 0; b < missing.is_missing.size() && b < n; ++b)
    seen_[b] = missing.is_missing[b] != 0 ? 0 : 1;
}

bool Observations::is_observed(Index row, Index column) const {
  return sees(classes_[0].of_item[row], classes_[1].of_item[column]);
}

// Values in missing blocks are not looked at: the block is copied without them.
void Observations::drop_missing_blocks() {
  const bool is_whole = std::all_of(seen_.begin(), seen_.end(), [](auto one) { return one != 0; });
  if (is_whole) return;
  for_each_entry(*block_, [&](std::span<const Index> at, double x) {
    if (!is_observed(at[0], at[1]) && x != 0.0 && !std::isnan(x)) ++n_dropped_;
  });
  if (const Matrix* dense = block_->dense_matrix()) {
    Matrix copy = *dense;
    for (Index i = 0; i < copy.rows(); ++i) {
      for (Index j = 0; j < copy.cols(); ++j) {
        if (!is_observed(i, j)) copy(i, j) = 0.0;
      }
    }
    own_values_ = std::make_shared<Block>(block_->name(), std::move(copy));
    return;
  }
  std::vector<Cell> kept;
  for_each_entry(*block_, [&](std::span<const Index> at, double x) {
    if (is_observed(at[0], at[1])) kept.push_back({at[0], at[1], x});
  });
  own_values_ = std::make_shared<Block>(block_->name(), sparse_from(size(0), size(1), kept),
                                        std::vector<Labels>{}, block_->unlisted());
}

void Observations::take_cells() {
  const Block& source = values();
  const auto n_cells = static_cast<double>(size(0)) * static_cast<double>(size(1));
  Index n_missing = 0;
  for_each_entry(source, [&](std::span<const Index>, double x) {
    n_missing += std::isnan(x) ? 1 : 0;
    if (!std::isnan(x)) total_ += x * x;
    if (!std::isnan(x) && x != 0.0) n_nonzeros_ += 1.0;
  });
  squares_ = total_;
  n_observed_ = 0.0;
  for (Index r = 0; r < classes_[0].count(); ++r) {
    for (Index c = 0; c < classes_[1].count(); ++c) {
      if (sees(r, c))
        n_observed_ += static_cast<double>(std::ssize(classes_[0].members(r))) *
                       static_cast<double>(std::ssize(classes_[1].members(c)));
    }
  }
  const bool is_listed = source.is_sparse() && source.unlisted() == Unlisted::missing;
  const bool is_mostly_missing =
      !source.is_sparse() && static_cast<double>(n_missing) > 0.5 * n_cells;
  std::vector<Cell> cells;
  if (is_listed || is_mostly_missing) {
    kind_ = Kind::listed;
    for_each_entry(source, [&](std::span<const Index> at, double x) {
      if (!std::isnan(x) && is_observed(at[0], at[1])) cells.push_back({at[0], at[1], x});
    });
    n_observed_ = static_cast<double>(cells.size());
    own_values_ = std::make_shared<Block>(block_->name(), sparse_from(size(0), size(1), cells),
                                          std::vector<Labels>{}, Unlisted::missing);
    for (int side = 0; side < 2; ++side) classes_[side] = Classes::single(size(side));
    seen_.assign(1, 1);
  } else if (n_missing > 0) {
    kind_ = Kind::holes;
    std::vector<Cell> rest;
    for_each_entry(source, [&](std::span<const Index> at, double x) {
      if (std::isnan(x)) {
        cells.push_back({at[0], at[1], 0.0});
      } else if (source.is_sparse()) {
        rest.push_back({at[0], at[1], x});
      }
    });
    n_observed_ -= static_cast<double>(cells.size());
    if (source.is_sparse()) {
      own_values_ = std::make_shared<Block>(block_->name(), sparse_from(size(0), size(1), rest));
    } else {
      Matrix copy = *source.dense_matrix();
      for (double& x : copy.values()) x = std::isnan(x) ? 0.0 : x;
      own_values_ = std::make_shared<Block>(block_->name(), std::move(copy));
    }
  }
  if (kind_ != Kind::complete) set_cells(std::move(cells));
}

void Observations::set_cells(std::vector<Cell> cells) {
  std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  cells_[0] = grouped(cells, size(0), true);
  cells_[1] = grouped(cells, size(1), false);
}

std::vector<Index> Observations::seen_with(int side, Index item) const {
  const Index own = classes_[side].of_item[item];
  const Cells& holes = cells_[side];
  std::vector<Index> seen;
  Index e = holes.empty() ? 0 : holes.pointers[item];
  const Index end = holes.empty() ? 0 : holes.pointers[item + 1];
  for (Index other = 0; other < size(1 - side); ++other) {
    const bool is_hole = e < end && holes.others[e] == other;
    e += is_hole ? 1 : 0;
    const Index theirs = classes_[1 - side].of_item[other];
    if (!is_hole && (side == 0 ? sees(own, theirs) : sees(theirs, own))) seen.push_back(other);
  }
  return seen;
}

void Observations::for_observed(Index row, FunctionRef<void(Index, double)> visit) const {
  if (kind_ == Kind::listed) {
    for (Index e = cells_[0].pointers[row]; e < cells_[0].pointers[row + 1]; ++e)
      visit(cells_[0].others[e], cells_[0].values[e]);
    return;
  }
  for (const Index column : seen_with(0, row)) visit(column, value_at(row, column));
}

double Observations::value_at(Index row, Index column) const {
  if (const Matrix* dense = values().dense_matrix()) return (*dense)(row, column);
  const SparseMatrix& sparse = *values().sparse_matrix();
  const auto begin = sparse.columns().begin() + sparse.pointers()[row];
  const auto end = sparse.columns().begin() + sparse.pointers()[row + 1];
  const auto found = std::lower_bound(begin, end, static_cast<std::int32_t>(column));
  if (found == end || *found != column) return 0.0;
  return sparse.values()[static_cast<std::size_t>(found - sparse.columns().begin())];
}

Observations::Observations(const Observations& all, Index n_held_out, Rng rng)
    : block_(all.block_),
      kind_(all.kind_),
      own_values_(all.own_values_),
      classes_(all.classes_),
      seen_(all.seen_),
      squares_(all.squares_),
      total_(all.total_),
      n_observed_(all.n_observed_),
      n_nonzeros_(all.n_nonzeros_) {
  std::vector<Cell> cells;
  const Cells& known = all.cells_[0];
  for (Index i = 0; kind_ != Kind::complete && i < size(0); ++i) {
    for (Index e = known.pointers[i]; e < known.pointers[i + 1]; ++e)
      cells.push_back({i, known.others[e], known.values[e]});
  }
  if (kind_ == Kind::listed) {
    const std::vector<Index> order =
        rng.sample(std::ssize(cells), std::min(n_held_out, std::ssize(cells)));
    std::vector<std::uint8_t> is_out(cells.size(), 0);
    for (const Index e : order) is_out[e] = 1;
    std::vector<Cell> kept;
    for (std::size_t e = 0; e < cells.size(); ++e)
      (is_out[e] != 0 ? held_out_ : kept).push_back(cells[e]);
    cells = std::move(kept);
  } else {
    // Cells are drawn with their place in the whole; those that are not observed are drawn again.
    const auto key = [&](Index row, Index column) { return row * size(1) + column; };
    std::vector<Index> taken;
    for (const Cell& cell : cells) taken.push_back(key(cell.row, cell.column));
    std::sort(taken.begin(), taken.end());
    std::vector<Index> drawn;
    for (Index attempt = 0; attempt < 4 * n_held_out; ++attempt) {
      const Index row = rng.below(size(0)), column = rng.below(size(1));
      const Index place = key(row, column);
      if (is_observed(row, column) && !std::binary_search(taken.begin(), taken.end(), place))
        drawn.push_back(place);
      if (std::ssize(drawn) >= n_held_out) break;
    }
    std::sort(drawn.begin(), drawn.end());
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
    for (const Index place : drawn) {
      const Index row = place / size(1), column = place % size(1);
      held_out_.push_back({row, column, value_at(row, column)});
    }
    kind_ = Kind::holes;
    cells.insert(cells.end(), held_out_.begin(), held_out_.end());
  }
  for (const Cell& cell : held_out_) squares_ -= cell.value * cell.value;
  squares_ = std::max(squares_, 0.0);
  n_observed_ -= static_cast<double>(held_out_.size());
  set_cells(std::move(cells));
}

void Observations::multiply(int side, const Matrix& x, Matrix& y, Executor& executor) const {
  if (side == 0) return gingham::multiply(values(), x, y, executor);
  multiply_transposed(values(), x, y, executor);
}

void Observations::multiply(int side, const MatrixF& x, MatrixF& y, Executor& executor) const {
  if (const SparseMatrix* sparse = values().sparse_matrix()) {
    if (side == 0) return gingham::multiply(*sparse, x, y, executor);
    return multiply_transposed(*sparse, x, y, executor);
  }
  if (!single_) single_ = in_single(*values().dense_matrix());
  if (side == 0) return gingham::multiply(*single_, x, y, executor);
  multiply_transposed(*single_, x, y, executor);
}

}  // namespace gingham::methods::nonnegative
