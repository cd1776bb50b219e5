// Short vectors for the hot loops: without -ffast-math the compiler may not reorder a sum, so sums
// are written as several lanes added up in a fixed order. The bits of a result then depend on the
// data alone.
//
// Wide<T> fills 64 bytes, Half<T> 32. Both may lie at any address that is right for T. They are
// used through references and pointers, never passed by value: baseline code has no registers of
// that size.
#pragma once
#include "gingham/base/index.hpp"
#include "gingham/kernels/isa.hpp"

namespace gingham::lanes {

template <class T>
struct Types;
template <>
struct Types<double> {
  typedef double Wide __attribute__((vector_size(64), aligned(8), may_alias));
  typedef double Half __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct Types<float> {
  typedef float Wide __attribute__((vector_size(64), aligned(4), may_alias));
  typedef float Half __attribute__((vector_size(32), aligned(4), may_alias));
};
template <class T>
using Wide = typename Types<T>::Wide;
template <class T>
using Half = typename Types<T>::Half;

template <class T>
inline constexpr Index kWide = 64 / sizeof(T);
template <class T>
inline constexpr Index kHalf = 32 / sizeof(T);

template <class T>
GINGHAM_INLINE const Wide<T>& wide(const T* p) {
  return *reinterpret_cast<const Wide<T>*>(p);
}
template <class T>
GINGHAM_INLINE Wide<T>& wide(T* p) {
  return *reinterpret_cast<Wide<T>*>(p);
}
template <class T>
GINGHAM_INLINE const Half<T>& half(const T* p) {
  return *reinterpret_cast<const Half<T>*>(p);
}
template <class T>
GINGHAM_INLINE Half<T>& half(T* p) {
  return *reinterpret_cast<Half<T>*>(p);
}

// The lanes of v added up pairwise: halves, quarters, and so on. In registers: through memory this
// costs more than a sum over a short row.
template <class T>
GINGHAM_INLINE T total(const Wide<T>& v) {
  if constexpr (kWide<T> == 8) {
    const auto a =
        __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
    const auto b = __builtin_shufflevector(a, a, 0, 1) + __builtin_shufflevector(a, a, 2, 3);
    return b[0] + b[1];
  } else {
    const auto a = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                   __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
    const auto b =
        __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
    const auto c = __builtin_shufflevector(b, b, 0, 1) + __builtin_shufflevector(b, b, 2, 3);
    return c[0] + c[1];
  }
}

}  // namespace gingham::lanes
