// Products of a dense matrix with a thin one on plain memory; products.hpp and contraction.hpp are
// their users. A is rows x cols with `stride` values from row to row; X and Y have k columns and no
// gaps.
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham::thin {

// X with its columns padded by zeros to a multiple of `unit`, so that kernels need not care for the
// rest. Uses X itself where nothing is to pad; X must outlive this.
template <class T>
class Padded {
 public:
  Padded(const T* x, Index rows, Index k, Index unit = 32 / sizeof(T));
  const T* data() const { return data_; }
  Index stride() const { return stride_; }

 private:
  Array<T> copy_;
  const T* data_;
  Index stride_;
};

// Y = A X; X is cols x k, Y is rows x k.
template <class T>
void multiply(const T* a, Index stride, Index rows, Index cols, const T* x, Index k, T* y,
              Executor& executor);

// Y = A^T X; X is rows x k, Y is cols x k.
template <class T>
void multiply_transposed(const T* a, Index stride, Index rows, Index cols, const T* x, Index k,
                         T* y, Executor& executor);

}  // namespace gingham::thin
