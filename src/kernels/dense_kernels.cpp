#include "gingham/kernels/dense_kernels.hpp"

#include <algorithm>

#include "gingham/kernels/lanes.hpp"

namespace gingham::dense {
namespace {

using lanes::total;
using lanes::wide;
using V = lanes::Wide<double>;
using Mask = lanes::WideMask<double>;
constexpr Index kLane = lanes::kWide<double>;

// Columns taken at a time where results along the columns are read and written again: 16 KB stay in
// L1.
constexpr Index kColumnChunk = 2048;

// Asks for what the next group of rows has here, into L2: the streams of narrow matrices are too
// short for the machine to notice them by itself.
GINGHAM_INLINE void ask_ahead(const double* p) { __builtin_prefetch(p, 0, 2); }

// One sum per row: eight rows keep the adders busy, and eight streams the memory.
template <int R>
GINGHAM_INLINE void dots(const double* a, Index stride, Index cols, const double* x, double* y) {
  V sums[R] = {};
  Index j = 0;
  for (; j + kLane <= cols; j += kLane) {
    GINGHAM_UNROLL
    for (int r = 0; r < R; ++r) {
      ask_ahead(a + (r + R) * stride + j);
      sums[r] += wide(a + r * stride + j) * wide(x + j);
    }
  }
  GINGHAM_UNROLL
  for (int r = 0; r < R; ++r) {
    double rest = 0.0;
    for (Index t = j; t < cols; ++t) rest += a[r * stride + t] * x[t];
    y[r] = total<double>(sums[r]) + rest;
  }
}

// A single row has four sums.
GINGHAM_INLINE void one_dot(const double* a, Index cols, const double* x, double* y) {
  V sums[4] = {};
  Index j = 0;
  for (; j + 4 * kLane <= cols; j += 4 * kLane) {
    GINGHAM_UNROLL
    for (int s = 0; s < 4; ++s) sums[s] += wide(a + j + s * kLane) * wide(x + j + s * kLane);
  }
  for (; j + kLane <= cols; j += kLane) sums[0] += wide(a + j) * wide(x + j);
  double rest = 0.0;
  for (; j < cols; ++j) rest += a[j] * x[j];
  sums[0] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  *y = total<double>(sums[0]) + rest;
}

template <int R>
GINGHAM_INLINE void rows_added(const double* a, Index stride, Index cols, const double* u,
                               double* y) {
  Index j = 0;
  for (; j + kLane <= cols; j += kLane) {
    V s = wide(y + j);
    GINGHAM_UNROLL
    for (int r = 0; r < R; ++r) {
      ask_ahead(a + (r + R) * stride + j);
      s += wide(a + r * stride + j) * u[r];
    }
    wide(y + j) = s;
  }
  for (; j < cols; ++j) {
    double s = y[j];
    GINGHAM_UNROLL
    for (int r = 0; r < R; ++r) s += a[r * stride + j] * u[r];
    y[j] = s;
  }
}

template <int R>
GINGHAM_INLINE void both(const double* a, Index stride, Index cols, const double* v,
                         const double* u, double* av, double* atu) {
  V sums[R] = {};
  Index j = 0;
  for (; j + kLane <= cols; j += kLane) {
    V s = wide(atu + j);
    GINGHAM_UNROLL
    for (int r = 0; r < R; ++r) {
      ask_ahead(a + (r + R) * stride + j);
      const V value = wide(a + r * stride + j);
      sums[r] += value * wide(v + j);
      s += value * u[r];
    }
    wide(atu + j) = s;
  }
  double rest[R] = {};
  for (; j < cols; ++j) {
    GINGHAM_UNROLL
    for (int r = 0; r < R; ++r) {
      rest[r] += a[r * stride + j] * v[j];
      atu[j] += a[r * stride + j] * u[r];
    }
  }
  GINGHAM_UNROLL
  for (int r = 0; r < R; ++r) av[r] = total<double>(sums[r]) + rest[r];
}

}  // namespace

GINGHAM_MULTIARCH void row_dots(const double* a, Index stride, Index rows, Index cols,
                                const double* x, double* y) {
  Index i = 0;
  for (; i + 8 <= rows; i += 8) dots<8>(a + i * stride, stride, cols, x, y + i);
  for (; i < rows; ++i) one_dot(a + i * stride, cols, x, y + i);
}

GINGHAM_MULTIARCH void add_rows(const double* a, Index stride, Index rows, Index cols,
                                const double* u, double* y) {
  for (Index from = 0; from < cols; from += kColumnChunk) {
    const Index width = std::min(kColumnChunk, cols - from);
    const double* part = a + from;
    Index i = 0;
    for (; i + 8 <= rows; i += 8) rows_added<8>(part + i * stride, stride, width, u + i, y + from);
    for (; i < rows; ++i) rows_added<1>(part + i * stride, stride, width, u + i, y + from);
  }
}

GINGHAM_MULTIARCH void dots_and_rows(const double* a, Index stride, Index rows, Index cols,
                                     const double* v, const double* u, double* av, double* atu) {
  Index i = 0;
  for (; i + 8 <= rows; i += 8) both<8>(a + i * stride, stride, cols, v, u + i, av + i, atu);
  for (; i < rows; ++i) both<1>(a + i * stride, stride, cols, v, u + i, av + i, atu);
}

GINGHAM_MULTIARCH void row_dots_observed(const double* a, Index stride, Index rows, Index cols,
                                         const double* x, double* y, double* weight) {
  for (Index i = 0; i < rows; ++i) {
    const double* row = a + i * stride;
    V sums{}, squares{};
    Index j = 0;
    for (; j + kLane <= cols; j += kLane) {
      const V value = wide(row + j);
      const V at = wide(x + j);
      const Mask seen = value == value;
      sums += reinterpret_cast<V>(reinterpret_cast<Mask>(value) & seen) * at;
      squares += reinterpret_cast<V>(reinterpret_cast<Mask>(at) & seen) * at;
    }
    double rest = 0.0, rest_squares = 0.0;
    for (; j < cols; ++j) {
      if (row[j] != row[j]) continue;
      rest += row[j] * x[j];
      rest_squares += x[j] * x[j];
    }
    y[i] = total<double>(sums) + rest;
    weight[i] = total<double>(squares) + rest_squares;
  }
}

GINGHAM_MULTIARCH void add_rows_observed(const double* a, Index stride, Index rows, Index cols,
                                         const double* u, double* y, double* weight) {
  for (Index from = 0; from < cols; from += kColumnChunk) {
    const Index to = std::min(from + kColumnChunk, cols);
    for (Index i = 0; i < rows; ++i) {
      const double* row = a + i * stride;
      const double factor = u[i];
      const V square = V{} + factor * factor;
      Index j = from;
      for (; j + kLane <= to; j += kLane) {
        const V value = wide(row + j);
        const Mask seen = value == value;
        wide(y + j) += reinterpret_cast<V>(reinterpret_cast<Mask>(value) & seen) * factor;
        wide(weight + j) += reinterpret_cast<V>(reinterpret_cast<Mask>(square) & seen);
      }
      for (; j < to; ++j) {
        if (row[j] != row[j]) continue;
        y[j] += row[j] * factor;
        weight[j] += factor * factor;
      }
    }
  }
}

}  // namespace gingham::dense
