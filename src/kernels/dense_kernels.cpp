#include "gingham/kernels/dense_kernels.hpp"

#include <algorithm>

#include "gingham/kernels/lanes.hpp"

namespace gingham::dense {
namespace {

using lanes::total;
using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kLane = lanes::kWide<double>;
constexpr Index kPiece = 256;  // cells of a row that are looked at for what is missing

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

// What is missing is made 0 in small pieces first: loops without a branch run in vector registers.
GINGHAM_MULTIARCH void row_dots_observed(const double* a, Index stride, Index rows, Index cols,
                                         const double* x, double* y, double* weight) {
  constexpr Index kSums = 4;
  double values[kPiece], seen[kPiece];
  for (Index i = 0; i < rows; ++i) {
    double sums[kSums] = {}, squares[kSums] = {};
    for (Index from = 0; from < cols; from += kPiece) {
      const Index n = std::min(kPiece, cols - from);
      const double *row = a + i * stride + from, *at = x + from;
      for (Index j = 0; j < n; ++j) {
        values[j] = row[j] == row[j] ? row[j] : 0.0;
        seen[j] = row[j] == row[j] ? at[j] : 0.0;
      }
      Index j = 0;
      for (; j + kSums <= n; j += kSums) {
        for (Index s = 0; s < kSums; ++s) {
          sums[s] += values[j + s] * at[j + s];
          squares[s] += seen[j + s] * at[j + s];
        }
      }
      for (; j < n; ++j) {
        sums[j % kSums] += values[j] * at[j];
        squares[j % kSums] += seen[j] * at[j];
      }
    }
    y[i] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    weight[i] = (squares[0] + squares[1]) + (squares[2] + squares[3]);
  }
}

GINGHAM_MULTIARCH void add_rows_observed(const double* a, Index stride, Index rows, Index cols,
                                         const double* u, double* y, double* weight) {
  double values[kPiece], squares[kPiece];
  for (Index chunk = 0; chunk < cols; chunk += kColumnChunk) {
    const Index end = std::min(chunk + kColumnChunk, cols);
    for (Index i = 0; i < rows; ++i) {
      const double factor = u[i], square = factor * factor;
      if (factor == 0.0) continue;
      for (Index from = chunk; from < end; from += kPiece) {
        const Index n = std::min(kPiece, end - from);
        const double* row = a + i * stride + from;
        double *sum = y + from, *sum_squares = weight + from;
        for (Index j = 0; j < n; ++j) {
          values[j] = row[j] == row[j] ? row[j] : 0.0;
          squares[j] = row[j] == row[j] ? square : 0.0;
        }
        for (Index j = 0; j < n; ++j) {
          sum[j] += values[j] * factor;
          sum_squares[j] += squares[j];
        }
      }
    }
  }
}

}  // namespace gingham::dense
