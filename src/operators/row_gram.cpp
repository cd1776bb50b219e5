#include "gingham/operators/row_gram.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

constexpr Index kTile = 128;            // rows of a tile
constexpr Index kChunk = 512;           // columns multiplied at a time
constexpr Index kPanel = 32;            // rows of a sparse view against all others at a time
constexpr Index kPanelCells = 1 << 22;  // of that panel at most, unless one row has more columns
constexpr double kThreads = 16.0;       // that have buffers of their own, for the estimate
constexpr double kSame = 1e-24;         // of both squares: rows are the same but for rounding

std::vector<double> in_units(const std::vector<double>& scale, int exponent) {
  std::vector<double> result = scale;
  for (double& value : result) value = std::ldexp(value, -exponent);
  return result;
}

// The means of the columns that every row lists, 0 for the others. Such columns are centred cell by
// cell; the means of the others are at most sqrt(n) times their deviations, so that taking them
// away from sums costs few digits.
std::vector<double> listed_means(const Preparation& p, const SparseMatrix& x) {
  std::vector<Index> count(static_cast<std::size_t>(x.cols()), 0);
  for (Index k = 0; k < x.entries(); ++k) ++count[x.columns()[k]];
  std::vector<double> means = p.means;
  for (Index j = 0; j < x.cols(); ++j) {
    if (count[j] < x.rows()) means[j] = 0.0;
  }
  return means;
}

// Rows [top, bottom) and columns [left, right) of the scaled view, without gaps.
void fill(const Preparation& p, const Matrix& x, const std::vector<double>& row_scale, Index top,
          Index bottom, Index left, Index right, double* out) {
  const double *means = p.means.data(), *scale = p.column_scale.data();
  for (Index i = top; i < bottom; ++i) {
    const double* row = x.row(i).data();
    const double r = row_scale[i];
    for (Index j = left; j < right; ++j) *out++ = (row[j] - means[j]) * scale[j] * r;
  }
}

void gram_dense(const Preparation& p, const Matrix& x, const std::vector<double>& row_scale,
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
        fill(p, x, row_scale, top, bottom, left, right, a.data());
        fill(p, x, row_scale, first, last, left, right, b.data());
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
void gram_sparse(const Preparation& p, const SparseMatrix& x, const std::vector<double>& row_scale,
                 Matrix& g, Executor& executor, FunctionRef<void()> pause) {
  const Index n = x.rows(), d = x.cols();
  double* out = g.data();
  std::vector<double> metric(static_cast<std::size_t>(d)), shift(static_cast<std::size_t>(n), 0.0);
  const std::vector<double> listed = listed_means(p, x);
  const auto rest = [&](Index j) { return p.means[j] - listed[j]; };
  double all = 0.0;
  for (Index j = 0; j < d; ++j) {
    metric[j] = p.column_scale[j] * p.column_scale[j];
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

// ||x_i - x_j||^2 / 4^exponent, summed from the differences: exactly 0 for equal rows.
class RowDistances {
 public:
  RowDistances(const PreparedMatrix& x, int exponent)
      : x_(x.block()),
        p_(x.preparation()),
        scale_(in_units(p_.row_scale, exponent)),
        zeros_(p_.means) {
    if (const SparseMatrix* sparse = x_.sparse_matrix()) {
      const std::vector<double> listed = listed_means(p_, *sparse);
      for (std::size_t j = 0; j < zeros_.size(); ++j) zeros_[j] -= listed[j];
    }
    for (std::size_t j = 0; j < zeros_.size(); ++j) zeros_[j] *= p_.column_scale[j];
    zero_squares_ = sum_squares(zeros_);
  }

  double squared(Index i, Index j) const {
    const Matrix* x = x_.dense_matrix();
    return x != nullptr ? squared(*x, i, j) : squared(*x_.sparse_matrix(), i, j);
  }

 private:
  double difference(Index i, double left, Index j, double right, Index k) const {
    return ((left - p_.means[k]) * scale_[i] - (right - p_.means[k]) * scale_[j]) *
           p_.column_scale[k];
  }
  double squared(const Matrix& x, Index i, Index j) const;
  double squared(const SparseMatrix& x, Index i, Index j) const;

  const Block& x_;
  const Preparation& p_;
  std::vector<double> scale_;  // of rows, over 2^exponent
  // m_k c_k: what a cell of 0 becomes, but for sign and row scale; 0 where no cell is unlisted.
  std::vector<double> zeros_;
  double zero_squares_ = 0.0;  // sum of their squares
};

double RowDistances::squared(const Matrix& x, Index i, Index j) const {
  double total = 0.0;
  for (Index k = 0; k < x.cols(); ++k) {
    const double off = difference(i, x(i, k), j, x(j, k), k);
    total += off * off;
  }
  return total;
}

double RowDistances::squared(const SparseMatrix& x, Index i, Index j) const {
  Index a = x.pointers()[i], b = x.pointers()[j];
  const Index a_end = x.pointers()[i + 1], b_end = x.pointers()[j + 1];
  double total = 0.0, listed = 0.0;
  while (a < a_end || b < b_end) {
    const Index at_a = a < a_end ? x.columns()[a] : x.cols();
    const Index at_b = b < b_end ? x.columns()[b] : x.cols();
    const Index k = std::min(at_a, at_b);
    const double left = at_a == k ? x.values()[a++] : 0.0;
    const double right = at_b == k ? x.values()[b++] : 0.0;
    const double off = difference(i, left, j, right, k);
    total += off * off;
    listed += zeros_[k] * zeros_[k];
  }
  const double apart = scale_[i] - scale_[j];
  return total + std::max(zero_squares_ - listed, 0.0) * apart * apart;
}

}  // namespace

Matrix gram_of_rows(const PreparedMatrix& x, int exponent, FunctionRef<void()> pause) {
  Matrix g(x.rows(), x.rows());
  const std::vector<double> row_scale = in_units(x.preparation().row_scale, exponent);
  if (const Matrix* dense = x.block().dense_matrix()) {
    gram_dense(x.preparation(), *dense, row_scale, g, x.executor(), pause);
  } else {
    gram_sparse(x.preparation(), *x.block().sparse_matrix(), row_scale, g, x.executor(), pause);
  }
  return g;
}

Partition below_diagonal(Index n) {
  std::vector<Index> pointers{0};
  for (Index i = 0; i < n; ++i) pointers.push_back(pointers.back() + i);
  return Partition::weighted(pointers);
}

void to_row_distances(const PreparedMatrix& x, int exponent, Matrix& g) {
  const Index n = g.rows();
  const RowDistances direct(x, exponent);
  std::vector<double> squares(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) squares[i] = g(i, i);
  double* out = g.data();
  const Partition blocks = below_diagonal(n);
  x.executor().map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      for (Index j = 0; j < i; ++j) {
        const double both = squares[i] + squares[j];
        double distance = both - 2.0 * out[i * n + j];
        if (has_cancelled(distance, both)) distance = direct.squared(i, j);
        if (distance <= kSame * both) distance = 0.0;
        out[i * n + j] = distance;
        out[j * n + i] = distance;
      }
      out[i * n + i] = 0.0;
    }
  });
}

double row_gram_bytes(const Block& x) {
  const auto n = static_cast<double>(x.shape()[0]), d = static_cast<double>(x.shape()[1]);
  if (!x.is_sparse()) {
    const double rows = std::min(n, static_cast<double>(kTile));
    return kThreads * 8.0 * rows * (2.0 * static_cast<double>(kChunk) + rows);
  }
  const double cells =
      std::min(d * static_cast<double>(kPanel), std::max(d, static_cast<double>(kPanelCells)));
  return 8.0 * (cells + d + n);
}

}  // namespace gingham
