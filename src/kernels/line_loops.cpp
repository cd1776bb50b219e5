#include "gingham/kernels/line_loops.hpp"

#include "gingham/kernels/lanes.hpp"

namespace gingham::lines {
namespace {

using V = lanes::Wide<double>;
using lanes::wide;
constexpr Index kW = lanes::kWide<double>;

template <int N>
GINGHAM_INLINE void some_pulls(const double* q, Index rank, Index first, Index n_explaining,
                               const double* f, const double* y, Index stride, Index begin,
                               Index end, double* pull) {
  Index i = begin;
  for (; i + kW <= end; i += kW) {
    V sums[N];
    GINGHAM_UNROLL
    for (int b = 0; b < N; ++b) sums[b] = wide(y + b * stride + i);
    for (Index l = 0; l < n_explaining; ++l) {
      if (l == first) {
        l += N - 1;
        continue;
      }
      const V value = wide(f + l * stride + i);
      GINGHAM_UNROLL
      for (int b = 0; b < N; ++b) sums[b] -= value * q[l * rank + first + b];
    }
    GINGHAM_UNROLL
    for (int b = 0; b < N; ++b) wide(pull + b * stride + i) = sums[b];
  }
  for (; i < end; ++i) {
    for (int b = 0; b < N; ++b) {
      double sum = y[b * stride + i];
      for (Index l = 0; l < n_explaining; ++l) {
        if (l < first || l >= first + N) sum -= f[l * stride + i] * q[l * rank + first + b];
      }
      pull[b * stride + i] = sum;
    }
  }
}

template <int N>
GINGHAM_INLINE void some_residuals(const double* q, Index rank, Index first, const double* f,
                                   const double* y, Index stride, Index begin, Index end,
                                   double* out) {
  for (Index i = begin; i < end; ++i) {
    double sums[N];
    GINGHAM_UNROLL
    for (int b = 0; b < N; ++b) sums[b] = y[(first + b) * stride + i];
    for (Index l = 0; l < rank; ++l) {
      GINGHAM_UNROLL
      for (int b = 0; b < N; ++b) sums[b] -= f[l * stride + i] * q[l * rank + first + b];
    }
    GINGHAM_UNROLL
    for (int b = 0; b < N; ++b) out[(first + b) * stride + i] = sums[b];
  }
}

}  // namespace

GINGHAM_MULTIARCH void pulls(const double* q, Index rank, Index first, Index n, Index n_explaining,
                             const double* f, const double* y, Index stride, Index begin, Index end,
                             double* pull) {
  switch (n) {
    case 1:
      return some_pulls<1>(q, rank, first, n_explaining, f, y, stride, begin, end, pull);
    case 2:
      return some_pulls<2>(q, rank, first, n_explaining, f, y, stride, begin, end, pull);
    case 3:
      return some_pulls<3>(q, rank, first, n_explaining, f, y, stride, begin, end, pull);
    default:
      return some_pulls<4>(q, rank, first, n_explaining, f, y, stride, begin, end, pull);
  }
}

GINGHAM_MULTIARCH void take_away(const double* pull, const double* f, Index stride, const double* q,
                                 Index rank, Index first, Index n, Index k, Index begin, Index end,
                                 double* out) {
  Index i = begin;
  for (; i + kW <= end; i += kW) {
    V sum = wide(pull + i);
    for (Index l = first; l < first + n; ++l) {
      if (l != k) sum -= wide(f + l * stride + i) * q[l * rank + k];
    }
    wide(out + i) = sum;
  }
  for (; i < end; ++i) {
    double sum = pull[i];
    for (Index l = first; l < first + n; ++l) {
      if (l != k) sum -= f[l * stride + i] * q[l * rank + k];
    }
    out[i] = sum;
  }
}

GINGHAM_MULTIARCH void residuals(const double* q, Index rank, const double* f, const double* y,
                                 Index stride, Index begin, Index end, double* out) {
  Index k = 0;
  for (; k + kTogether <= rank; k += kTogether)
    some_residuals<kTogether>(q, rank, k, f, y, stride, begin, end, out);
  for (; k < rank; ++k) some_residuals<1>(q, rank, k, f, y, stride, begin, end, out);
}

GINGHAM_MULTIARCH double change_squares(const double* a, const double* b, Index begin, Index end) {
  V sums = {};
  Index i = begin;
  for (; i + kW <= end; i += kW) {
    const V change = wide(a + i) - wide(b + i);
    sums += change * change;
  }
  double total = lanes::total<double>(sums);
  for (; i < end; ++i) total += (a[i] - b[i]) * (a[i] - b[i]);
  return total;
}

}  // namespace gingham::lines
