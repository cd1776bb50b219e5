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
  typedef std::int64_t WideMask __attribute__((vector_size(64), aligned(8), may_alias));
};
template <>
struct Types<float> {
  typedef float Wide __attribute__((vector_size(64), aligned(4), may_alias));
  typedef float Half __attribute__((vector_size(32), aligned(4), may_alias));
  typedef std::int32_t WideMask __attribute__((vector_size(64), aligned(4), may_alias));
};
template <class T>
using Wide = typename Types<T>::Wide;
template <class T>
using Half = typename Types<T>::Half;
template <class T>
using WideMask = typename Types<T>::WideMask;

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

// The lanes of v added up pairwise: halves, quarters, and so on.
template <class T>
GINGHAM_INLINE T total(const Wide<T>& v) {
  T part[kWide<T>];
  wide(part) = v;
  for (Index width = kWide<T> / 2; width > 0; width /= 2) {
    for (Index i = 0; i < width; ++i) part[i] += part[i + width];
  }
  return part[0];
}

}  // namespace gingham::lanes
