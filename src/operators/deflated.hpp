// A matrix with rank-one terms taken away, never formed:
//
//   R = X - sum_k c_k a_k b_k^T          X: rows x cols, dense or sparse
//
// A product costs one pass over X and (rows + cols) per term. Where cells of X are missing they are
// missing from R: they add nothing to any sum here, and a product costs (observed cells) per term.
#pragma once
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham {

class Deflated {
 public:
  explicit Deflated(const Block& matrix);  // which outlives this

  Index rows() const { return matrix_->shape()[0]; }
  Index cols() const { return matrix_->shape()[1]; }
  bool has_missing() const { return matrix_->has_missing(); }
  void subtract(double weight, ConstVec left, ConstVec right);

  void multiply(ConstVec x, Vec y, Executor& executor) const;             // y = R x
  void multiply_transposed(ConstVec x, Vec y, Executor& executor) const;  // y = R^T x
  // The same, and per entry of y the sum of x_j^2 over the cells observed there.
  void multiply_observed(ConstVec x, Vec y, Vec weight, Executor& executor) const;
  void multiply_transposed_observed(ConstVec x, Vec y, Vec weight, Executor& executor) const;
  double squared(Executor& executor) const;  // ||R||_F^2 over the observed cells
  // ||R - left right^T||_F^2 over the observed cells, summed from the residual itself. Where X is
  // sparse the cells it does not list come in as sum_i ||m_i||^2 - (their listed part), m the
  // rank-one terms, in two doubles where that cancels.
  double residual_squared(ConstVec left, ConstVec right, Executor& executor) const;

 private:
  struct Term {
    double weight;
    std::vector<double> left, right;
  };
  struct Coefficients;
  void take_terms(const SparseMatrix& pattern, bool transposed, ConstVec x, Vec y,
                  Executor& executor) const;

  const Block* matrix_;
  std::vector<Term> terms_;
};

}  // namespace gingham
