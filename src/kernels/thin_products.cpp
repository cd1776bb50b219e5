#include "gingham/kernels/thin_products.hpp"

#include <algorithm>
#include <optional>

#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/cut_items.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/sparse_kernels.hpp"
#include "gingham/kernels/thin_kernels.hpp"

namespace gingham {
namespace thin {
namespace {

constexpr Index kBlasFrom = 64;    // columns of X from which a general product is as good
constexpr Index kStripeUnit = 16;  // columns of A; stripes are cut at multiples of it
constexpr Index kRowUnit = 16;     // rows of A; keeps the partial sums below the work
constexpr Index kEnoughStripes = 8;

// Y_part += A_part X for `rows` rows of A; Y_part is zero at first.
template <class T>
void add_product(const T* a, Index stride, Index rows, Index cols, const T* x, Index x_stride,
                 Index k, T* y) {
  if (k >= kBlasFrom) {
    gemm(Op::none, Op::none, rows, k, cols, T{1}, a, stride, x, x_stride, T{1}, y, k);
  } else {
    tiles(a, stride, 1, rows, cols, x, x_stride, k, y, k);
  }
}

// Y = A_part^T X for `cols` columns of A.
template <class T>
void transposed_part(const T* a, Index stride, Index rows, Index cols, const T* x, Index k, T* y) {
  if (k >= kBlasFrom) {
    gemm(Op::transpose, Op::none, cols, k, rows, T{1}, a, stride, x, k, T{0}, y, k);
    return;
  }
  const Index room = column_room<T>(cols);
  Array<T> yt(k * room);
  columns(a, stride, rows, cols, x, k, k, yt.data(), room);
  const T* from = std::as_const(yt).data();
  for (Index j = 0; j < cols; ++j) {
    for (Index c = 0; c < k; ++c) y[j * k + c] = from[c * room + j];
  }
}

}  // namespace

template <class T>
Padded<T>::Padded(const T* x, Index rows, Index k, Index unit)
    : data_(x), stride_((k + unit - 1) / unit * unit) {
  if (stride_ == k) return;
  copy_ = Array<T>(checked_mul(rows, stride_, "padded matrix"));
  T* to = copy_.data();
  for (Index i = 0; i < rows; ++i) std::copy_n(x + i * k, k, to + i * stride_);
  data_ = to;
}

template <class T>
void multiply(const T* a, Index stride, Index rows, Index cols, const T* x, Index k, T* y,
              Executor& executor) {
  if (k == 0) return;
  std::fill_n(y, rows * k, T{0});
  const bool by_blas = k >= kBlasFrom;
  std::optional<BlasSingleThread> single;
  if (by_blas) single.emplace();
  const Padded<T> padded(x, by_blas ? 0 : cols, k);
  const T* panel = by_blas ? x : padded.data();
  const Index x_stride = by_blas ? k : padded.stride();
  const Partition blocks = Partition::even(rows, cols * k);
  const Partition pieces = Partition::even(cols, rows * k, rows * k);
  if (blocks.count() == 1 && pieces.count() > 1) {  // few, long rows
    sum_blocks(executor, pieces.count(), std::span<T>(y, static_cast<std::size_t>(rows * k)),
               [&](Index block, std::span<T> partial) {
                 const Index from = pieces.begin(block);
                 add_product(a + from, stride, rows, pieces.end(block) - from,
                             panel + from * x_stride, x_stride, k, partial.data());
               });
    return;
  }
  executor.map(blocks.count(), [&](Index block) {
    const Index from = blocks.begin(block);
    add_product(a + from * stride, stride, blocks.end(block) - from, cols, panel, x_stride, k,
                y + from * k);
  });
}

template <class T>
void multiply_transposed(const T* a, Index stride, Index rows, Index cols, const T* x, Index k,
                         T* y, Executor& executor) {
  if (k == 0) return;
  std::optional<BlasSingleThread> single;
  if (k >= kBlasFrom) single.emplace();
  const Partition stripes =
      Partition::even((cols + kStripeUnit - 1) / kStripeUnit, kStripeUnit * rows * k);
  const Partition heights =
      Partition::even((rows + kRowUnit - 1) / kRowUnit, kRowUnit * cols * k, cols * k);
  if (stripes.count() >= std::min(kEnoughStripes, heights.count())) {
    executor.map(stripes.count(), [&](Index block) {
      const Index from = stripes.begin(block) * kStripeUnit;
      const Index to = std::min(stripes.end(block) * kStripeUnit, cols);
      transposed_part(a + from, stride, rows, to - from, x, k, y + from * k);
    });
    return;
  }
  std::fill_n(y, cols * k, T{0});
  sum_blocks(executor, heights.count(), std::span<T>(y, static_cast<std::size_t>(cols * k)),
             [&](Index block, std::span<T> partial) {
               const Index from = heights.begin(block) * kRowUnit;
               const Index to = std::min(heights.end(block) * kRowUnit, rows);
               transposed_part(a + from * stride, stride, to - from, cols, x + from * k, k,
                               partial.data());
             });
}

template class Padded<double>;
template class Padded<float>;
template void multiply(const double*, Index, Index, Index, const double*, Index, double*,
                       Executor&);
template void multiply(const float*, Index, Index, Index, const float*, Index, float*, Executor&);
template void multiply_transposed(const double*, Index, Index, Index, const double*, Index, double*,
                                  Executor&);
template void multiply_transposed(const float*, Index, Index, Index, const float*, Index, float*,
                                  Executor&);

}  // namespace thin

namespace {

template <class T>
void prepare(Index inner, const DenseMatrix<T>& x, Index rows, DenseMatrix<T>& y) {
  if (x.rows() != inner) {
    throw Error(
        ErrorCode::internal, "",
        "product: X has " + std::to_string(x.rows()) + " rows, expected " + std::to_string(inner));
  }
  if (y.rows() != rows || y.cols() != x.cols()) y = DenseMatrix<T>(rows, x.cols());
}

template <class T>
void dense_multiply(const DenseMatrix<T>& a, const DenseMatrix<T>& x, DenseMatrix<T>& y,
                    Executor& executor) {
  prepare(a.cols(), x, a.rows(), y);
  thin::multiply(a.data(), a.cols(), a.rows(), a.cols(), x.data(), x.cols(), y.data(), executor);
}

template <class T>
void dense_multiply_transposed(const DenseMatrix<T>& a, const DenseMatrix<T>& x, DenseMatrix<T>& y,
                               Executor& executor) {
  prepare(a.rows(), x, a.cols(), y);
  thin::multiply_transposed(a.data(), a.cols(), a.rows(), a.cols(), x.data(), x.cols(), y.data(),
                            executor);
}

template <class T>
void sparse_multiply(const SparseMatrix& a, const DenseMatrix<T>& x, DenseMatrix<T>& y,
                     Executor& executor) {
  prepare(a.cols(), x, a.rows(), y);
  if (x.cols() == 0) return;
  const thin::Padded<T> panel(x.data(), x.rows(), x.cols());
  const auto run = [&](const Index* pointers, Index begin, Index end, T* out) {
    sparse::thin_rows(a, pointers, begin, end, panel.data(), panel.stride(), x.cols(), out);
  };
  CutItems(a.pointers(), x.cols()).map(x.cols(), y.data(), run, executor);
}

const SparseMatrix& sparse_of(const Block& block) {
  if (!block.is_matrix()) {
    throw Error(ErrorCode::internal, block.name(), "a product needs a matrix, not a tensor");
  }
  return *block.sparse_matrix();
}

}  // namespace

void multiply(const Matrix& a, const Matrix& x, Matrix& y, Executor& executor) {
  dense_multiply(a, x, y, executor);
}
void multiply(const MatrixF& a, const MatrixF& x, MatrixF& y, Executor& executor) {
  dense_multiply(a, x, y, executor);
}
void multiply(const SparseMatrix& a, const Matrix& x, Matrix& y, Executor& executor) {
  sparse_multiply(a, x, y, executor);
}
void multiply(const SparseMatrix& a, const MatrixF& x, MatrixF& y, Executor& executor) {
  sparse_multiply(a, x, y, executor);
}
void multiply(const Block& a, const Matrix& x, Matrix& y, Executor& executor) {
  if (const Matrix* dense = a.dense_matrix()) return multiply(*dense, x, y, executor);
  multiply(sparse_of(a), x, y, executor);
}

void multiply_transposed(const Matrix& a, const Matrix& x, Matrix& y, Executor& executor) {
  dense_multiply_transposed(a, x, y, executor);
}
void multiply_transposed(const MatrixF& a, const MatrixF& x, MatrixF& y, Executor& executor) {
  dense_multiply_transposed(a, x, y, executor);
}
void multiply_transposed(const SparseMatrix& a, const Matrix& x, Matrix& y, Executor& executor) {
  sparse_multiply(a.transposed(), x, y, executor);
}
void multiply_transposed(const SparseMatrix& a, const MatrixF& x, MatrixF& y, Executor& executor) {
  sparse_multiply(a.transposed(), x, y, executor);
}
void multiply_transposed(const Block& a, const Matrix& x, Matrix& y, Executor& executor) {
  if (const Matrix* dense = a.dense_matrix()) return multiply_transposed(*dense, x, y, executor);
  multiply_transposed(sparse_of(a), x, y, executor);
}

}  // namespace gingham
