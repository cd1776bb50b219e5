#include "gingham/methods/kernel_views/gram_of_rows.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::kernel_views {
namespace {

using views::ScaledView;

constexpr Index kTile = 128;            // rows of a tile
constexpr Index kChunk = 512;           // columns multiplied at a time
constexpr Index kPanel = 32;            // rows of a sparse view against all others at a time
constexpr Index kPanelCells = 1 << 22;  // of that panel at most, unless one row has more columns
constexpr double kThreads = 16.0;       // that have buffers of their own, for the estimate

std::vector<double> in_units(const std::vector<double>& scale, int exponent) {
  std::vector<double> result = scale;
  for (double& value : result) value = std::ldexp(value, -exponent);
  return result;
}

// The means of the columns that every row lists, 0 for the others. Such columns are centred cell by
// cell; the means of the others are at most sqrt(n) times their deviations, so that taking them
// away from sums costs few digits.
std::vector<double> listed_means(const ScaledView& view, const SparseMatrix& x) {
  std::vector<Index> count(static_cast<std::size_t>(x.cols()), 0);
  for (Index k = 0; k < x.entries(); ++k) ++count[x.columns()[k]];
  std::vector<double> means = view.means();
  for (Index j = 0; j < x.cols(); ++j) {
    if (count[j] < x.rows()) means[j] = 0.0;
  }
  return means;
}

// Rows [top, bottom) and columns [left, right) of the scaled view, without gaps.
void fill(const ScaledView& view, const Matrix& x, const std::vector<double>& row_scale, Index top,
          Index bottom, Index left, Index right, double* out) {
  const double *means = view.means().data(), *scale = view.column_scale().data();
  for (Index i = top; i < bottom; ++i) {
    const double* row = x.row(i).data();
    const double r = row_scale[i];
    for (Index j = left; j < right; ++j) *out++ = (row[j] - means[j]) * scale[j] * r;
  }
}

void gram_dense(const ScaledView& view, const Matrix& x, const std::vector<double>& row_scale,
                Matrix& g, Executor& executor, FunctionRef<void()> pause) {
  const Index n = x.rows(), d = x.cols();
  double* out = g.data();
  const BlasSingleThread single;
  for (Index top = 0; top < n; top += kTile) {
    pause();
    const Index bottom = std::min(top + kTile, n), height = bottom - top;
    executor.map(top / kTile + 1, [&](Index tile) {
      const Index first = tile * kTile, last = std::min(first + kTile, n), width = last - first;
      Array<double> a(height * kChunk), b(width * kChunk), sums(height * width);
      for (Index left = 0; left < d; left += kChunk) {
        const Index right = std::min(left + kChunk, d), depth = right - left;
        fill(view, x, row_scale, top, bottom, left, right, a.data());
        fill(view, x, row_scale, first, last, left, right, b.data());
        gemm(Op::none, Op::transpose, height, width, depth, 1.0, a.data(), depth, b.data(), depth,
             left == 0 ? 0.0 : 1.0, sums.data(), width);
      }
      for (Index i = top; i < bottom; ++i) {
        for (Index j = first; j < std::min(last, i + 1); ++j) {
          const double value = sums.data()[(i - top) * width + j - first];
          out[i * n + j] = value;
          out[j * n + i] = value;
        }
      }
    });
  }
}

// r_i r_j (y_i C y_j - s_i - s_j + M) with C = D_c^2, s_i = y_i C z, M = z C z, where y = x -
// (listed means) and z = m - (listed means).
void gram_sparse(const ScaledView& view, const SparseMatrix& x,
                 const std::vector<double>& row_scale, Matrix& g, Executor& executor,
                 FunctionRef<void()> pause) {
  const Index n = x.rows(), d = x.cols();
  double* out = g.data();
  std::vector<double> metric(static_cast<std::size_t>(d)), shift(static_cast<std::size_t>(n), 0.0);
  const std::vector<double> listed = listed_means(view, x);
  const auto rest = [&](Index j) { return view.means()[j] - listed[j]; };
  double all = 0.0;
  for (Index j = 0; j < d; ++j) {
    metric[j] = view.column_scale()[j] * view.column_scale()[j];
    all += rest(j) * metric[j] * rest(j);
  }
  for (Index i = 0; i < n; ++i) {
    for (Index k = x.pointers()[i]; k < x.pointers()[i + 1]; ++k) {
      const Index j = x.columns()[k];
      shift[i] += (x.values()[k] - listed[j]) * metric[j] * rest(j);
    }
  }
  const Index height = std::clamp<Index>(kPanelCells / d, 1, kPanel);
  Array<double> panel(checked_mul(d, height, "panel"));
  const Partition blocks = Partition::weighted(x.pointers());
  for (Index top = 0; top < n; top += height) {
    pause();
    const Index bottom = std::min(top + height, n);
    const auto set_panel = [&](bool to_zero) {
      for (Index i = top; i < bottom; ++i) {
        for (Index k = x.pointers()[i]; k < x.pointers()[i + 1]; ++k) {
          const Index j = x.columns()[k];
          panel.data()[j * height + i - top] =
              to_zero ? 0.0 : (x.values()[k] - listed[j]) * metric[j];
        }
      }
    };
    set_panel(false);
    executor.map(blocks.count(), [&](Index block) {
      std::vector<double> sums(static_cast<std::size_t>(height));
      const Index last = std::min(blocks.end(block), bottom);
      for (Index j = blocks.begin(block); j < last; ++j) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (Index k = x.pointers()[j]; k < x.pointers()[j + 1]; ++k) {
          const double value = x.values()[k] - listed[x.columns()[k]];
          const double* cells = std::as_const(panel).data() + x.columns()[k] * height;
          for (Index b = 0; b < height; ++b) sums[b] += value * cells[b];
        }
        for (Index i = std::max(top, j); i < bottom; ++i) {
          const double value =
              (sums[i - top] - shift[i] - shift[j] + all) * row_scale[i] * row_scale[j];
          out[i * n + j] = value;
          out[j * n + i] = value;
        }
      }
    });
    set_panel(true);
  }
}

}  // namespace

Matrix gram_of_rows(const ScaledView& view, int exponent, Executor& executor,
                    FunctionRef<void()> pause) {
  Matrix g(view.rows(), view.rows());
  const std::vector<double> row_scale = in_units(view.row_scale(), exponent);
  if (const Matrix* x = view.block().dense_matrix()) {
    gram_dense(view, *x, row_scale, g, executor, pause);
  } else {
    gram_sparse(view, *view.block().sparse_matrix(), row_scale, g, executor, pause);
  }
  return g;
}

RowDistances::RowDistances(const ScaledView& view, int exponent)
    : view_(&view), scale_(in_units(view.row_scale(), exponent)), zeros_(view.means()) {
  if (const SparseMatrix* x = view.block().sparse_matrix()) {
    const std::vector<double> listed = listed_means(view, *x);
    for (Index j = 0; j < view.cols(); ++j) zeros_[j] -= listed[j];
  }
  for (Index j = 0; j < view.cols(); ++j) zeros_[j] *= view.column_scale()[j];
  zero_squares_ = sum_squares(zeros_);
}

double RowDistances::squared_dense(const Matrix& x, Index i, Index j) const {
  const std::vector<double>&means = view_->means(), &scale = view_->column_scale();
  double total = 0.0;
  for (Index k = 0; k < x.cols(); ++k) {
    const double off =
        ((x(i, k) - means[k]) * scale_[i] - (x(j, k) - means[k]) * scale_[j]) * scale[k];
    total += off * off;
  }
  return total;
}

double RowDistances::squared_sparse(const SparseMatrix& x, Index i, Index j) const {
  const std::vector<double>&means = view_->means(), &scale = view_->column_scale();
  Index a = x.pointers()[i], b = x.pointers()[j];
  const Index a_end = x.pointers()[i + 1], b_end = x.pointers()[j + 1];
  double total = 0.0, listed = 0.0;
  while (a < a_end || b < b_end) {
    const Index at_a = a < a_end ? x.columns()[a] : x.cols();
    const Index at_b = b < b_end ? x.columns()[b] : x.cols();
    const Index k = std::min(at_a, at_b);
    const double left = at_a == k ? x.values()[a++] : 0.0;
    const double right = at_b == k ? x.values()[b++] : 0.0;
    const double off = ((left - means[k]) * scale_[i] - (right - means[k]) * scale_[j]) * scale[k];
    total += off * off;
    listed += zeros_[k] * zeros_[k];
  }
  const double apart = scale_[i] - scale_[j];
  return total + std::max(zero_squares_ - listed, 0.0) * apart * apart;
}

double RowDistances::squared(Index i, Index j) const {
  const Matrix* x = view_->block().dense_matrix();
  return x != nullptr ? squared_dense(*x, i, j)
                      : squared_sparse(*view_->block().sparse_matrix(), i, j);
}

double gram_bytes(const Block& view) {
  const auto n = static_cast<double>(view.shape()[0]), d = static_cast<double>(view.shape()[1]);
  if (!view.is_sparse()) {
    const double rows = std::min(n, static_cast<double>(kTile));
    return kThreads * 8.0 * rows * (2.0 * static_cast<double>(kChunk) + rows);
  }
  const double cells =
      std::min(d * static_cast<double>(kPanel), std::max(d, static_cast<double>(kPanelCells)));
  return 8.0 * (cells + d + n);
}

}  // namespace gingham::methods::kernel_views
