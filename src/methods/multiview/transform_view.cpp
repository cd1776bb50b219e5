#include "gingham/methods/multiview/transform_view.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/isa.hpp"
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::multiview {
namespace {

using views::kCancels;

// Squares outside are summed again in units of the largest cell.
constexpr double kLeastSquares = 1e-250, kMostSquares = 1e250;
constexpr int kMaxExponent = 1000;  // of a unit, so that its inverse is a number as well

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

struct DenseRow {
  const double *x, *center, *scale, *v;
  Index columns, rank;
  double per_unit;
};

// z += x_s v, squares += x_s^2; returns the number of observed cells.
GINGHAM_MULTIARCH
Index add_dense(const DenseRow& row, double* z, double& squares) {
  Index observed = 0;
  double sum = 0.0;
  for (Index j = 0; j < row.columns; ++j) {
    const double value = row.x[j];
    if (value != value) continue;
    ++observed;
    const double cell = (value - row.center[j]) * row.scale[j] * row.per_unit;
    sum += cell * cell;
    const double* v = row.v + j * row.rank;
    for (Index c = 0; c < row.rank; ++c) z[c] += cell * v[c];
  }
  squares += sum;
  return observed;
}

GINGHAM_MULTIARCH
void add_dense_norm(const DenseRow& row, double* norm) {
  for (Index j = 0; j < row.columns; ++j) {
    if (row.x[j] != row.x[j]) continue;
    const double* v = row.v + j * row.rank;
    for (Index c = 0; c < row.rank; ++c) norm[c] += v[c] * v[c];
  }
}

void add(double factor, ConstVec v, std::vector<double>& sum) {
  for (std::size_t c = 0; c < v.size(); ++c) sum[c] += factor * v[c];
}

void add_squares(double factor, ConstVec v, std::vector<double>& sum) {
  for (std::size_t c = 0; c < v.size(); ++c) sum[c] += factor * (v[c] * v[c]);
}

Matrix gram_of(const Matrix& v) {
  Matrix gram(v.cols(), v.cols());
  for (Index j = 0; j < v.rows(); ++j) {
    for (Index b = 0; b < v.cols(); ++b) {
      for (Index c = 0; c < v.cols(); ++c) gram(b, c) += v(j, b) * v(j, c);
    }
  }
  return gram;
}

}  // namespace

FittedView::FittedView(const Block& fresh, Matrix v, std::vector<double> centers,
                       std::vector<double> scales, double weight, bool has_unit_rows)
    : fresh_(&fresh),
      v_(std::move(v)),
      gram_(gram_of(v_)),
      centers_(std::move(centers)),
      scales_(std::move(scales)),
      weight_(weight),
      has_unit_rows_(has_unit_rows),
      zero_z_(size(v_.cols()), 0.0) {
  const Index columns = fresh.shape()[1];
  if (v_.rows() != columns || std::ssize(centers_) != columns || std::ssize(scales_) != columns)
    throw Error(ErrorCode::internal, fresh.name(), "transform: the columns do not fit the view");
  for (Index j = 0; j < columns; ++j) {
    const double cell = scaled(j, 0.0);
    zero_squares_ += cell * cell;
    add(cell, v_.row(j), zero_z_);
  }
}

Index FittedView::row_work() const {
  const Index rank = v_.cols() + 1;
  if (!fresh_->is_sparse()) return v_.rows() * rank;
  return (fresh_->summary().listed / fresh_->shape()[0] + 1) * rank;
}

// Calls visit(column, x) for the observed cells of a row, unlisted zeros among them.
template <class Visit>
void FittedView::for_each_observed(Index row, Visit&& visit) const {
  if (const Matrix* x = fresh_->dense_matrix()) {
    for (Index j = 0; j < x->cols(); ++j) {
      if (const double value = (*x)(row, j); value == value) visit(j, value);
    }
    return;
  }
  const SparseMatrix& x = *fresh_->sparse_matrix();
  const bool has_zeros = fresh_->unlisted() == Unlisted::zero;
  Index j = 0;
  for (Index k = x.pointers()[row]; k < x.pointers()[row + 1]; ++k) {
    for (; has_zeros && j < x.columns()[k]; ++j) visit(j, 0.0);
    j = x.columns()[k] + 1;
    if (const double value = x.values()[k]; value == value) visit(Index{x.columns()[k]}, value);
  }
  for (; has_zeros && j < x.cols(); ++j) visit(j, 0.0);
}

double FittedView::largest(Index row) const {
  double most = 0.0;
  for_each_observed(row, [&](Index j, double x) { most = std::max(most, std::abs(scaled(j, x))); });
  return most;
}

// Directly, cell by cell, times `per_unit`.
void FittedView::add_observed(Index row, double per_unit, RowSums& sums) const {
  std::fill(sums.z.begin(), sums.z.end(), 0.0);
  std::fill(sums.norm.begin(), sums.norm.end(), 0.0);
  sums.squares = 0.0;
  Index observed = 0;
  if (const Matrix* x = fresh_->dense_matrix()) {
    const DenseRow dense{x->row(row).data(), centers_.data(), scales_.data(), v_.data(),
                         x->cols(),          v_.cols(),       per_unit};
    observed = add_dense(dense, sums.z.data(), sums.squares);
    if (observed < x->cols()) add_dense_norm(dense, sums.norm.data());
  } else {
    for_each_observed(row, [&](Index j, double value) {
      ++observed;
      const double cell = scaled(j, value) * per_unit;
      sums.squares += cell * cell;
      add(cell, v_.row(j), sums.z);
      add_squares(1.0, v_.row(j), sums.norm);
    });
  }
  sums.has_some = observed > 0;
  sums.has_all = observed == v_.rows();
  for (Index c = 0; sums.has_all && c < v_.cols(); ++c) sums.norm[c] = square(c);
}

// Listed cells against those of a row of zeros; directly where too little is left of a difference.
void FittedView::add_listed_zeros(Index row, RowSums& sums) const {
  const SparseMatrix& x = *fresh_->sparse_matrix();
  const Index begin = x.pointers()[row], end = x.pointers()[row + 1];
  sums.z = zero_z_;
  for (Index c = 0; c < v_.cols(); ++c) sums.norm[c] = square(c);
  double squares = 0.0, rest = zero_squares_;
  Index missing = 0;
  for (Index k = begin; k < end; ++k) {
    const Index j = x.columns()[k];
    const double value = x.values()[k], zero = scaled(j, 0.0);
    rest -= zero * zero;
    if (value == value) {
      const double cell = scaled(j, value);
      squares += cell * cell;
      add(value * scales_[j], v_.row(j), sums.z);
      continue;
    }
    ++missing;
    add(-zero, v_.row(j), sums.z);
    add_squares(-1.0, v_.row(j), sums.norm);
  }
  bool cancels = rest < kCancels * zero_squares_;
  for (Index c = 0; missing > 0 && c < v_.cols(); ++c)
    cancels = cancels || sums.norm[c] < kCancels * square(c);
  if (cancels) return add_observed(row, 1.0, sums);
  sums.squares = squares + rest;
  sums.has_some = missing < v_.rows();
  sums.has_all = missing == 0;
}

void FittedView::sums_of(Index row, RowSums& sums) const {
  sums.z.resize(size(v_.cols()));
  sums.norm.resize(size(v_.cols()));
  if (fresh_->is_sparse() && fresh_->unlisted() == Unlisted::zero) {
    add_listed_zeros(row, sums);
  } else {
    add_observed(row, 1.0, sums);
  }
  if (!has_unit_rows_) return;
  if (!(sums.squares > kLeastSquares && sums.squares < kMostSquares)) {
    const double most = largest(row);
    if (!(most > 0.0)) return;
    add_observed(row, std::ldexp(1.0, -std::clamp(std::ilogb(most), -kMaxExponent, kMaxExponent)),
                 sums);
  }
  const double length = std::sqrt(sums.squares);
  for (double& z : sums.z) z /= length;
  if (std::isfinite(length)) sums.squares = 1.0;
}

void FittedView::subtract(Index row, Index c, double u, RowSums& sums) const {
  sums.squares = std::max(sums.squares - u * sums.z[c], 0.0);
  if (sums.has_all) {
    for (Index b = c + 1; b < v_.cols(); ++b) sums.z[b] -= u * gram_(c, b);
    return;
  }
  for_each_observed(row, [&](Index j, double) {
    const double part = u * v_(j, c);
    for (Index b = c + 1; part != 0.0 && b < v_.cols(); ++b) sums.z[b] -= part * v_(j, b);
  });
}

}  // namespace gingham::methods::multiview
