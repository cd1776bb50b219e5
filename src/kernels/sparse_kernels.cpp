#include "gingham/kernels/sparse_kernels.hpp"

#include <algorithm>

#include "gingham/kernels/lanes.hpp"

namespace gingham::sparse {
namespace {

using lanes::half;
using lanes::Half;
using lanes::kHalf;

constexpr int kMaxVectors = 8;

// One row of the result: NV vectors of it, even and odd entries summed apart so that the sums do
// not wait for each other. Nothing is asked for ahead: rows of X for different entries do not
// depend on each other, so the machine runs ahead by itself.
template <int NV, class T>
GINGHAM_INLINE void thin_row(const std::int32_t* column, const double* value, Index begin,
                             Index end, const T* x, Index stride, Index k, T* y) {
  using V = Half<T>;
  constexpr Index kW = kHalf<T>;
  V even[NV] = {}, odd[NV] = {};
  Index e = begin;
  for (; e + 2 <= end; e += 2) {
    const T* left = x + column[e] * stride;
    const T* right = x + column[e + 1] * stride;
    const T l = static_cast<T>(value[e]);
    const T r = static_cast<T>(value[e + 1]);
    GINGHAM_UNROLL
    for (int n = 0; n < NV; ++n) {
      even[n] += half(left + n * kW) * l;
      odd[n] += half(right + n * kW) * r;
    }
  }
  if (e < end) {
    const T* left = x + column[e] * stride;
    const T l = static_cast<T>(value[e]);
    GINGHAM_UNROLL
    for (int n = 0; n < NV; ++n) even[n] += half(left + n * kW) * l;
  }
  GINGHAM_UNROLL
  for (int n = 0; n < NV; ++n) {
    const V sum = even[n] + odd[n];
    if (k >= (n + 1) * kW) {
      half(y + n * kW) = sum;
    } else {
      T part[kW];
      half(part) = sum;
      for (Index c = n * kW; c < k; ++c) y[c] = part[c - n * kW];
    }
  }
}

template <int NV, class T>
GINGHAM_INLINE void thin_part(const Index* pointers, const std::int32_t* column,
                              const double* value, Index begin, Index end, const T* x, Index stride,
                              Index k, T* y, Index y_stride) {
  for (Index i = begin; i < end; ++i) {
    thin_row<NV>(column, value, pointers[i], pointers[i + 1], x, stride, k, y + i * y_stride);
  }
}

// All columns of X, in slices of at most kMaxVectors vectors.
template <class T>
GINGHAM_INLINE void thin(const Index* pointers, const std::int32_t* column, const double* value,
                         Index begin, Index end, const T* x, Index stride, Index k, T* y) {
  constexpr Index kW = kHalf<T>;
  for (Index from = 0; from < k; from += kMaxVectors * kW) {
    const Index width = std::min<Index>(k - from, kMaxVectors * kW);
    switch ((width + kW - 1) / kW) {
      case 1:
        thin_part<1>(pointers, column, value, begin, end, x + from, stride, width, y + from, k);
        break;
      case 2:
        thin_part<2>(pointers, column, value, begin, end, x + from, stride, width, y + from, k);
        break;
      case 3:
        thin_part<3>(pointers, column, value, begin, end, x + from, stride, width, y + from, k);
        break;
      case 4:
        thin_part<4>(pointers, column, value, begin, end, x + from, stride, width, y + from, k);
        break;
      case 5:
        thin_part<5>(pointers, column, value, begin, end, x + from, stride, width, y + from, k);
        break;
      case 6:
        thin_part<6>(pointers, column, value, begin, end, x + from, stride, width, y + from, k);
        break;
      case 7:
        thin_part<7>(pointers, column, value, begin, end, x + from, stride, width, y + from, k);
        break;
      default:
        thin_part<8>(pointers, column, value, begin, end, x + from, stride, width, y + from, k);
        break;
    }
  }
}

GINGHAM_MULTIARCH void thin_double(const Index* pointers, const std::int32_t* column,
                                   const double* value, Index begin, Index end, const double* x,
                                   Index stride, Index k, double* y) {
  thin(pointers, column, value, begin, end, x, stride, k, y);
}
GINGHAM_MULTIARCH void thin_float(const Index* pointers, const std::int32_t* column,
                                  const double* value, Index begin, Index end, const float* x,
                                  Index stride, Index k, float* y) {
  thin(pointers, column, value, begin, end, x, stride, k, y);
}

}  // namespace

// Four sums per row, so that additions do not wait for each other; gathers by vector instructions
// are not faster than plain loads.
void row_dots(const SparseMatrix& a, const Index* pointers, Index begin, Index end, const double* x,
              double* y) {
  const std::int32_t* column = a.columns().data();
  const double* value = a.values().data();
  for (Index i = begin; i < end; ++i) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    Index e = pointers[i];
    const Index stop = pointers[i + 1];
    for (; e + 4 <= stop; e += 4) {
      s0 += value[e] * x[column[e]];
      s1 += value[e + 1] * x[column[e + 1]];
      s2 += value[e + 2] * x[column[e + 2]];
      s3 += value[e + 3] * x[column[e + 3]];
    }
    for (; e < stop; ++e) s0 += value[e] * x[column[e]];
    y[i] = (s0 + s1) + (s2 + s3);
  }
}

void thin_rows(const SparseMatrix& a, const Index* pointers, Index begin, Index end,
               const double* x, Index stride, Index k, double* y) {
  thin_double(pointers, a.columns().data(), a.values().data(), begin, end, x, stride, k, y);
}
void thin_rows(const SparseMatrix& a, const Index* pointers, Index begin, Index end, const float* x,
               Index stride, Index k, float* y) {
  thin_float(pointers, a.columns().data(), a.values().data(), begin, end, x, stride, k, y);
}

}  // namespace gingham::sparse
