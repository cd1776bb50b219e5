// A matrix or array as sums over its observed cells see it, dense or sparse:
//
//   sum over observed cells of (X - M)^2 = |X0|^2 - 2 <X0, M> + |M|^2 over the observed cells
//
//   X0: X with 0 in place of missing cells; what products are taken with.
//   cells: as holes those that are left out of a sum over everything, as listed all that is summed
//     over.
//   classes: rows and columns of a matrix by the blocks they were seen in; a block (class of rows,
//     class of columns) is seen or missing as a whole.
#pragma once
#include <array>
#include <mutex>
#include <optional>

#include "gingham/base/parallel.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/operators/cell_list.hpp"

namespace gingham {

// Items of one mode by class: those of class c are items[bounds[c]] ... items[bounds[c + 1] - 1].
struct ItemClasses {
  std::vector<Index> of_item;
  std::vector<Index> items;
  std::vector<Index> bounds;

  static ItemClasses single(Index n_items);
  static ItemClasses from(std::vector<Index> of_item);  // numbers from 0, each of which occurs
  Index count() const { return std::ssize(bounds) - 1; }
  std::span<const Index> members(Index c) const {
    return std::span<const Index>(items).subspan(
        static_cast<std::size_t>(bounds[c]), static_cast<std::size_t>(bounds[c + 1] - bounds[c]));
  }
};

// Which blocks of rows and columns are missing.
struct MissingBlocks {
  std::array<std::vector<Index>, 2> classes;  // per item of each side; empty: one class
  std::vector<std::uint8_t> is_missing;       // classes of rows x classes of columns
};

class Observed {
 public:
  enum class Kind {
    complete,  // no single cell is missing
    holes,     // cells: what is missing
    listed,    // cells: what is observed
  };

  // The block outlives this. Listed cells are those of the block itself where all of them were
  // observed: nothing is copied.
  Observed(const Block& block, Executor& executor) : Observed(block, {}, executor) {}
  // Of a matrix. Values in missing blocks are not looked at.
  Observed(const Block& matrix, const MissingBlocks& missing, Executor& executor);
  // The same matrix with some of the observed cells, drawn at random, taken as missing: at most so
  // many, fewer where a cell is drawn twice. Where they are holes X0 keeps their values, which the
  // cells have too.
  Observed(const Observed& all, Index n_held_out, Rng rng);
  Observed(const Observed&) = delete;
  Observed& operator=(const Observed&) = delete;

  const Block& block() const { return *block_; }  // as it was given
  const Shape& shape() const { return block_->shape(); }
  Index n_modes() const { return block_->modes(); }
  bool is_matrix() const { return block_->is_matrix(); }
  Index size(Index mode) const { return shape()[mode]; }
  Kind kind() const { return kind_; }
  double squares() const { return squares_; }  // of the observed cells
  double n_observed() const { return n_observed_; }
  double n_nonzeros() const { return n_nonzeros_; }  // of X0
  double largest() const { return largest_; }        // of the observed cells, at least 0
  double largest_magnitude() const { return std::max(largest_, -least_); }
  Index n_dropped() const { return n_dropped_; }  // values that lie in missing blocks

  const Block& values() const { return own_values_ ? *own_values_ : *block_; }  // X0
  // What a sparse X0 lists; empty where it is dense.
  CellList entries(Index mode) const { return listed_cells(values().values(), mode); }
  const CellList& cells(Index mode) const { return cells_[mode]; }
  // A sum over the observed cells is so many times the one over everything, and so many times the
  // one over `cells`.
  double of_everything() const { return kind_ == Kind::listed ? 0.0 : 1.0; }
  double of_cells() const { return kind_ == Kind::listed ? 1.0 : cells_[0].empty() ? 0.0 : -1.0; }
  const ItemClasses& classes(Index mode) const { return classes_[mode]; }
  bool sees(Index row_class, Index column_class) const {
    return seen_[static_cast<std::size_t>(row_class * classes_[1].count() + column_class)] != 0;
  }
  // Whether items of one class of a mode see those of a class of the other mode.
  bool sees(Index mode, Index own, Index other) const {
    return mode == 0 ? sees(own, other) : sees(other, own);
  }
  // Whether any cell of an item was observed; the same for all items of a mode, as 1 and 0.
  bool is_seen(Index mode, Index item) const;
  std::vector<double> observed_items(Index mode) const;
  // Per item of a mode the sum over X0 of term(x), which is 0 for 0.
  std::vector<double> item_sums(Index mode, FunctionRef<double(double)> term) const;

  // Y_ik = sum over the observed cells of item i of X times the product of the other factors'
  // columns k;
  // the factor of the mode itself is not looked at. In single precision for matrices alone.
  void products(Index mode, std::span<const Matrix> factors, Matrix& y, Executor& executor) const;
  void products(Index mode, std::span<const MatrixF> factors, MatrixF& y, Executor& executor) const;

  struct HeldOut {
    Index row, column;
    double value;
  };
  const std::vector<HeldOut>& held_out() const { return held_out_; }

  // Memory that this takes beside the block, orders per mode included; more for held-out cells, and
  // while a product with K columns is taken.
  static double bytes(const Block& block, bool has_missing_blocks = false);
  static double held_out_bytes(const Block& block, double n_held_out);
  static double single_bytes(const Block& block);
  static double product_bytes(const Block& block, Index n_columns);

 private:
  struct ItemCounts;
  void take_classes(const MissingBlocks& missing);
  void count_cells(const std::vector<ItemCounts>& counts);
  bool is_whole() const;
  bool is_observed(Index row, Index column) const {
    return sees(classes_[0].of_item[row], classes_[1].of_item[column]);
  }
  double value_at(Index row, Index column) const;
  void set_cells(std::shared_ptr<const Block::Values> cells, Executor& executor);
  template <class T>
  void without_held_out(Index mode, std::span<const DenseMatrix<T>> factors, DenseMatrix<T>& y,
                        Executor& executor) const;

  const Block* block_;
  Kind kind_ = Kind::complete;
  std::shared_ptr<const Block> own_values_;
  mutable std::once_flag made_single_;
  mutable MatrixF single_;  // X0, where it is dense and was asked for
  std::vector<ItemClasses> classes_;
  std::vector<std::uint8_t> seen_;
  std::shared_ptr<const Block::Values> own_cells_;
  std::vector<CellList> cells_;
  std::vector<HeldOut> held_out_;
  double squares_ = 0.0, n_observed_ = 0.0, n_nonzeros_ = 0.0;
  double largest_ = 0.0, least_ = 0.0;
  Index n_dropped_ = 0;
};

}  // namespace gingham
