// X0 as a matrix: the items of one mode by the cells of all others together, in order. Where only
// one other mode has more than one item the columns are its items; otherwise, of a sparse array,
// only fibres that list something are columns.
#pragma once
#include <optional>

#include "gingham/kernels/truncated_svd.hpp"
#include "gingham/operators/observed.hpp"

namespace gingham {

class Unfolded {
 public:
  Unfolded(const Observed& data, Index mode);  // the data outlive this

  Index rows() const { return items_; }
  Index cols() const { return sparse_ ? sparse_->cols() : left_ * right_; }
  void multiply(ConstVec x, Vec y, Executor& executor) const;
  void multiply_transposed(ConstVec x, Vec y, Executor& executor) const;
  // Both, for as long as this and the executor live.
  LinearOperator products(Executor& executor) const;

  // Memory that this and K singular vectors take at most.
  static double bytes(const Block& block, Index n_vectors);

 private:
  template <class Visit>
  void for_each_slab(Visit&& visit) const;

  const Block& values_;
  Index mode_;
  Index left_ = 1, items_ = 1, right_ = 1;
  std::optional<SparseMatrix> sparse_;  // of an array
};

}  // namespace gingham
