#include "gingham/kernels/row_lines.hpp"

#include "gingham/kernels/isa.hpp"

namespace gingham {
namespace {

// Four values at any address.
template <class T>
struct Four;
template <>
struct Four<double> {
  typedef double Values __attribute__((vector_size(32), aligned(8), may_alias));
  typedef std::int64_t Places __attribute__((vector_size(32)));
};
template <>
struct Four<float> {
  typedef float Values __attribute__((vector_size(16), aligned(4), may_alias));
  typedef std::int32_t Places __attribute__((vector_size(16)));
};

template <class T>
GINGHAM_INLINE void turn(const T* a, const T* b, const T* c, const T* d, T* w, T* x, T* y, T* z) {
  using V = typename Four<T>::Values;
  using P = typename Four<T>::Places;
  const V& in_a = *reinterpret_cast<const V*>(a);
  const V& in_b = *reinterpret_cast<const V*>(b);
  const V& in_c = *reinterpret_cast<const V*>(c);
  const V& in_d = *reinterpret_cast<const V*>(d);
  const V ab_low = __builtin_shuffle(in_a, in_b, P{0, 4, 1, 5});
  const V ab_high = __builtin_shuffle(in_a, in_b, P{2, 6, 3, 7});
  const V cd_low = __builtin_shuffle(in_c, in_d, P{0, 4, 1, 5});
  const V cd_high = __builtin_shuffle(in_c, in_d, P{2, 6, 3, 7});
  *reinterpret_cast<V*>(w) = __builtin_shuffle(ab_low, cd_low, P{0, 1, 4, 5});
  *reinterpret_cast<V*>(x) = __builtin_shuffle(ab_low, cd_low, P{2, 3, 6, 7});
  *reinterpret_cast<V*>(y) = __builtin_shuffle(ab_high, cd_high, P{0, 1, 4, 5});
  *reinterpret_cast<V*>(z) = __builtin_shuffle(ab_high, cd_high, P{2, 3, 6, 7});
}

template <class T>
GINGHAM_INLINE void to_lines(const T* rows, Index k, const Index* items, Index n, T* lines,
                             Index stride) {
  Index r = 0;
  for (; r + 4 <= n; r += 4) {
    const T *a = rows + items[r] * k, *b = rows + items[r + 1] * k;
    const T *c = rows + items[r + 2] * k, *d = rows + items[r + 3] * k;
    Index e = 0;
    for (; e + 4 <= k; e += 4) {
      T* to = lines + e * stride + r;
      turn(a + e, b + e, c + e, d + e, to, to + stride, to + 2 * stride, to + 3 * stride);
    }
    for (; e < k; ++e) {
      T* to = lines + e * stride + r;
      to[0] = a[e];
      to[1] = b[e];
      to[2] = c[e];
      to[3] = d[e];
    }
  }
  for (; r < n; ++r) {
    const T* row = rows + items[r] * k;
    for (Index e = 0; e < k; ++e) lines[e * stride + r] = row[e];
  }
}

template <class T>
GINGHAM_INLINE void to_rows(const T* lines, Index stride, Index k, const Index* items, Index n,
                            T* rows) {
  Index r = 0;
  for (; r + 4 <= n; r += 4) {
    T *a = rows + items[r] * k, *b = rows + items[r + 1] * k;
    T *c = rows + items[r + 2] * k, *d = rows + items[r + 3] * k;
    Index e = 0;
    for (; e + 4 <= k; e += 4) {
      const T* from = lines + e * stride + r;
      turn(from, from + stride, from + 2 * stride, from + 3 * stride, a + e, b + e, c + e, d + e);
    }
    for (; e < k; ++e) {
      const T* from = lines + e * stride + r;
      a[e] = from[0];
      b[e] = from[1];
      c[e] = from[2];
      d[e] = from[3];
    }
  }
  for (; r < n; ++r) {
    T* row = rows + items[r] * k;
    for (Index e = 0; e < k; ++e) row[e] = lines[e * stride + r];
  }
}

}  // namespace

GINGHAM_MULTIARCH void rows_to_lines(const double* rows, Index k, const Index* items, Index n,
                                     double* lines, Index stride) {
  to_lines(rows, k, items, n, lines, stride);
}
GINGHAM_MULTIARCH void rows_to_lines(const float* rows, Index k, const Index* items, Index n,
                                     float* lines, Index stride) {
  to_lines(rows, k, items, n, lines, stride);
}
void rows_to_lines(const float* rows, Index k, const Index* items, Index n, double* lines,
                   Index stride) {
  for (Index r = 0; r < n; ++r) {
    const float* row = rows + items[r] * k;
    for (Index e = 0; e < k; ++e) lines[e * stride + r] = static_cast<double>(row[e]);
  }
}

GINGHAM_MULTIARCH void lines_to_rows(const double* lines, Index stride, Index k, const Index* items,
                                     Index n, double* rows) {
  to_rows(lines, stride, k, items, n, rows);
}
GINGHAM_MULTIARCH void lines_to_rows(const float* lines, Index stride, Index k, const Index* items,
                                     Index n, float* rows) {
  to_rows(lines, stride, k, items, n, rows);
}
void lines_to_rows(const double* lines, Index stride, Index k, const Index* items, Index n,
                   float* rows) {
  for (Index r = 0; r < n; ++r) {
    float* row = rows + items[r] * k;
    for (Index e = 0; e < k; ++e) row[e] = static_cast<float>(lines[e * stride + r]);
  }
}

}  // namespace gingham
