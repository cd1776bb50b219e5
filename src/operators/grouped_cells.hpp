// The cells of a matrix whose rows and columns are in groups: sums of rows by groups of columns,
// and of columns by groups of rows.
//
// Values are read as v = x * scale - shift. The scale is a power of two that brings the largest |x|
// near 1, so that squares neither overflow nor vanish; the shift keeps a large common level out of
// the sums, and is 0 where a cell that is not listed counts as a zero.
//
// Cost of all sums: one pass over the dense cells in storage order, or over the listed entries.
#pragma once
#include <cmath>
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham::grouped {

enum class Side { rows, columns };

constexpr Side other(Side side) { return side == Side::rows ? Side::columns : Side::rows; }

// A group for every item of a side.
struct Groups {
  std::vector<Index> labels;
  Index count = 1;

  std::vector<Index> sizes() const;
  static Groups one(Index n_items) {
    return {std::vector<Index>(static_cast<std::size_t>(n_items)), 1};
  }

  template <class Archive>
  void state(Archive& ar) {
    ar("labels", labels)("count", count);
  }
};

class Cells {
 public:
  explicit Cells(const Block& block);

  const Block& block() const { return *block_; }
  Index items(Side side) const { return block_->shape()[side == Side::rows ? 0 : 1]; }
  bool is_complete() const { return !block_->has_missing(); }
  bool has_unlisted_zeros() const {
    return block_->is_sparse() && block_->unlisted() == Unlisted::zero &&
           block_->summary().listed < cells(block_->shape());
  }
  // Memory that a pass over the cells takes beside its result.
  static double pass_bytes(const Block& block, Index n_row_groups);

  const Matrix* dense() const { return block_->dense_matrix(); }
  // Compressed by the items of this side.
  const SparseMatrix& sparse(Side side) const {
    return side == Side::rows ? *block_->sparse_matrix() : block_->sparse_matrix()->transposed();
  }

  double value(double x) const { return x * scale_ - shift_; }
  double scale() const { return scale_; }
  double shift() const { return shift_; }
  // Takes v = 0 for the level of the data from here on; does nothing where zeros are not listed.
  void shift_by(double level) { shift_ += has_unlisted_zeros() ? 0.0 : level; }

 private:
  const Block* block_;
  double scale_ = 1.0;
  double shift_ = 0.0;
};

// sums(i, h): of the observed values of item i of one side in group h of the other;
// counts(i, h): how many these are, an empty matrix where the data are complete: then they are the
// sizes of the groups.
struct GroupSums {
  Matrix sums;
  Matrix counts;
};

GroupSums sum_by_group(const Cells& cells, Side side, const Groups& others, Executor& executor);

}  // namespace gingham::grouped
