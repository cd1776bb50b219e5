#include "gingham/kernels/atoms.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/lanes.hpp"

namespace gingham {
namespace {

using lanes::half;
using lanes::Half;
using lanes::kHalf;
using lanes::kWide;

constexpr int kSliceVectors = 6;  // atoms of a slice: six vectors of 32 bytes
constexpr int kTileRows = 4;      // 4 x 6 sums fill 24 of 32 registers
constexpr Index kPanel = 128;     // terms of a slice that stay in L1: 24 KB
template <class T>
constexpr Index kSlice = kSliceVectors* kHalf<T>;

// R rows times NV vectors of atoms over n terms; added to what is there unless `is_first`.
template <int R, int NV, class T>
GINGHAM_INLINE void tile(const T* rows, Index stride, const T* slice, Index n, bool is_first,
                         T* out, Index width) {
  constexpr Index kW = kHalf<T>;
  Half<T> sums[R][NV] = {};
  for (Index t = 0; t < n; ++t) {
    Half<T> atoms[NV];
    GINGHAM_UNROLL
    for (int v = 0; v < NV; ++v) atoms[v] = half(slice + t * kSlice<T> + v * kW);
    GINGHAM_UNROLL
    for (int r = 0; r < R; ++r) {
      const T factor = rows[r * stride + t];
      GINGHAM_UNROLL
      for (int v = 0; v < NV; ++v) sums[r][v] += atoms[v] * factor;
    }
  }
  GINGHAM_UNROLL
  for (int r = 0; r < R; ++r) {
    GINGHAM_UNROLL
    for (int v = 0; v < NV; ++v) {
      if (is_first) {
        half(out + r * width + v * kW) = sums[r][v];
      } else {
        half(out + r * width + v * kW) += sums[r][v];
      }
    }
  }
}

// NV vectors of atoms at a time: as many as the registers of a level hold with four rows.
template <int NV, class T>
GINGHAM_INLINE void all_slices(const T* rows, Index stride, Index n, const T* packed, Index length,
                               T* out, Index width) {
  for (Index s = 0; s * kSlice<T> < width; ++s) {
    for (Index from = 0; from < length; from += kPanel) {
      const Index terms = std::min(kPanel, length - from);
      for (Index v = 0; v < kSliceVectors; v += NV) {
        const T* slice = packed + (s * length + from) * kSlice<T> + v * kHalf<T>;
        T* to = out + s * kSlice<T> + v * kHalf<T>;
        Index i = 0;
        for (; i + kTileRows <= n; i += kTileRows) {
          tile<kTileRows, NV>(rows + i * stride + from, stride, slice, terms, from == 0,
                              to + i * width, width);
        }
        for (; i < n; ++i) {
          tile<1, NV>(rows + i * stride + from, stride, slice, terms, from == 0, to + i * width,
                      width);
        }
      }
    }
  }
}

#ifdef GINGHAM_LEVEL
GINGHAM_LEVEL("arch=x86-64-v4")
void slices(const float* rows, Index stride, Index n, const float* packed, Index length, float* out,
            Index width) {
  all_slices<6>(rows, stride, n, packed, length, out, width);
}
GINGHAM_LEVEL("arch=x86-64-v4")
void slices(const double* rows, Index stride, Index n, const double* packed, Index length,
            double* out, Index width) {
  all_slices<6>(rows, stride, n, packed, length, out, width);
}
GINGHAM_LEVEL("arch=x86-64-v3")
void slices(const float* rows, Index stride, Index n, const float* packed, Index length, float* out,
            Index width) {
  all_slices<3>(rows, stride, n, packed, length, out, width);
}
GINGHAM_LEVEL("arch=x86-64-v3")
void slices(const double* rows, Index stride, Index n, const double* packed, Index length,
            double* out, Index width) {
  all_slices<3>(rows, stride, n, packed, length, out, width);
}
GINGHAM_LEVEL("default")
#endif
void slices(const float* rows, Index stride, Index n, const float* packed, Index length, float* out,
            Index width) {
  all_slices<1>(rows, stride, n, packed, length, out, width);
}
#ifdef GINGHAM_LEVEL
GINGHAM_LEVEL("default")
#endif
void slices(const double* rows, Index stride, Index n, const double* packed, Index length,
            double* out, Index width) {
  all_slices<1>(rows, stride, n, packed, length, out, width);
}

Index rounded_up(Index n, Index unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

template <class T>
Index Atoms<T>::stride_of(Index length) {
  return rounded_up(length, kWide<T>);
}

template <class T>
Atoms<T>::Atoms(Index count, Index length)
    : count_(count),
      length_(length),
      stride_(stride_of(length)),
      width_(rounded_up(count, kSlice<T>)),
      rows_(checked_mul(count, stride_, "dictionary")),
      packed_(checked_mul(width_, length, "dictionary")),
      squares_(count),
      inverses_(count) {}

template <class T>
void Atoms<T>::measure(Index j) {
  is_fresh_ = false;
  set_square(j);
}

template <class T>
void Atoms<T>::set_square(Index j) {
  const T* const atom = std::as_const(*this).row(j);
  constexpr Index kLanes = 8;  // of the sum, for the compiler to use vectors; zeros behind the atom
  double part[kLanes] = {};
  for (Index t = 0; t < stride_; t += kLanes) {
    for (Index lane = 0; lane < kLanes; ++lane)
      part[lane] += static_cast<double>(atom[t + lane]) * atom[t + lane];
  }
  double square = 0.0;
  for (const double one : part) square += one;
  const auto inverse = static_cast<T>(1.0 / square);
  squares_.data()[j] = static_cast<T>(square);
  inverses_.data()[j] = square > 0.0 && std::isfinite(inverse) ? inverse : T{0};
}

template <class T>
void Atoms<T>::refresh(Executor& executor) {
  T* const packed = packed_.data();
  const Partition blocks = Partition::even(width_ / kSlice<T>, kSlice<T> * length_);
  executor.map(blocks.count(), [&](Index block) {
    for (Index j = blocks.begin(block) * kSlice<T>;
         j < std::min(count_, blocks.end(block) * kSlice<T>); ++j) {
      T* const to = packed + j / kSlice<T> * length_ * kSlice<T> + j % kSlice<T>;
      const T* const atom = std::as_const(*this).row(j);
      for (Index t = 0; t < length_; ++t) to[t * kSlice<T>] = atom[t];
      set_square(j);
    }
  });
  is_fresh_ = true;
}

template <class T>
void Atoms<T>::products(const T* rows, Index n, T* out) const {
  slices(rows, stride_, n, std::as_const(packed_).data(), length_, out, width_);
}

template class Atoms<float>;
template class Atoms<double>;

}  // namespace gingham
