// New rows or columns of a table against the factor of the other side, which is fixed: for item i,
// with b_j the factor's row at cell j,
//
//   y_i = sum over observed j of x_ij b_j,    Q_i = sum over observed j of b_j b_j^T.
//
// What an item gets depends on its own cells alone, to the bit. Sparse items are read entry by
// entry.
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham::methods::nonnegative {

struct NewItem {
  Index n_observed = 0;
  double squares = 0.0;  // of the observed values
};

class NewItems {
 public:
  // side: 0 for new rows, 1 for new columns. other: one row per cell of an item. Both outlive this.
  NewItems(const Block& fresh, int side, const Matrix& other, Executor& executor);

  Index count() const { return n_; }
  Index rank() const { return other_.cols(); }
  Index work() const;  // about how many multiply-adds an item takes
  bool has_all(const NewItem& item) const { return item.n_observed == n_cells_; }

  // Of the items begin ... end - 1: y, K values for each, zero at first, and what was seen of them.
  void add(Index begin, Index end, double* y, NewItem* seen) const;
  // Q of an item of which everything was observed.
  const Matrix& whole_gram() const { return gram_; }
  // Q of any other.
  void gram_of(Index item, const NewItem& seen, Matrix& q) const;

 private:
  template <class Visit>
  void for_each_observed(Index item,
                         const Visit& visit) const;  // visit(j), unlisted zeros included
  template <class Visit>
  void for_each_missing(Index item, const Visit& visit) const;  // visit(j), where they are listed
  bool lists_missing() const { return entries_ == nullptr || has_zeros_; }

  const Matrix& other_;
  Index n_, n_cells_;
  Matrix gram_;
  // Dense: x_ij is cells_[i * item_step_ + j * cell_step_].
  const double* cells_ = nullptr;
  Index item_step_ = 0, cell_step_ = 0;
  // Sparse: one row per item.
  const SparseMatrix* entries_ = nullptr;
  bool has_zeros_ = false;  // where nothing is listed
};

}  // namespace gingham::methods::nonnegative
