// The dense products that go to OpenBLAS, always on one thread: the blocks around them are what
// runs in parallel, and OpenBLAS threads inside our own threads cost a factor of ten.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham {

// While any of these lives, OpenBLAS uses one thread; when the last one ends, the number of threads
// that was set before the first is set again. May be nested and held by several threads at once.
class BlasSingleThread {
 public:
  BlasSingleThread();
  ~BlasSingleThread();
  BlasSingleThread(const BlasSingleThread&) = delete;
  BlasSingleThread& operator=(const BlasSingleThread&) = delete;
};

enum class Op { none, transpose };

// C = alpha op(A) op(B) + beta C; op(A) is m x k, op(B) is k x n, all row by row with the given
// distances between rows. With beta = 0 the old C is not read. The caller holds a BlasSingleThread.
// Throws Error{internal} for sizes beyond 32 bits.
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, double alpha, const double* a,
          Index stride_a, const double* b, Index stride_b, double beta, double* c, Index stride_c);
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, float alpha, const float* a, Index stride_a,
          const float* b, Index stride_b, float beta, float* c, Index stride_c);

}  // namespace gingham
