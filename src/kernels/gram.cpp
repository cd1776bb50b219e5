#include "gingham/kernels/gram.hpp"

#include <algorithm>
#include <optional>

#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/thin_kernels.hpp"

namespace gingham {
namespace {

constexpr Index kBlasFrom = 64;
constexpr Index kRowsAtATime = 64;  // padded copies of them stay in L1
constexpr Index kRowUnit = 16;      // keeps the partial sums below the work
constexpr Index kBand = 8;  // rows of G computed together; what lies below the diagonal is left out

// g += X^T P, from the diagonal of each band of rows on; P is packed with the given distance
// between rows.
template <class T>
void add_bands(const T* x, Index k, Index rows, const T* packed, Index stride, T* g) {
  for (Index band = 0; band < k; band += kBand) {
    thin::tiles(x + band, 1, k, std::min(kBand, k - band), rows, packed + band, stride, k - band,
                g + band * k + band, k);
  }
}

// g += X^T X for rows [begin, end), upper triangle at least.
template <class T>
void add_gram(const T* x, Index k, Index begin, Index end, T* g) {
  if (k >= kBlasFrom) {
    gemm(Op::transpose, Op::none, k, k, end - begin, T{1}, x + begin * k, k, x + begin * k, k, T{1},
         g, k);
    return;
  }
  const Index stride = thin::packed_width<T>(k);
  if (stride == k) {
    add_bands(x + begin * k, k, end - begin, x + begin * k, stride, g);
    return;
  }
  Array<T> scratch(kRowsAtATime * stride);
  T* padded = scratch.data();
  for (Index top = begin; top < end; top += kRowsAtATime) {
    const Index height = std::min(kRowsAtATime, end - top);
    for (Index i = 0; i < height; ++i) {
      const T* row = x + (top + i) * k;
      std::copy_n(row, k, padded + i * stride);
    }
    add_bands(x + top * k, k, height, std::as_const(scratch).data(), stride, g);
  }
}

template <class T>
void gram_of(const DenseMatrix<T>& x, DenseMatrix<T>& g, Executor& executor) {
  const Index k = x.cols();
  if (g.rows() != k || g.cols() != k) g = DenseMatrix<T>(k, k);
  T* out = g.data();
  std::fill_n(out, k * k, T{0});
  if (k == 0) return;
  std::optional<BlasSingleThread> single;
  if (k >= kBlasFrom) single.emplace();
  const Partition units = Partition::even((x.rows() + kRowUnit - 1) / kRowUnit, kRowUnit * k * k);
  sum_blocks(executor, units.count(), std::span<T>(out, static_cast<std::size_t>(k * k)),
             [&](Index block, std::span<T> partial) {
               add_gram(x.data(), k, units.begin(block) * kRowUnit,
                        std::min(units.end(block) * kRowUnit, x.rows()), partial.data());
             });
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < i; ++j) out[i * k + j] = out[j * k + i];
  }
}

}  // namespace

void gram(const Matrix& x, Matrix& g, Executor& executor) { gram_of(x, g, executor); }
void gram(const MatrixF& x, MatrixF& g, Executor& executor) { gram_of(x, g, executor); }

}  // namespace gingham
