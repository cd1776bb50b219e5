// The data of a factorisation X ~ A B^T, A: rows x K, B: columns x K, split into what products can
// take and what is missing.
//
//   X0: X with 0 in place of missing cells.
//   classes: rows and columns by the blocks they were seen in; a block (class of rows, class of
//     columns) is seen or missing as a whole.
//   cells: single cells besides. As holes they are left out of a sum over everything; as listed
//     they are all that is summed over.
//
// Sides: 0 rows, 1 columns.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham::methods::nonnegative {

// Items of one side by class: those of class c are items[bounds[c]] ... items[bounds[c + 1] - 1].
struct Classes {
  std::vector<Index> of_item;
  std::vector<Index> items;
  std::vector<Index> bounds;

  static Classes single(Index n_items);
  static Classes from(std::vector<Index> of_item);  // numbers from 0, each of which occurs
  Index count() const { return std::ssize(bounds) - 1; }
  std::span<const Index> members(Index c) const {
    return std::span<const Index>(items).subspan(
        static_cast<std::size_t>(bounds[c]), static_cast<std::size_t>(bounds[c + 1] - bounds[c]));
  }
};

// Cells by item of one side, those of an item in order.
struct Cells {
  std::span<const Index> pointers;       // items + 1
  std::span<const std::int32_t> others;  // the item of the other side
  std::span<const double> values;        // X0 there

  bool empty() const { return others.empty(); }
  std::span<const std::int32_t> others_of(Index item) const {
    return others.subspan(static_cast<std::size_t>(pointers[item]),
                          static_cast<std::size_t>(pointers[item + 1] - pointers[item]));
  }
};

// Which blocks of rows and columns are missing.
struct MissingBlocks {
  std::array<std::vector<Index>, 2> classes;  // per item of each side; empty: one class
  std::vector<std::uint8_t> is_missing;       // classes of rows x classes of columns
};

class Observations {
 public:
  enum class Kind { complete, holes, listed };

  // The block outlives this. Listed cells are those of the block itself where all of them were
  // observed: nothing is copied.
  Observations(const Block& block, const MissingBlocks& missing, Executor& executor);
  // The same data with some of the observed cells, drawn at random, taken as missing: at most so
  // many, fewer where a cell is drawn twice.
  Observations(const Observations& all, Index n_held_out, Rng rng);
  Observations(const Observations&) = delete;
  Observations& operator=(const Observations&) = delete;

  Index size(int side) const { return block_->shape()[side]; }
  const Block& values() const { return own_values_ ? *own_values_ : *block_; }  // X0
  // y = X0 x for side 0, X0^T x for side 1.
  void multiply(int side, const Matrix& x, Matrix& y, Executor& executor) const;
  void multiply(int side, const MatrixF& x, MatrixF& y, Executor& executor) const;
  Kind kind() const { return kind_; }
  double squares() const { return squares_; }       // of the observed cells
  double stored_squares() const { return total_; }  // of X0, held-out cells included
  double n_observed() const { return n_observed_; }
  double n_nonzeros() const { return n_nonzeros_; }  // of X0
  const Classes& classes(int side) const { return classes_[side]; }
  bool sees(Index row_class, Index column_class) const {
    return seen_[static_cast<std::size_t>(row_class * classes_[1].count() + column_class)] != 0;
  }
  const Cells& cells(int side) const { return cells_[side]; }
  Index n_seen(int side, Index item) const;       // how many cells of an item were observed
  Index n_dropped() const { return n_dropped_; }  // values that lie in missing blocks

  struct HeldOut {
    Index row, column;
    double value;
  };
  const std::vector<HeldOut>& held_out() const { return held_out_; }

 private:
  struct RowCounts {
    Index kept = 0, missing = 0, dropped = 0, nonzeros = 0;
    double squares = 0.0;
  };
  void take_classes(const MissingBlocks& missing);
  bool is_observed(Index row, Index column) const;
  double value_at(Index row, Index column) const;
  void set_cells(std::shared_ptr<const SparseMatrix> cells);

  const Block* block_;
  Kind kind_ = Kind::complete;
  std::shared_ptr<const Block> own_values_;
  mutable std::optional<MatrixF> single_;  // X0, where it is dense and was asked for
  std::array<Classes, 2> classes_;
  std::vector<std::uint8_t> seen_;
  std::shared_ptr<const SparseMatrix> own_cells_;
  std::array<Cells, 2> cells_;
  std::vector<HeldOut> held_out_;
  double squares_ = 0.0, total_ = 0.0, n_observed_ = 0.0, n_nonzeros_ = 0.0;
  Index n_dropped_ = 0;
};

}  // namespace gingham::methods::nonnegative
