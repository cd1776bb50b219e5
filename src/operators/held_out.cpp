#include <algorithm>
#include <cmath>

#include "gingham/operators/observed.hpp"

namespace gingham {
namespace {

// A matrix of n cells from fill(row, add), which calls add(column, value) for them in order.
template <class Fill>
SparseMatrix cells_by_row(Index rows, Index columns, Index n, const Fill& fill) {
  Array<Index> pointers(rows + 1);
  Array<std::int32_t> at(n);
  Array<double> values(n);
  Index* const first = pointers.data();
  std::int32_t* const to_column = at.data();
  double* const to_value = values.data();
  Index e = 0;
  for (Index i = 0; i < rows; ++i) {
    fill(i, [&](Index column, double value) {
      to_column[e] = static_cast<std::int32_t>(column);
      to_value[e++] = value;
    });
    first[i + 1] = e;
  }
  return SparseMatrix(rows, columns, std::move(pointers), std::move(at), std::move(values));
}

}  // namespace

double Observed::value_at(Index row, Index column) const {
  if (const Matrix* dense = values().dense_matrix()) return (*dense)(row, column);
  const CellList listed = entries(0);
  const Index e = listed.first_from(row, column);
  return e < listed.end(row) && listed.place(e) == column ? listed.values[e] : 0.0;
}

Observed::Observed(const Observed& all, Index n_held_out, Rng rng)
    : block_(all.block_),
      kind_(all.kind_),
      own_values_(all.own_values_),
      classes_(all.classes_),
      seen_(all.seen_),
      cells_(all.cells_.size()),
      squares_(all.squares_),
      n_observed_(all.n_observed_),
      n_nonzeros_(all.n_nonzeros_),
      largest_(all.largest_),
      least_(all.least_) {
  const CellList& known = all.cells_[0];
  const Index n_rows = size(0), n_columns = size(1), n_known = std::ssize(known.values);
  ThreadPool here(1);
  if (kind_ == Kind::listed) {
    std::vector<Index> drawn = rng.sample(n_known, std::min(n_held_out, n_known));
    std::sort(drawn.begin(), drawn.end());
    auto next = drawn.begin();
    own_values_ = std::make_shared<Block>(
        block_->name(),
        cells_by_row(n_rows, n_columns, n_known - std::ssize(drawn),
                     [&](Index i, const auto& add) {
                       for (Index e = known.begin(i); e < known.end(i); ++e) {
                         const Index column = known.others[0][e];
                         if (next == drawn.end() || *next != e) {
                           add(column, known.values[e]);
                         } else {
                           held_out_.push_back({i, column, known.values[e]});
                           ++next;
                         }
                       }
                     }),
        std::vector<Labels>{}, Unlisted::missing);
    set_cells({std::shared_ptr<const void>(), &values().values()}, here);
  } else {
    // Cells are drawn with their place in the whole; those that are not observed are drawn again.
    const auto is_hole = [&](Index row, Index column) {
      const std::span<const std::int32_t> holes = known.others_of(row);
      return std::binary_search(holes.begin(), holes.end(), static_cast<std::int32_t>(column));
    };
    std::vector<Index> drawn;
    for (Index attempt = 0; attempt < 4 * n_held_out; ++attempt) {
      const Index row = rng.below(n_rows), column = rng.below(n_columns);
      if (is_observed(row, column) && !is_hole(row, column))
        drawn.push_back(row * n_columns + column);
      if (std::ssize(drawn) >= n_held_out) break;
    }
    std::sort(drawn.begin(), drawn.end());
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
    for (const Index cell : drawn)
      held_out_.push_back(
          {cell / n_columns, cell % n_columns, value_at(cell / n_columns, cell % n_columns)});
    kind_ = Kind::holes;
    auto next = held_out_.begin();
    set_cells(std::make_shared<Block::Values>(cells_by_row(
                  n_rows, n_columns, n_known + std::ssize(held_out_),
                  [&](Index i, const auto& add) {
                    const auto add_drawn_before = [&](Index column) {
                      const auto is_before = [&] {
                        return next != held_out_.end() && next->row == i && next->column < column;
                      };
                      for (; is_before(); ++next) add(next->column, next->value);
                    };
                    for (Index e = known.begin(i); e < known.end(i); ++e) {
                      add_drawn_before(known.others[0][e]);
                      add(known.others[0][e], known.values[e]);
                    }
                    add_drawn_before(n_columns);
                  })),
              here);
  }
  for (const HeldOut& cell : held_out_) squares_ -= cell.value * cell.value;
  squares_ = std::max(squares_, 0.0);
  n_observed_ -= static_cast<double>(held_out_.size());
}

}  // namespace gingham
