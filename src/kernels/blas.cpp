#include "gingham/kernels/blas.hpp"

#include <cblas.h>

#include <algorithm>
#include <mutex>

namespace gingham {
namespace {

std::mutex guard_mutex;
int guards = 0;
int threads_before = 1;

// cblas refuses a distance of 0 between rows even where there are no rows.
int checked(Index size) {
  if (size < 0 || size > std::numeric_limits<int>::max()) {
    throw Error(ErrorCode::internal, "", "a block of a matrix product is beyond 32 bits");
  }
  return static_cast<int>(size);
}
int checked_stride(Index stride) { return checked(std::max<Index>(stride, 1)); }

CBLAS_TRANSPOSE code(Op op) { return op == Op::none ? CblasNoTrans : CblasTrans; }

}  // namespace

BlasSingleThread::BlasSingleThread() {
  const std::lock_guard lock(guard_mutex);
  if (guards++ > 0) return;
  threads_before = openblas_get_num_threads();
  if (threads_before != 1) openblas_set_num_threads(1);
}

BlasSingleThread::~BlasSingleThread() {
  const std::lock_guard lock(guard_mutex);
  if (--guards == 0 && threads_before != 1) openblas_set_num_threads(threads_before);
}

void gemm(Op op_a, Op op_b, Index m, Index n, Index k, double alpha, const double* a,
          Index stride_a, const double* b, Index stride_b, double beta, double* c, Index stride_c) {
  if (m == 0 || n == 0) return;
  cblas_dgemm(CblasRowMajor, code(op_a), code(op_b), checked(m), checked(n), checked(k), alpha, a,
              checked_stride(stride_a), b, checked_stride(stride_b), beta, c,
              checked_stride(stride_c));
}

void gemm(Op op_a, Op op_b, Index m, Index n, Index k, float alpha, const float* a, Index stride_a,
          const float* b, Index stride_b, float beta, float* c, Index stride_c) {
  if (m == 0 || n == 0) return;
  cblas_sgemm(CblasRowMajor, code(op_a), code(op_b), checked(m), checked(n), checked(k), alpha, a,
              checked_stride(stride_a), b, checked_stride(stride_b), beta, c,
              checked_stride(stride_c));
}

}  // namespace gingham
