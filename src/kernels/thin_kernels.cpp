#include "gingham/kernels/thin_kernels.hpp"

#include <algorithm>

#include "gingham/kernels/lanes.hpp"

namespace gingham::thin {
namespace {

using lanes::half;
using lanes::Half;
using lanes::kHalf;
using lanes::kWide;
using lanes::wide;
using lanes::Wide;

constexpr int kTileRows = 4;
constexpr int kTileVectors = 6;  // 24 sums of 32 bytes: what 32 registers can hold
constexpr Index kPanelBytes = Index{1}
                              << 14;  // of X, used again for every tile of rows: stays in L1
constexpr Index kRowsAtATime = 128;   // of A in columns(): their part of X stays in L1

// R rows by NV vectors of Y over n terms.
template <int R, int NV, class T>
GINGHAM_INLINE void tile(const T* a, Index row_step, Index sum_step, Index n, const T* x,
                         Index x_stride, Index k, T* y, Index y_stride) {
  using V = Half<T>;
  constexpr Index kW = kHalf<T>;
  V sums[R][NV] = {};
  for (Index t = 0; t < n; ++t) {
    const T* row = x + t * x_stride;
    const T* at = a + t * sum_step;
    GINGHAM_UNROLL
    for (int r = 0; r < R; ++r) {
      const T factor = at[r * row_step];
      GINGHAM_UNROLL
      for (int v = 0; v < NV; ++v) sums[r][v] += half(row + v * kW) * factor;
    }
  }
  GINGHAM_UNROLL
  for (int r = 0; r < R; ++r) {
    T* out = y + r * y_stride;
    GINGHAM_UNROLL
    for (int v = 0; v < NV; ++v) {
      if (k >= (v + 1) * kW) {
        half(out + v * kW) += sums[r][v];
      } else {
        T part[kW];
        half(part) = sums[r][v];
        for (Index c = v * kW; c < k; ++c) out[c] += part[c - v * kW];
      }
    }
  }
}

template <int NV, class T>
GINGHAM_INLINE void tile_rows(const T* a, Index row_step, Index sum_step, Index rows, Index n,
                              const T* x, Index x_stride, Index k, T* y, Index y_stride) {
  const Index panel =
      std::max<Index>(kPanelBytes / static_cast<Index>(sizeof(T)) / (NV * kHalf<T>), 16);
  for (Index from = 0; from < n; from += panel) {
    const Index terms = std::min(panel, n - from);
    const T* part = a + from * sum_step;
    const T* x_part = x + from * x_stride;
    Index i = 0;
    // One vector wide: twice the rows, so that sums do not wait for each other.
    for (; NV == 1 && i + 2 * kTileRows <= rows; i += 2 * kTileRows) {
      tile<2 * kTileRows, NV>(part + i * row_step, row_step, sum_step, terms, x_part, x_stride, k,
                              y + i * y_stride, y_stride);
    }
    for (; i + kTileRows <= rows; i += kTileRows) {
      tile<kTileRows, NV>(part + i * row_step, row_step, sum_step, terms, x_part, x_stride, k,
                          y + i * y_stride, y_stride);
    }
    for (; i < rows; ++i) {
      tile<1, NV>(part + i * row_step, row_step, sum_step, terms, x_part, x_stride, k,
                  y + i * y_stride, y_stride);
    }
  }
}

// Slices of X's columns of about equal width, each at most kTileVectors vectors.
template <class T>
GINGHAM_INLINE void all_tiles(const T* a, Index row_step, Index sum_step, Index rows, Index n,
                              const T* x, Index x_stride, Index k, T* y, Index y_stride) {
  constexpr Index kW = kHalf<T>;
  const Index vectors = (k + kW - 1) / kW;
  const Index slices = (vectors + kTileVectors - 1) / kTileVectors;
  for (Index s = 0; s < slices; ++s) {
    const Index from = vectors * s / slices;
    const Index count = vectors * (s + 1) / slices - from;
    const T* xs = x + from * kW;
    T* ys = y + from * kW;
    const Index ks = std::min(k - from * kW, count * kW);
    switch (count) {
      case 1:
        tile_rows<1>(a, row_step, sum_step, rows, n, xs, x_stride, ks, ys, y_stride);
        break;
      case 2:
        tile_rows<2>(a, row_step, sum_step, rows, n, xs, x_stride, ks, ys, y_stride);
        break;
      case 3:
        tile_rows<3>(a, row_step, sum_step, rows, n, xs, x_stride, ks, ys, y_stride);
        break;
      case 4:
        tile_rows<4>(a, row_step, sum_step, rows, n, xs, x_stride, ks, ys, y_stride);
        break;
      case 5:
        tile_rows<5>(a, row_step, sum_step, rows, n, xs, x_stride, ks, ys, y_stride);
        break;
      default:
        tile_rows<6>(a, row_step, sum_step, rows, n, xs, x_stride, ks, ys, y_stride);
        break;
    }
  }
}

// P * Q columns of X against one vector of columns of A. Two loops, since long ones are not
// unrolled whole and the sums would not stay in registers.
template <int P, int Q, class T>
GINGHAM_INLINE void strip(const T* a, Index stride, Index rows, const T* x, Index x_stride, T* yt,
                          Index yt_stride) {
  Wide<T> sums[P][Q];
  GINGHAM_UNROLL
  for (int p = 0; p < P; ++p) {
    GINGHAM_UNROLL
    for (int q = 0; q < Q; ++q) sums[p][q] = wide(yt + (p * Q + q) * yt_stride);
  }
  for (Index i = 0; i < rows; ++i) {
    const Wide<T> value = wide(a + i * stride);
    __builtin_prefetch(a + i * stride + kWide<T>);  // the next strip's
    const T* factor = x + i * x_stride;
    GINGHAM_UNROLL
    for (int p = 0; p < P; ++p) {
      GINGHAM_UNROLL
      for (int q = 0; q < Q; ++q) sums[p][q] += value * factor[p * Q + q];
    }
  }
  GINGHAM_UNROLL
  for (int p = 0; p < P; ++p) {
    GINGHAM_UNROLL
    for (int q = 0; q < Q; ++q) wide(yt + (p * Q + q) * yt_stride) = sums[p][q];
  }
}

template <int P, int Q, class T>
GINGHAM_INLINE void strips(const T* a, Index stride, Index rows, Index cols, const T* x,
                           Index x_stride, T* yt, Index yt_stride) {
  for (Index j = 0; j + kWide<T> <= cols; j += kWide<T>) {
    strip<P, Q>(a + j, stride, rows, x, x_stride, yt + j, yt_stride);
  }
}

// How many columns of X go together, of those that are left: at most 24, what 32 registers can
// hold.
GINGHAM_INLINE Index strip_width(Index left) {
  for (const Index width : {24, 20, 16, 12, 8, 6, 4, 3, 2}) {
    if (left >= width) return width;
  }
  return 1;
}

// At most kRowsAtATime rows, whole vectors of columns.
template <class T>
GINGHAM_INLINE void band(const T* a, Index stride, Index rows, Index cols, const T* x,
                         Index x_stride, Index k, T* yt, Index yt_stride) {
  Index width = 0;
  for (Index c = 0; c < k; c += width) {
    const T* xc = x + c;
    T* yc = yt + c * yt_stride;
    width = strip_width(k - c);
    switch (width) {
      case 24:
        strips<6, 4>(a, stride, rows, cols, xc, x_stride, yc, yt_stride);
        break;
      case 20:
        strips<5, 4>(a, stride, rows, cols, xc, x_stride, yc, yt_stride);
        break;
      case 16:
        strips<4, 4>(a, stride, rows, cols, xc, x_stride, yc, yt_stride);
        break;
      case 12:
        strips<3, 4>(a, stride, rows, cols, xc, x_stride, yc, yt_stride);
        break;
      case 8:
        strips<2, 4>(a, stride, rows, cols, xc, x_stride, yc, yt_stride);
        break;
      case 6:
        strips<2, 3>(a, stride, rows, cols, xc, x_stride, yc, yt_stride);
        break;
      case 4:
        strips<1, 4>(a, stride, rows, cols, xc, x_stride, yc, yt_stride);
        break;
      case 3:
        strips<1, 3>(a, stride, rows, cols, xc, x_stride, yc, yt_stride);
        break;
      case 2:
        strips<1, 2>(a, stride, rows, cols, xc, x_stride, yc, yt_stride);
        break;
      default:
        strips<1, 1>(a, stride, rows, cols, xc, x_stride, yc, yt_stride);
        break;
    }
  }
}

template <class T>
GINGHAM_INLINE void all_columns(const T* a, Index stride, Index rows, Index cols, const T* x,
                                Index x_stride, Index k, T* yt, Index yt_stride) {
  const Index whole = cols / kWide<T> * kWide<T>;
  T last[kRowsAtATime * kWide<T>] = {};  // the columns that do not fill a vector, with zeros behind
  for (Index top = 0; top < rows; top += kRowsAtATime) {
    const Index height = std::min(kRowsAtATime, rows - top);
    const T* part = a + top * stride;
    const T* x_part = x + top * x_stride;
    if (whole > 0) band(part, stride, height, whole, x_part, x_stride, k, yt, yt_stride);
    if (whole == cols) continue;
    for (Index i = 0; i < height; ++i) {
      std::copy_n(part + i * stride + whole, cols - whole, last + i * kWide<T>);
    }
    band(last, kWide<T>, height, kWide<T>, x_part, x_stride, k, yt + whole, yt_stride);
  }
}

}  // namespace

GINGHAM_MULTIARCH void tiles(const double* a, Index row_step, Index sum_step, Index rows, Index n,
                             const double* x, Index x_stride, Index k, double* y, Index y_stride) {
  all_tiles(a, row_step, sum_step, rows, n, x, x_stride, k, y, y_stride);
}
GINGHAM_MULTIARCH void tiles(const float* a, Index row_step, Index sum_step, Index rows, Index n,
                             const float* x, Index x_stride, Index k, float* y, Index y_stride) {
  all_tiles(a, row_step, sum_step, rows, n, x, x_stride, k, y, y_stride);
}
GINGHAM_MULTIARCH void columns(const double* a, Index stride, Index rows, Index cols,
                               const double* x, Index x_stride, Index k, double* yt,
                               Index yt_stride) {
  all_columns(a, stride, rows, cols, x, x_stride, k, yt, yt_stride);
}
GINGHAM_MULTIARCH void columns(const float* a, Index stride, Index rows, Index cols, const float* x,
                               Index x_stride, Index k, float* yt, Index yt_stride) {
  all_columns(a, stride, rows, cols, x, x_stride, k, yt, yt_stride);
}

}  // namespace gingham::thin
