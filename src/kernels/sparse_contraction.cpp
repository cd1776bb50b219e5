#include "gingham/kernels/sparse_contraction.hpp"

#include <algorithm>

#include "gingham/kernels/lanes.hpp"

namespace gingham::sparse {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kW = lanes::kWide<double>;
constexpr int kMaxVectors = 4;

// M other modes, known when compiled; M = 0 stands for any number.
template <int M>
GINGHAM_INLINE double term(const double* value, Index e, const OtherMode* others, int n_others) {
  double product = value[e];
  const int count = M > 0 ? M : n_others;
  GINGHAM_UNROLL
  for (int m = 0; m < count; ++m) product *= others[m].values[others[m].index[e]];
  return product;
}

template <int M>
GINGHAM_INLINE void contract_part(const Index* pointers, const double* value, Index begin,
                                  Index end, const OtherMode* given, int n_others, double* y) {
  OtherMode others[M > 0 ? M : 1];
  for (int m = 0; m < M; ++m) others[m] = given[m];
  const OtherMode* modes = M > 0 ? others : given;
  for (Index i = begin; i < end; ++i) {
    double s0 = 0.0, s1 = 0.0;
    Index e = pointers[i];
    const Index stop = pointers[i + 1];
    for (; e + 2 <= stop; e += 2) {
      s0 += term<M>(value, e, modes, n_others);
      s1 += term<M>(value, e + 1, modes, n_others);
    }
    if (e < stop) s0 += term<M>(value, e, modes, n_others);
    y[i] = s0 + s1;
  }
}

// NV vectors of the result's row i. Even and odd entries are summed apart. Nothing is asked for
// ahead: the rows of different entries do not depend on each other, so the machine runs ahead by
// itself.
template <int M, int NV>
GINGHAM_INLINE void add_entry(const double* value, Index e, const OtherMode* others, int n_others,
                              V* sums) {
  V product[NV];
  const double* row = others[0].values + others[0].index[e] * others[0].stride;
  GINGHAM_UNROLL
  for (int v = 0; v < NV; ++v) product[v] = wide(row + v * kW);
  const int count = M > 0 ? M : n_others;
  GINGHAM_UNROLL
  for (int m = 1; m < count; ++m) {
    row = others[m].values + others[m].index[e] * others[m].stride;
    GINGHAM_UNROLL
    for (int v = 0; v < NV; ++v) product[v] *= wide(row + v * kW);
  }
  GINGHAM_UNROLL
  for (int v = 0; v < NV; ++v) sums[v] += product[v] * value[e];
}

template <int M, int NV>
GINGHAM_INLINE void mttkrp_part(const Index* pointers, const double* value, Index begin, Index end,
                                const OtherMode* given, int n_others, Index k, double* y,
                                Index y_stride) {
  OtherMode others[M > 0 ? M : 1];
  for (int m = 0; m < M; ++m) others[m] = given[m];
  const OtherMode* modes = M > 0 ? others : given;
  for (Index i = begin; i < end; ++i) {
    V even[NV] = {}, odd[NV] = {};
    Index e = pointers[i];
    const Index stop = pointers[i + 1];
    for (; e + 2 <= stop; e += 2) {
      add_entry<M, NV>(value, e, modes, n_others, even);
      add_entry<M, NV>(value, e + 1, modes, n_others, odd);
    }
    if (e < stop) add_entry<M, NV>(value, e, modes, n_others, even);
    double* out = y + i * y_stride;
    GINGHAM_UNROLL
    for (int v = 0; v < NV; ++v) {
      const V sum = even[v] + odd[v];
      if (k >= (v + 1) * kW) {
        wide(out + v * kW) = sum;
      } else {
        double part[kW];
        wide(part) = sum;
        for (Index c = v * kW; c < k; ++c) out[c] = part[c - v * kW];
      }
    }
  }
}

template <int M>
GINGHAM_INLINE void mttkrp_slice(const Index* pointers, const double* value, Index begin, Index end,
                                 const OtherMode* others, int n, Index k, double* y, Index stride) {
  switch ((k + kW - 1) / kW) {
    case 1:
      mttkrp_part<M, 1>(pointers, value, begin, end, others, n, k, y, stride);
      break;
    case 2:
      mttkrp_part<M, 2>(pointers, value, begin, end, others, n, k, y, stride);
      break;
    case 3:
      mttkrp_part<M, 3>(pointers, value, begin, end, others, n, k, y, stride);
      break;
    default:
      mttkrp_part<M, 4>(pointers, value, begin, end, others, n, k, y, stride);
      break;
  }
}

GINGHAM_MULTIARCH void slice_of_1(const Index* pointers, const double* value, Index begin,
                                  Index end, const OtherMode* others, Index k, double* y,
                                  Index stride) {
  mttkrp_slice<1>(pointers, value, begin, end, others, 1, k, y, stride);
}
GINGHAM_MULTIARCH void slice_of_2(const Index* pointers, const double* value, Index begin,
                                  Index end, const OtherMode* others, Index k, double* y,
                                  Index stride) {
  mttkrp_slice<2>(pointers, value, begin, end, others, 2, k, y, stride);
}
GINGHAM_MULTIARCH void slice_of_any(const Index* pointers, const double* value, Index begin,
                                    Index end, const OtherMode* others, int n, Index k, double* y,
                                    Index stride) {
  mttkrp_slice<0>(pointers, value, begin, end, others, n, k, y, stride);
}

}  // namespace

void contract_items(const SparseTensor::Grouped& x, const Index* pointers, Index begin, Index end,
                    std::span<const OtherMode> others, double* y) {
  const double* value = x.values.data();
  const int n = static_cast<int>(others.size());
  switch (n) {
    case 1:
      contract_part<1>(pointers, value, begin, end, others.data(), n, y);
      break;
    case 2:
      contract_part<2>(pointers, value, begin, end, others.data(), n, y);
      break;
    case 3:
      contract_part<3>(pointers, value, begin, end, others.data(), n, y);
      break;
    default:
      contract_part<0>(pointers, value, begin, end, others.data(), n, y);
      break;
  }
}

void mttkrp_items(const SparseTensor::Grouped& x, const Index* pointers, Index begin, Index end,
                  std::span<const OtherMode> others, Index k, double* y) {
  const double* value = x.values.data();
  std::vector<OtherMode> slice(others.begin(), others.end());
  for (Index from = 0; from < k; from += kMaxVectors * kW) {
    const Index width = std::min(k - from, kMaxVectors * kW);
    if (slice.size() == 1) {
      slice_of_1(pointers, value, begin, end, slice.data(), width, y + from, k);
    } else if (slice.size() == 2) {
      slice_of_2(pointers, value, begin, end, slice.data(), width, y + from, k);
    } else {
      slice_of_any(pointers, value, begin, end, slice.data(), static_cast<int>(slice.size()), width,
                   y + from, k);
    }
    for (OtherMode& mode : slice) mode.values += kMaxVectors * kW;
  }
}

}  // namespace gingham::sparse
