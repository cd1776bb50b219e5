// Loops over rows that are padded with zeros to whole vectors, for functions marked
// GINGHAM_MULTIARCH to inline. Sums in a fixed order of lanes.
#pragma once
#include "gingham/kernels/lanes.hpp"

namespace gingham::padded {

using lanes::kWide;
using lanes::wide;
using lanes::Wide;

template <class T>
GINGHAM_INLINE T dot(const T* a, const T* b, Index stride) {
  constexpr Index kW = kWide<T>;
  Wide<T> even = {}, odd = {};
  Index t = 0;
  for (; t + 2 * kW <= stride; t += 2 * kW) {
    even += wide(a + t) * wide(b + t);
    odd += wide(a + t + kW) * wide(b + t + kW);
  }
  if (t < stride) even += wide(a + t) * wide(b + t);
  even += odd;
  return lanes::total<T>(even);
}

// Four rows, `stride` apart, with b.
template <class T>
GINGHAM_INLINE void four_dots(const T* rows, Index stride, const T* b, T* out) {
  constexpr Index kW = kWide<T>;
  constexpr int kRows = 4;
  Wide<T> even[kRows] = {}, odd[kRows] = {};
  Index t = 0;
  for (; t + 2 * kW <= stride; t += 2 * kW) {
    GINGHAM_UNROLL
    for (int r = 0; r < kRows; ++r) {
      even[r] += wide(rows + r * stride + t) * wide(b + t);
      odd[r] += wide(rows + r * stride + t + kW) * wide(b + t + kW);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    if (t < stride) even[r] += wide(rows + r * stride + t) * wide(b + t);
    even[r] += odd[r];
    out[r] = lanes::total<T>(even[r]);
  }
}

// y += factor x
template <class T>
GINGHAM_INLINE void add_multiple(T factor, const T* x, T* y, Index stride) {
  for (Index t = 0; t < stride; t += kWide<T>) wide(y + t) += wide(x + t) * factor;
}

// The sum of squares, added up in double.
template <class T>
inline double squares(const T* x, Index n) {
  double total = 0.0;
  for (Index t = 0; t < n; ++t) total += static_cast<double>(x[t]) * x[t];
  return total;
}

}  // namespace gingham::padded
