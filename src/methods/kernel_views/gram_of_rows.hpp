// G = X_s X_s^T / 4^exponent for a scaled view, and one distance from the differences.
#pragma once
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::kernel_views {

Matrix gram_of_rows(const views::ScaledView& view, int exponent, Executor& executor,
                    FunctionRef<void()> pause);

// ||x_i - x_j||^2 / 4^exponent, summed from the differences: exactly 0 for equal rows.
class RowDistances {
 public:
  RowDistances(const views::ScaledView& view, int exponent);
  double squared(Index i, Index j) const;

 private:
  double squared_dense(const Matrix& x, Index i, Index j) const;
  double squared_sparse(const SparseMatrix& x, Index i, Index j) const;

  const views::ScaledView* view_;
  std::vector<double> scale_;  // of rows, over 2^exponent
  // m_k c_k: what a cell of 0 becomes, but for sign and row scale; 0 where no cell is unlisted.
  std::vector<double> zeros_;
  double zero_squares_ = 0.0;  // sum of their squares
};

// Bytes for buffers.
double gram_bytes(const Block& view);

}  // namespace gingham::methods::kernel_views
