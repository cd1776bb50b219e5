#include "gingham/kernels/squared_products.hpp"

#include <algorithm>
#include <memory>

#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/thin_kernels.hpp"
#include "gingham/kernels/thin_products.hpp"

namespace gingham {
namespace {

constexpr Index kPieceBytes = Index{1} << 18;  // stays in L2 between the two products
constexpr Index kRowUnit = 8;                  // rows of a tile
constexpr Index kColumnUnit = 16;              // stripes of columns are cut at multiples of it
constexpr Index kMostRows = 128;

void fit(Matrix& y, Index rows, Index cols) {
  if (y.rows() != rows || y.cols() != cols) y = Matrix(rows, cols);
}

// Rows, or columns, of a piece, of which each has so many cells.
Index at_once(Index cells, Index unit, Index most) {
  const Index fitting = kPieceBytes / (8 * std::max<Index>(cells, 1)) / unit * unit;
  return std::clamp(fitting, 2 * unit, most);
}

// Scratch that is not cleared.
class Room {
 public:
  explicit Room(Index n) : values_(new double[static_cast<std::size_t>(n)]) {}
  double* data() const { return values_.get(); }

 private:
  std::unique_ptr<double[]> values_;
};

// to (n x stride) <- factor times the transpose of `from`, k x n, whose rows lie `room` values
// apart.
void transpose(const double* from, Index room, Index k, Index n, double factor, double* to,
               Index stride) {
  for (Index j = 0; j < n; ++j) {
    for (Index c = 0; c < k; ++c) to[j * stride + c] = factor * from[c * room + j];
  }
}

// w (n rows, `stride` values apart, of items from `first` on) -= own_i . along
void subtract_terms(const Matrix* own, const Matrix& along, Index first, Index n, Index k,
                    double* w, Index stride) {
  for (Index i = 0; own != nullptr && i < n; ++i) {
    for (Index t = 0; t < own->cols(); ++t) {
      const double factor = (*own)(first + i, t);
      for (Index c = 0; c < k; ++c) w[i * stride + c] -= factor * along(t, c);
    }
  }
}

// sums (t x k) += own^T w over the same items
void add_terms(const Matrix* own, Index first, Index n, Index k, const double* w, Index stride,
               double* sums) {
  for (Index i = 0; own != nullptr && i < n; ++i) {
    for (Index t = 0; t < own->cols(); ++t) {
      const double factor = (*own)(first + i, t);
      for (Index c = 0; c < k; ++c) sums[t * k + c] += factor * w[i * stride + c];
    }
  }
}

Index n_terms(const DenseParts& a) { return a.left == nullptr ? 0 : a.left->cols(); }

// other^T X
Matrix along_terms(const Matrix* other, const Matrix& x, Executor& executor) {
  Matrix along;
  if (other != nullptr) multiply_transposed(*other, x, along, executor);
  return along;
}

// W = A_part X for the rows of a piece, then W's product with the same rows.
void squared_by_rows(const DenseParts& a, const Matrix& x, double factor, Matrix& y,
                     Executor& executor) {
  const Index cols = a.cols, k = x.cols(), room = thin::column_room<double>(cols);
  const thin::Padded<double> padded(x.data(), cols, k);
  const Matrix along = along_terms(a.right, x, executor);
  const Partition blocks = Partition::even(a.rows, 2 * cols * k);
  const Index height = at_once(cols, kRowUnit, kMostRows);
  Array<double> sums(k * room + n_terms(a) * k);
  sum_blocks(executor, blocks.count(), sums.span(), [&](Index block, Vec partial) {
    const Room formed(height * cols), w(height * k);
    for (Index from = blocks.begin(block); from < blocks.end(block); from += height) {
      const Index n = std::min(height, blocks.end(block) - from);
      const Piece piece = a.piece(from, n, 0, cols, formed.data());
      std::fill_n(w.data(), n * k, 0.0);
      thin::tiles(piece.cells, piece.stride, 1, n, cols, padded.data(), padded.stride(), k,
                  w.data(), k);
      subtract_terms(a.left, along, from, n, k, w.data(), k);
      for (Index i = 0; i < n; ++i) {
        const double by = a.weights == nullptr ? factor : factor * a.weights[from + i];
        for (Index c = 0; c < k; ++c) w.data()[i * k + c] *= by;
      }
      add_terms(a.left, from, n, k, w.data(), k, partial.data() + k * room);
      thin::columns(piece.cells, piece.stride, n, cols, w.data(), k, k, partial.data(), room);
    }
  });
  Matrix back(n_terms(a), k);
  const double* from = std::as_const(sums).data();
  for (Index e = 0; e < back.size(); ++e) back.data()[e] = factor * from[k * room + e];
  const Partition items = Partition::even(cols, k);
  double* to = y.data();
  executor.map(items.count(), [&](Index block) {
    const Index first = items.begin(block), n = items.end(block) - first;
    transpose(from + first, room, k, n, factor, to + first * k, k);
    subtract_terms(a.right, back, first, n, k, to + first * k, k);
  });
}

// T = A_part^T X for the columns of a piece, then T's product with the same columns.
void squared_by_columns(const DenseParts& a, const Matrix& x, double factor, Matrix& y,
                        Executor& executor) {
  const Index rows = a.rows, k = x.cols(), packed = thin::packed_width<double>(k);
  const Matrix along = along_terms(a.left, x, executor);
  const Partition units =
      Partition::even((a.cols + kColumnUnit - 1) / kColumnUnit, kColumnUnit * 2 * rows * k);
  const Index width = at_once(rows, kColumnUnit, a.cols + 2 * kColumnUnit);
  const Index room = thin::column_room<double>(width);
  std::vector<double> sums(static_cast<std::size_t>((rows + n_terms(a)) * k));
  sum_blocks(executor, units.count(), Vec(sums), [&](Index block, Vec partial) {
    const Room formed(rows * width), tt(k * room);
    Array<double> t(width * packed);  // zeros behind k
    const Index end = std::min(units.end(block) * kColumnUnit, a.cols);
    for (Index from = units.begin(block) * kColumnUnit; from < end; from += width) {
      const Index n = std::min(width, end - from);
      const Piece piece = a.piece(0, rows, from, n, formed.data());
      std::fill_n(tt.data(), k * room, 0.0);
      thin::columns(piece.cells, piece.stride, rows, n, x.data(), k, k, tt.data(), room);
      transpose(tt.data(), room, k, n, 1.0, t.data(), packed);
      subtract_terms(a.right, along, from, n, k, t.data(), packed);
      for (Index j = 0; j < n; ++j) {
        const double by = a.weights == nullptr ? factor : factor * a.weights[from + j];
        for (Index c = 0; c < k; ++c) t.data()[j * packed + c] *= by;
      }
      add_terms(a.right, from, n, k, t.data(), packed, partial.data() + rows * k);
      thin::tiles(piece.cells, piece.stride, 1, rows, n, std::as_const(t).data(), packed, k,
                  partial.data(), k);
    }
  });
  Matrix back(n_terms(a), k);
  std::copy_n(sums.data() + rows * k, back.size(), back.data());
  std::copy_n(sums.data(), y.size(), y.data());
  subtract_terms(a.left, back, 0, rows, k, y.data(), k);
  for (double& value : y.values()) value *= factor;
}

void across_by_rows(const DenseParts& a, const Matrix& x, Matrix& y, Executor& executor) {
  const Index k = x.cols();
  std::fill(y.values().begin(), y.values().end(), 0.0);
  const thin::Padded<double> padded(x.data(), a.cols, k);
  const Matrix along = along_terms(a.right, x, executor);
  const Partition blocks = Partition::even(a.rows, a.cols * k);
  const Index height = at_once(a.cols, kRowUnit, kMostRows);
  double* to = y.data();
  executor.map(blocks.count(), [&](Index block) {
    const Room formed(height * a.cols);
    for (Index from = blocks.begin(block); from < blocks.end(block); from += height) {
      const Index n = std::min(height, blocks.end(block) - from);
      const Piece piece = a.piece(from, n, 0, a.cols, formed.data());
      thin::tiles(piece.cells, piece.stride, 1, n, a.cols, padded.data(), padded.stride(), k,
                  to + from * k, k);
      subtract_terms(a.left, along, from, n, k, to + from * k, k);
    }
  });
}

void across_by_columns(const DenseParts& a, const Matrix& x, Matrix& y, Executor& executor) {
  const Index k = x.cols();
  const Matrix along = along_terms(a.left, x, executor);
  const Partition units =
      Partition::even((a.cols + kColumnUnit - 1) / kColumnUnit, kColumnUnit * a.rows * k);
  const Index width = at_once(a.rows, kColumnUnit, a.cols + 2 * kColumnUnit);
  const Index room = thin::column_room<double>(width);
  double* to = y.data();
  executor.map(units.count(), [&](Index block) {
    const Room formed(a.rows * width), tt(k * room);
    const Index end = std::min(units.end(block) * kColumnUnit, a.cols);
    for (Index from = units.begin(block) * kColumnUnit; from < end; from += width) {
      const Index n = std::min(width, end - from);
      const Piece piece = a.piece(0, a.rows, from, n, formed.data());
      std::fill_n(tt.data(), k * room, 0.0);
      thin::columns(piece.cells, piece.stride, a.rows, n, x.data(), k, k, tt.data(), room);
      transpose(tt.data(), room, k, n, 1.0, to + from * k, k);
      subtract_terms(a.right, along, from, n, k, to + from * k, k);
    }
  });
}

// y (items x k) += sum over rows r of B of b_r (b_r^T X) factor^2; `t` has room for k values.
GINGHAM_MULTIARCH
void add_sparse_rows(const Index* pointers, const std::int32_t* columns, const double* values,
                     Index begin, Index end, const double* x, Index k, double factor, double* t,
                     double* y) {
  for (Index r = begin; r < end; ++r) {
    for (Index c = 0; c < k; ++c) t[c] = 0.0;
    for (Index e = pointers[r]; e < pointers[r + 1]; ++e) {
      const double value = values[e] * factor;
      const double* from = x + columns[e] * k;
      for (Index c = 0; c < k; ++c) t[c] += value * from[c];
    }
    for (Index e = pointers[r]; e < pointers[r + 1]; ++e) {
      const double value = values[e] * factor;
      double* to = y + columns[e] * k;
      for (Index c = 0; c < k; ++c) to[c] += value * t[c];
    }
  }
}

}  // namespace

void multiply_squared(const SparseMatrix& b, const Matrix& x, double factor, Matrix& y,
                      Executor& executor) {
  const Index k = x.cols();
  fit(y, b.cols(), k);
  std::fill(y.values().begin(), y.values().end(), 0.0);
  const Partition rows = Partition::weighted(b.pointers());
  sum_blocks(executor, rows.count(), y.values(), [&](Index block, Vec partial) {
    const Room t(k);
    add_sparse_rows(b.pointers().data(), b.columns().data(), b.values().data(), rows.begin(block),
                    rows.end(block), x.data(), k, factor, t.data(), partial.data());
  });
}

void multiply_squared(const DenseParts& a, const Matrix& x, double factor, Matrix& y,
                      Executor& executor) {
  fit(y, std::min(a.rows, a.cols), x.cols());
  if (x.cols() == 0) return;
  a.cols <= a.rows ? squared_by_rows(a, x, factor, y, executor)
                   : squared_by_columns(a, x, factor, y, executor);
}

void multiply_across(const DenseParts& a, const Matrix& x, Matrix& y, Executor& executor) {
  fit(y, std::max(a.rows, a.cols), x.cols());
  if (x.cols() == 0) return;
  a.cols <= a.rows ? across_by_rows(a, x, y, executor) : across_by_columns(a, x, y, executor);
}

}  // namespace gingham
