#include "gingham/methods/nonnegative/observations.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/methods/nonnegative/matrices.hpp"

namespace gingham::methods::nonnegative {
namespace {

// visit(j, x) for what is listed of row i.
template <class Visit>
void for_row(const Block& block, Index i, const Visit& visit) {
  if (const Matrix* dense = block.dense_matrix()) {
    for (Index j = 0; j < dense->cols(); ++j) visit(j, (*dense)(i, j));
    return;
  }
  const SparseMatrix& sparse = *block.sparse_matrix();
  for (Index e = sparse.pointers()[i]; e < sparse.pointers()[i + 1]; ++e)
    visit(Index{sparse.columns()[e]}, sparse.values()[e]);
}

// Rows in blocks of about equal work.
Partition rows_of(const Block& block) {
  if (const Matrix* dense = block.dense_matrix())
    return Partition::even(dense->rows(), dense->cols());
  return Partition::weighted(block.sparse_matrix()->pointers());
}

// A sparse matrix from the number of cells of each row and fill(row, add), which calls
// add(column, value) for them in order.
template <class Count, class Fill>
SparseMatrix sparse_rows(Index rows, Index cols, const Partition& blocks, Executor& executor,
                         const Count& count, const Fill& fill) {
  Array<Index> pointers(rows + 1);
  Index* const at = pointers.data();
  for (Index i = 0; i < rows; ++i) at[i + 1] = at[i] + count(i);
  Array<std::int32_t> columns(at[rows]);
  Array<double> values(at[rows]);
  std::int32_t* const to_column = columns.data();
  double* const to_value = values.data();
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      Index e = at[i];
      fill(i, [&](Index column, double value) {
        to_column[e] = static_cast<std::int32_t>(column);
        to_value[e++] = value;
      });
    }
  });
  return SparseMatrix(rows, cols, std::move(pointers), std::move(columns), std::move(values));
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

// Values in missing blocks are not looked at: they count as zeros of X0.
Observations::Observations(const Block& block, const MissingBlocks& missing, Executor& executor)
    : block_(&block) {
  take_classes(missing);
  const Index n_rows = size(0), n_columns = size(1);
  const auto n_cells = static_cast<double>(n_rows) * static_cast<double>(n_columns);
  const Partition blocks = rows_of(block);
  std::vector<RowCounts> counts(static_cast<std::size_t>(n_rows));
  executor.map(blocks.count(), [&](Index b) {
    for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
      RowCounts& own = counts[static_cast<std::size_t>(i)];
      for_row(block, i, [&](Index j, double x) {
        if (!is_observed(i, j)) {
          own.dropped += x != 0.0 && !std::isnan(x) ? 1 : 0;
        } else if (std::isnan(x)) {
          ++own.missing;
        } else {
          ++own.kept;
          own.nonzeros += x != 0.0 ? 1 : 0;
          own.squares += x * x;
        }
      });
    }
  });
  Index n_missing = 0, n_kept = 0;
  for (const RowCounts& own : counts) {
    n_missing += own.missing;
    n_kept += own.kept;
    n_dropped_ += own.dropped;
    n_nonzeros_ += static_cast<double>(own.nonzeros);
    total_ += own.squares;
  }
  squares_ = total_;
  const bool is_sparse = block.is_sparse();
  const bool is_whole = std::all_of(seen_.begin(), seen_.end(), [](auto one) { return one != 0; });
  const auto kept_entries = [&] {
    return sparse_rows(
        n_rows, n_columns, blocks, executor, [&](Index i) { return counts[i].kept; },
        [&](Index i, const auto& add) {
          for_row(block, i, [&](Index j, double x) {
            if (!std::isnan(x) && is_observed(i, j)) add(j, x);
          });
        });
  };
  if ((is_sparse && block.unlisted() == Unlisted::missing) ||
      (!is_sparse && static_cast<double>(n_missing) > 0.5 * n_cells)) {
    kind_ = Kind::listed;
    n_observed_ = static_cast<double>(n_kept);
    if (!is_sparse || !is_whole || n_missing > 0)
      own_values_ = std::make_shared<Block>(block.name(), kept_entries(), std::vector<Labels>{},
                                            Unlisted::missing);
    for (int side = 0; side < 2; ++side) classes_[side] = Classes::single(size(side));
    seen_.assign(1, 1);
    set_cells({std::shared_ptr<const void>(), values().sparse_matrix()});
    return;
  }
  for (Index r = 0; r < classes_[0].count(); ++r) {
    for (Index c = 0; c < classes_[1].count(); ++c) {
      if (sees(r, c))
        n_observed_ += static_cast<double>(std::ssize(classes_[0].members(r))) *
                       static_cast<double>(std::ssize(classes_[1].members(c)));
    }
  }
  n_observed_ -= static_cast<double>(n_missing);
  if (is_whole && n_missing == 0) return;
  if (is_sparse) {
    own_values_ = std::make_shared<Block>(block.name(), kept_entries());
  } else {
    Matrix copy = *block.dense_matrix();
    double* const rows = copy.data();
    executor.map(blocks.count(), [&](Index b) {
      for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
        for (Index j = 0; j < n_columns; ++j) {
          double& x = rows[i * n_columns + j];
          if (std::isnan(x) || !is_observed(i, j)) x = 0.0;
        }
      }
    });
    own_values_ = std::make_shared<Block>(block.name(), std::move(copy));
  }
  if (n_missing == 0) return;
  kind_ = Kind::holes;
  set_cells(std::make_shared<SparseMatrix>(sparse_rows(
      n_rows, n_columns, blocks, executor, [&](Index i) { return counts[i].missing; },
      [&](Index i, const auto& add) {
        for_row(block, i, [&](Index j, double x) {
          if (std::isnan(x) && is_observed(i, j)) add(j, 0.0);
        });
      })));
}

void Observations::set_cells(std::shared_ptr<const SparseMatrix> cells) {
  own_cells_ = std::move(cells);
  cells_[0] = {own_cells_->pointers(), own_cells_->columns(), own_cells_->values()};
  const SparseMatrix& turned = own_cells_->transposed();
  cells_[1] = {turned.pointers(), turned.columns(), turned.values()};
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

Index Observations::n_seen(int side, Index item) const {
  const Index listed = cells_[side].empty() ? 0 : std::ssize(cells_[side].others_of(item));
  if (kind_ == Kind::listed) return listed;
  const Index own = classes_[side].of_item[item];
  Index n = -listed;
  for (Index c = 0; c < classes_[1 - side].count(); ++c) {
    if (side == 0 ? sees(own, c) : sees(c, own)) n += std::ssize(classes_[1 - side].members(c));
  }
  return n;
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
  const Cells& known = all.cells_[0];
  const auto add_known = [&](Index e, const auto& add) { add(known.others[e], known.values[e]); };
  const Partition blocks = Partition::even(size(0), 1);
  ThreadPool here(1);
  if (kind_ == Kind::listed) {
    std::vector<Index> drawn =
        rng.sample(std::ssize(known.others), std::min(n_held_out, std::ssize(known.others)));
    std::sort(drawn.begin(), drawn.end());
    for (Index i = 0, d = 0; i < size(0); ++i) {
      for (; d < std::ssize(drawn) && drawn[d] < known.pointers[i + 1]; ++d)
        held_out_.push_back({i, known.others[drawn[d]], known.values[drawn[d]]});
    }
    const auto first = [&](Index e) { return std::lower_bound(drawn.begin(), drawn.end(), e); };
    set_cells(std::make_shared<SparseMatrix>(sparse_rows(
        size(0), size(1), blocks, here,
        [&](Index i) {
          const Index begin = known.pointers[i], end = known.pointers[i + 1];
          return end - begin - (first(end) - first(begin));
        },
        [&](Index i, const auto& add) {
          auto next = first(known.pointers[i]);
          for (Index e = known.pointers[i]; e < known.pointers[i + 1]; ++e) {
            const bool is_out = next != drawn.end() && *next == e;
            is_out ? void(++next) : add_known(e, add);
          }
        })));
  } else {
    // Cells are drawn with their place in the whole; those that are not observed are drawn again.
    const auto is_hole = [&](Index row, Index column) {
      if (known.empty()) return false;
      const std::span<const std::int32_t> holes = known.others_of(row);
      return std::binary_search(holes.begin(), holes.end(), static_cast<std::int32_t>(column));
    };
    std::vector<Index> drawn;
    for (Index attempt = 0; attempt < 4 * n_held_out; ++attempt) {
      const Index row = rng.below(size(0)), column = rng.below(size(1));
      if (is_observed(row, column) && !is_hole(row, column))
        drawn.push_back(row * size(1) + column);
      if (std::ssize(drawn) >= n_held_out) break;
    }
    std::sort(drawn.begin(), drawn.end());
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
    std::vector<Index> drawn_at{0};  // per row: where its own begin
    for (Index i = 0; i < size(0); ++i) {
      Index d = drawn_at.back();
      for (; d < std::ssize(drawn) && drawn[d] < (i + 1) * size(1); ++d) {
        const Index column = drawn[d] - i * size(1);
        held_out_.push_back({i, column, value_at(i, column)});
      }
      drawn_at.push_back(d);
    }
    kind_ = Kind::holes;
    set_cells(std::make_shared<SparseMatrix>(sparse_rows(
        size(0), size(1), blocks, here,
        [&](Index i) {
          return drawn_at[i + 1] - drawn_at[i] +
                 (known.empty() ? 0 : std::ssize(known.others_of(i)));
        },
        [&](Index i, const auto& add) {
          Index d = drawn_at[i];
          const auto add_drawn_before = [&](Index column) {
            for (; d < drawn_at[i + 1] && held_out_[d].column < column; ++d)
              add(held_out_[d].column, held_out_[d].value);
          };
          for (Index e = known.empty() ? 0 : known.pointers[i];
               !known.empty() && e < known.pointers[i + 1]; ++e) {
            add_drawn_before(known.others[e]);
            add_known(e, add);
          }
          add_drawn_before(size(1));
        })));
  }
  for (const HeldOut& cell : held_out_) squares_ -= cell.value * cell.value;
  squares_ = std::max(squares_, 0.0);
  n_observed_ -= static_cast<double>(held_out_.size());
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
