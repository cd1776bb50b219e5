// X0 as a matrix: the items of one mode by the cells of all others together, in order. Where only
// one other mode has more than one item the columns are its items; otherwise, of a sparse array,
// only fibres that list something are columns.
#pragma once
#include <optional>

#include "gingham/kernels/block_lanczos.hpp"
#include "gingham/kernels/squared_products.hpp"
#include "gingham/operators/observed.hpp"

namespace gingham {

class Unfolded {
 public:
  Unfolded(const Observed& data, Index mode);  // the data outlive this

  Index rows() const { return items_; }
  Index cols() const { return sparse_ ? sparse_->cols() : left_ * right_; }
  // Where columns are more, vectors of their side only where `with_columns`. For as long as this
  // and the executor live.
  SquaredOperator products(bool with_columns, Executor& executor) const;

  // Memory that this and K singular vectors take at most.
  static double bytes(const Block& block, Index n_vectors);

 private:
  Piece piece(Index row, Index n_rows, Index column, Index n_cols, double* room) const;

  const Block& values_;
  double size_;
  Index left_ = 1, items_ = 1, right_ = 1;
  std::optional<SparseMatrix> sparse_;
};

}  // namespace gingham
