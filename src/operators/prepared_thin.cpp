// Products of a prepared matrix with thin ones, and its cells as they are needed for them.
#include <algorithm>
#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/operators/centered.hpp"
#include "gingham/operators/prepared_lines.hpp"

namespace gingham {

double PreparedMatrix::typical_size() const {
  if (squares() > 0.0) {
    return std::sqrt(squares()) /
           std::sqrt(static_cast<double>(rows()) * static_cast<double>(cols()));
  }
  if (!row_squares().empty()) return 0.0;  // known to be nothing
  const Summary& summary = block_->summary();
  const double largest = std::max(std::abs(summary.min), std::abs(summary.max));
  return largest > 0.0 ? largest : 0.0;  // nothing observed: NaN
}

void PreparedMatrix::fill_piece(Index row, Index n_rows, Index column, Index n_cols, double* out,
                                Index stride) const {
  const std::vector<Outer> outer = outer_products(Side::rows);
  Line model;
  for (Index i = 0; i < n_rows; ++i, out += stride) {
    model.set(outer, row + i);
    residual_cells(row + i, column, n_cols, model, out);
    if (is_complete()) continue;
    for (Index j = 0; j < n_cols; ++j) out[j] = out[j] == out[j] ? out[j] : 0.0;
  }
}

void PreparedMatrix::copy_terms(Matrix& left, Matrix& right) const {
  left = Matrix(rows(), used_);
  right = Matrix(cols(), used_);
  for (Index t = 0; t < used_; ++t) {
    const Term& term = terms_[static_cast<std::size_t>(t)];
    for (Index i = 0; i < rows(); ++i) left(i, t) = term.weight * term.left[i];
    for (Index j = 0; j < cols(); ++j) right(j, t) = term.right[j];
  }
}

// D_own X D_other x - sum_t c_t own_t (other_t . x), where nothing is missing.
void PreparedMatrix::sparse_thin_product(Side side, const Matrix& x, Matrix& y) const {
  const bool by_rows = side == Side::rows;
  const Preparation& p = preparation_;
  const Index k = x.cols();
  const std::vector<Outer> outer = outer_products(side);
  Matrix scaled;
  if (!p.is_none) {
    const std::vector<double>& factors = by_rows ? p.column_scale : p.row_scale;
    scaled = x;
    double* values = scaled.data();
    const Partition lines = Partition::even(x.rows(), k);
    executor_->map(lines.count(), [&](Index block) {
      for (Index i = lines.begin(block); i < lines.end(block); ++i) {
        for (Index c = 0; c < k; ++c) values[i * k + c] *= factors[i];
      }
    });
  }
  const Matrix& w = p.is_none ? x : scaled;
  by_rows ? gingham::multiply(*block_, w, y, *executor_)
          : gingham::multiply_transposed(*block_, w, y, *executor_);
  const auto n_outer = static_cast<Index>(outer.size());
  std::vector<double> along(static_cast<std::size_t>(n_outer * k), 0.0);  // c_t other_t . x
  const Partition inner = Partition::even(x.rows(), std::max<Index>(n_outer * k, 1));
  sum_blocks(*executor_, n_outer > 0 ? inner.count() : 0, Vec(along), [&](Index block, Vec sums) {
    for (Index i = inner.begin(block); i < inner.end(block); ++i) {
      for (Index t = 0; t < n_outer; ++t) {
        const double factor = outer[t].weight * outer[t].other[i];
        for (Index c = 0; c < k; ++c) sums[t * k + c] += factor * x(i, c);
      }
    }
  });
  if (p.is_none && n_outer == 0) return;
  double* out = y.data();
  const Partition lines = Partition::even(y.rows(), (n_outer + 1) * k);
  executor_->map(lines.count(), [&](Index block) {
    for (Index i = lines.begin(block); i < lines.end(block); ++i) {
      const double factor = p.is_none ? 1.0 : by_rows ? p.row_scale[i] : p.column_scale[i];
      for (Index c = 0; c < k; ++c) out[i * k + c] *= factor;
      for (Index t = 0; t < n_outer; ++t) {
        for (Index c = 0; c < k; ++c) out[i * k + c] -= outer[t].own[i] * along[t * k + c];
      }
    }
  });
}

void PreparedMatrix::thin_product(Side side, const Matrix& x, Matrix& y) const {
  const bool by_rows = side == Side::rows;
  const Index n = by_rows ? rows() : cols();
  if (x.rows() != (by_rows ? cols() : rows()))
    throw Error(ErrorCode::internal, "", "product with a matrix: a factor has the wrong size");
  if (y.rows() != n || y.cols() != x.cols()) y = Matrix(n, x.cols());
  if (block_->is_sparse() && goes_together()) return sparse_thin_product(side, x, y);
  std::vector<double> from(static_cast<std::size_t>(x.rows())), to(static_cast<std::size_t>(n));
  for (Index c = 0; c < x.cols(); ++c) {
    for (Index i = 0; i < x.rows(); ++i) from[i] = x(i, c);
    by_rows ? multiply(from, to) : multiply_transposed(from, to);
    for (Index i = 0; i < n; ++i) y(i, c) = to[i];
  }
}

void PreparedMatrix::multiply(const Matrix& x, Matrix& y) const { thin_product(Side::rows, x, y); }
void PreparedMatrix::multiply_transposed(const Matrix& x, Matrix& y) const {
  thin_product(Side::columns, x, y);
}

}  // namespace gingham
