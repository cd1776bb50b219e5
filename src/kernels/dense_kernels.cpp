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

// The same for eight rows that need not be neighbours.
GINGHAM_INLINE void listed_rows_added(const double* const* rows, Index cols, const double* u,
                                      double* y) {
  Index j = 0;
  for (; j + kLane <= cols; j += kLane) {
    V s = wide(y + j);
    GINGHAM_UNROLL
    for (int r = 0; r < 8; ++r) s += wide(rows[r] + j) * u[r];
    wide(y + j) = s;
  }
  for (; j < cols; ++j) {
    double s = y[j];
    GINGHAM_UNROLL
    for (int r = 0; r < 8; ++r) s += rows[r][j] * u[r];
    y[j] = s;
  }
}

GINGHAM_INLINE bool all_nonzero(const double* u) {
  bool all = true;
  for (int r = 0; r < 8; ++r) all = all && u[r] != 0.0;
  return all;
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
    const double* listed[8];  // rows with a factor, from groups that have zeros
    double factors[8];
    int n_listed = 0;
    for (Index i = 0; i < rows;) {
      if (i + 8 <= rows && all_nonzero(u + i)) {
        rows_added<8>(part + i * stride, stride, width, u + i, y + from);
        i += 8;
        continue;
      }
      for (const Index end = std::min(i + 8, rows); i < end; ++i) {
        if (u[i] == 0.0) continue;
        listed[n_listed] = part + i * stride;
        factors[n_listed++] = u[i];
        if (n_listed < 8) continue;
        listed_rows_added(listed, width, factors, y + from);
        n_listed = 0;
      }
    }
    for (int r = 0; r < n_listed; ++r) {
      rows_added<1>(listed[r], 0, width, factors + r, y + from);
    }
  }
}

GINGHAM_MULTIARCH void listed_dots(const double* a, Index stride, Index rows, const Index* list,
                                   const double* factors, Index n_listed, double* y) {
  Index i = 0;
  for (; i + 4 <= rows; i += 4) {
    double sums[4] = {};
    const double* part = a + i * stride;
    for (Index k = 0; k < n_listed; ++k) {
      const double* at = part + list[k];
      GINGHAM_UNROLL
      for (int r = 0; r < 4; ++r) sums[r] += at[r * stride] * factors[k];
    }
    for (int r = 0; r < 4; ++r) y[i + r] = sums[r];
  }
  for (; i < rows; ++i) {
    double sum = 0.0;
    for (Index k = 0; k < n_listed; ++k) sum += a[i * stride + list[k]] * factors[k];
    y[i] = sum;
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
      if (factor == 0.0) continue;
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
