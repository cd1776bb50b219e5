// A matrix as a method sees it: prepared, with rank-one terms taken away, never formed.
//
//   R = X_s - sum_t c_t a_t b_t^T          X_s = D_r (X - 1 m^T) D_c (preparation.hpp)
//
// X is rows x cols, dense or sparse. Cells that are missing in X are missing in R and add nothing
// to any sum. A product costs one pass over X: where nothing is missing, dense cells are centred
// as they are read and everything else is a rank-one correction, (rows + cols) per term; otherwise
// (listed cells) per term. Every result is overwritten and must not overlap the input; sizes must
// be right (Error{internal}).
#pragma once
#include <cstdint>
#include <vector>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/preparation.hpp"

namespace gingham {

// Sums of squares over the observed cells of each row or column: one number where all are observed.
struct Norms {
  double all = 0.0;
  std::vector<double> each = {};
  double operator[](std::size_t i) const { return each.empty() ? all : each[i]; }
};

struct Products {
  std::vector<double> values;
  Norms norms;
};

class PreparedMatrix {
 public:
  // As it is, prepared as asked, or by what was learnt before. The block, a matrix (Error{internal}
  // otherwise), and the executor outlive this.
  PreparedMatrix(const Block& matrix, Executor& executor);
  PreparedMatrix(const Block& matrix, Scale scale, Executor& executor);
  PreparedMatrix(const Block& matrix, Preparation preparation, Executor& executor);

  Index rows() const { return block_->shape()[0]; }
  Index cols() const { return block_->shape()[1]; }
  const Block& block() const { return *block_; }
  Executor& executor() const { return *executor_; }
  bool is_complete() const { return !block_->has_missing(); }
  std::vector<std::uint8_t> seen_rows() const;  // per row, whether any cell is observed

  const Preparation& preparation() const { return preparation_; }
  // Of X_s over the observed cells; known only where it was prepared.
  double squares() const { return preparation_.squares; }
  const std::vector<double>& row_squares() const { return preparation_.row_squares; }
  void scale_rows(ConstVec factors) { preparation_.scale_rows(factors); }
  // Row i of X_s with `missing` for missing cells.
  void fill_row(Index i, Vec out, double missing = 0.0) const;

  void subtract(double weight, ConstVec left, ConstVec right);  // one more term
  Index n_terms() const { return std::ssize(terms_); }
  void use_terms(Index n) { used_ = n; }  // the first n only, until there is another
  void forget_terms();

  void multiply(ConstVec x, Vec y) const;             // y = R x
  void multiply_transposed(ConstVec x, Vec y) const;  // y = R^T x
  // The same for the columns of a thin matrix; y is made anew where its shape is not right.
  void multiply(const Matrix& x, Matrix& y) const;
  void multiply_transposed(const Matrix& x, Matrix& y) const;
  // The same, and per entry of y the sum of x_j^2 over the cells observed there. x must be finite.
  void multiply_observed(ConstVec x, Vec y, Vec weight) const;
  void multiply_transposed_observed(ConstVec x, Vec y, Vec weight) const;
  // The same as new vectors; all zero where X_s is known to be: not what rounding leaves of it.
  Products row_products(ConstVec v) const;
  Products column_products(ConstVec u) const;
  Norms row_norms(ConstVec v) const;  // those of row_products

  // Cells of a dense R, 0 where they are missing: rows from `row` on, each from `column`
  // on, `stride` values apart in `out`.
  void fill_piece(Index row, Index n_rows, Index column, Index n_cols, double* out,
                  Index stride) const;
  bool is_plain() const { return is_complete() && preparation_.is_none; }  // R = X - terms
  // R = D_r X D_c.
  bool is_only_scaled() const { return is_complete() && used_ == 0 && is_zero(preparation_.means); }
  // The terms as left right^T: rows x terms, cols x terms.
  void copy_terms(Matrix& left, Matrix& right) const;
  double typical_size() const;  // of the cells of X_s, give or take some orders

  // ||R||_F^2 and ||R - left right^T||_F^2 over the observed cells, summed from the residual
  // itself. Unlisted zeros of a sparse X come in as sum_i ||m_i||^2 - (its listed part), m the
  // centring and the terms, in two doubles where that cancels.
  double residual_squares() const;
  double residual_squares(ConstVec left, ConstVec right) const;
  // ||R||_F^2 over the observed cells and u_k^T R v_k for pairs of vectors, with them in one pass
  // over a dense X.
  struct ResidualSums {
    double squares = 0.0;
    std::vector<double> products;
  };
  ResidualSums residual_sums(std::span<const ConstVec> left, std::span<const ConstVec> right) const;

 private:
  struct Term {
    double weight;
    std::vector<double> left, right;
  };
  struct Outer;
  struct Line;
  enum class Side { rows, columns };

  // Whether all cells go into one sum, with one curvature.
  bool goes_together() const { return is_complete() && !preparation_.is_of_new_rows; }
  const SparseMatrix& lines(Side side) const;
  std::vector<Outer> outer_products(Side side) const;
  void residual_cells(Index i, Index from, Index n, const Line& model, double* out) const;
  void product(Side side, ConstVec x, Vec y) const;
  void thin_product(Side side, const Matrix& x, Matrix& y) const;
  void sparse_thin_product(Side side, const Matrix& x, Matrix& y) const;
  void observed_product(Side side, ConstVec x, Vec y, Vec weight) const;
  void observed_dense(Side side, ConstVec x, Vec y, Vec weight) const;
  void observed_sparse(Side side, ConstVec x, Vec y, Vec weight) const;
  Products products(Side side, ConstVec x) const;
  double squares_of(const std::vector<Outer>& outer) const;
  double dense_squares(const std::vector<Outer>& outer) const;
  double sparse_squares(const std::vector<Outer>& outer) const;

  const Block* block_;
  Executor* executor_;
  Preparation preparation_;
  // Centring takes away shift_unit row_scale shift^T: D_c m in units in which squares are finite.
  std::vector<double> shift_;
  double shift_unit_ = 1.0;
  std::vector<Term> terms_;
  Index used_ = 0;
};

}  // namespace gingham
