// New items of one mode of a matrix or array against the factors of the other modes, which are
// fixed: for item i, with z the product of their rows at a cell,
//
//   y_i = sum x z,   squares_i = sum x^2,   Q_i = sum z z^T          over its observed cells
//
// What an item gets depends on its own cells alone, to the bit: no kernel whose order of summation
// depends on the other items. Sparse items are read entry by entry.
#pragma once
#include <optional>

#include "gingham/operators/item_grams.hpp"

namespace gingham {

struct NewItem {
  bool has_some = false, has_all = false;  // observed cells
  double squares = 0.0;
};

class NewItems {
 public:
  // A matrix per mode, that of `mode` itself not looked at; the others I_m x K. Values count times
  // `value_scale`. Throws Error{internal} for sizes that do not fit. All outlive this.
  NewItems(const Block& fresh, Index mode, std::span<const Matrix> factors, double value_scale,
           Executor& executor);
  NewItems(const NewItems&) = delete;
  NewItems& operator=(const NewItems&) = delete;

  Index count() const { return n_; }
  Index rank() const { return rank_; }
  // Blocks of items that can be worked on at the same time.
  Index n_blocks() const { return groups_.count(); }
  Index begin(Index block) const { return groups_.begin(block) * group_; }
  Index end(Index block) const { return std::min(groups_.end(block) * group_, n_); }

  // Of items begin ... end - 1: rows of y, K values each, zero at first, and what was seen of them.
  void add(Index begin, Index end, double* y, NewItem* seen) const;
  // Q of an item of which everything was observed.
  const Matrix& whole_gram() const { return whole_[0]; }
  // Q of any other.
  void gram_of(Index item, Matrix& q) const;

 private:
  void add_sparse(Index item, double* y, NewItem& seen) const;
  void add_dense(Index begin, Index end, double* y, NewItem* seen) const;
  void dense_gram(Index item, Matrix& q) const;
  template <class Visit>
  void for_dense(Index item, bool are_missing, const Visit& visit) const;
  // z_k *= the rows of the factors of modes [from, to) at this place, the last mode fastest.
  void times_rows(Index from, Index to, Index at, double* z) const;

  const Block* block_;
  Index mode_, n_, rank_ = 0;
  std::span<const Matrix> factors_;
  double value_scale_;
  std::vector<Matrix> whole_;
  Index group_ = 1;  // items that lie in the same cache lines
  Partition groups_;
  // Dense: seen as left x items x middle x last; last: of the last mode, 1 where that is `mode`.
  const double* cells_ = nullptr;
  Index n_left_ = 1, n_middle_ = 1, n_last_ = 1;
  // Sparse; where cells are missing their Q.
  CellList entries_;
  double cells_per_item_ = 1.0;
  std::optional<Observed> observed_;
  std::optional<ItemGrams> grams_;
};

}  // namespace gingham
