#include "gingham/kernels/columns.hpp"

#include <algorithm>

#include "gingham/kernels/isa.hpp"

namespace gingham {
namespace {

template <class T>
GINGHAM_INLINE void add_products(const T* y, Index width, const T* f, Index f_width, Index n,
                                 double* sums) {
  for (Index i = 0; i < n; ++i) {
    const T *own = y + i * width, *other = f + i * f_width;
    for (Index k = 0; k < width; ++k)
      sums[k] += static_cast<double>(own[k]) * static_cast<double>(other[k]);
  }
}
GINGHAM_MULTIARCH void add(const double* y, Index width, const double* f, Index f_width, Index n,
                           double* sums) {
  add_products(y, width, f, f_width, n, sums);
}
GINGHAM_MULTIARCH void add(const float* y, Index width, const float* f, Index f_width, Index n,
                           double* sums) {
  add_products(y, width, f, f_width, n, sums);
}

template <class T>
GINGHAM_INLINE void scale_rows(const double* by, double low, double high, Index width, Index n,
                               T* m) {
  for (Index i = 0; i < n; ++i) {
    T* row = m + i * width;
    for (Index k = 0; k < width; ++k) {
      double value = static_cast<double>(row[k]) * by[k];
      value = value > low ? value : low;
      row[k] = static_cast<T>(value < high ? value : high);
    }
  }
}
GINGHAM_MULTIARCH void scale(const double* by, double low, double high, Index width, Index n,
                             double* m) {
  scale_rows(by, low, high, width, n, m);
}
GINGHAM_MULTIARCH void scale(const double* by, double low, double high, Index width, Index n,
                             float* m) {
  scale_rows(by, low, high, width, n, m);
}

template <class T>
std::vector<double> products(const DenseMatrix<T>& y, const DenseMatrix<T>& f, Index first,
                             Executor& executor) {
  if (y.rows() != f.rows() || first + y.cols() != f.cols())
    throw Error(ErrorCode::internal, "", "column products: the sizes differ");
  std::vector<double> sums(static_cast<std::size_t>(y.cols()), 0.0);
  const Partition blocks = Partition::even(y.rows(), y.cols(), y.cols());
  sum_blocks(executor, blocks.count(), std::span<double>(sums), [&](Index block, Vec partial) {
    const Index begin = blocks.begin(block);
    add(y.data() + begin * y.cols(), y.cols(), f.data() + begin * f.cols() + first, f.cols(),
        blocks.end(block) - begin, partial.data());
  });
  return sums;
}

template <class T>
void scale_all(ConstVec by, double low, double high, DenseMatrix<T>& m, Executor& executor) {
  if (std::ssize(by) != m.cols())
    throw Error(ErrorCode::internal, "", "scaled columns: one number per column is needed");
  const Partition blocks = Partition::even(m.rows(), m.cols());
  T* values = m.data();
  executor.map(blocks.count(), [&](Index block) {
    const Index begin = blocks.begin(block);
    scale(by.data(), low, high, m.cols(), blocks.end(block) - begin, values + begin * m.cols());
  });
}

}  // namespace

std::vector<double> column_products(const Matrix& y, const Matrix& f, Index first,
                                    Executor& executor) {
  return products(y, f, first, executor);
}
std::vector<double> column_products(const MatrixF& y, const MatrixF& f, Index first,
                                    Executor& executor) {
  return products(y, f, first, executor);
}

void scale_columns(ConstVec by, double low, double high, Matrix& m, Executor& executor) {
  scale_all(by, low, high, m, executor);
}
void scale_columns(ConstVec by, double low, double high, MatrixF& m, Executor& executor) {
  scale_all(by, low, high, m, executor);
}

}  // namespace gingham
