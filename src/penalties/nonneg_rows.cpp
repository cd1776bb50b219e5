#include "gingham/penalties/nonneg_rows.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "gingham/kernels/lanes.hpp"
#include "gingham/kernels/row_lines.hpp"

namespace gingham {
namespace {

using lanes::Wide;
using lanes::wide;

constexpr Index kTogether = 4;  // entries whose sums are taken side by side

template <class T>
inline constexpr Index kTile = 2 * lanes::kWide<T>;

// pull_b = y - sum over l outside [k0, k0 + n) of q_lk f_l, for the two halves of a tile.
template <class T, int N>
GINGHAM_INLINE void pulls(const T* q, Index rank, Index k0, const T* y, const T* f, T* out) {
  constexpr Index kW = lanes::kWide<T>;
  Wide<T> low[N], high[N];
  GINGHAM_UNROLL
  for (int b = 0; b < N; ++b) {
    low[b] = wide(y + (k0 + b) * kTile<T>);
    high[b] = wide(y + (k0 + b) * kTile<T> + kW);
  }
  for (Index l = 0; l < rank; ++l) {
    if (l == k0) {
      l += N - 1;
      continue;
    }
    const Wide<T> f_low = wide(f + l * kTile<T>), f_high = wide(f + l * kTile<T> + kW);
    GINGHAM_UNROLL
    for (int b = 0; b < N; ++b) {
      const T weight = q[l * rank + k0 + b];
      low[b] -= f_low * weight;
      high[b] -= f_high * weight;
    }
  }
  GINGHAM_UNROLL
  for (int b = 0; b < N; ++b) {
    wide(out + b * kTile<T>) = low[b];
    wide(out + b * kTile<T> + kW) = high[b];
  }
}

// Entries k0 ... k0 + n - 1 of a tile: their minimisers one after the other (kMoves) or each with
// the others as they are. squares += q_kk (change)^2 per lane.
template <class T, int N, bool kMoves>
GINGHAM_INLINE void entries(const NonnegRowProblem<T>& problem, Index k0, const T* y, T* f,
                            Wide<T>& squares) {
  constexpr Index kW = lanes::kWide<T>;
  T pull[N * kTile<T>];
  pulls<T, N>(problem.q, problem.rank, k0, y, f, pull);
  const Wide<T> zero = {}, high = zero + problem.high;
  for (int b = 0; b < N; ++b) {
    const Index k = k0 + b;
    const T inverse = problem.inverse[k], curvature = problem.q[k * problem.rank + k];
    for (Index h = 0; h < kTile<T>; h += kW) {
      Wide<T> sum = wide(pull + b * kTile<T> + h);
      for (int other = 0; other < N; ++other) {
        if (other == b) continue;
        sum -= wide(f + (k0 + other) * kTile<T> + h) * problem.q[(k0 + other) * problem.rank + k];
      }
      sum = (sum - problem.l1) * inverse;
      sum = sum > zero ? sum : zero;
      sum = sum < high ? sum : high;
      Wide<T>& now = wide(f + k * kTile<T> + h);
      const Wide<T> change = sum - now;
      squares += change * change * curvature;
      if constexpr (kMoves) now = sum;
    }
  }
}

template <class T, bool kMoves>
GINGHAM_INLINE void tile(const NonnegRowProblem<T>& problem, int passes, const T* y, T* f,
                         Wide<T>& squares) {
  for (int pass = 0; pass < passes; ++pass) {
    Index k = 0;
    for (; k + kTogether <= problem.rank; k += kTogether)
      entries<T, kTogether, kMoves>(problem, k, y, f, squares);
    switch (problem.rank - k) {
      case 3:
        entries<T, 3, kMoves>(problem, k, y, f, squares);
        break;
      case 2:
        entries<T, 2, kMoves>(problem, k, y, f, squares);
        break;
      case 1:
        entries<T, 1, kMoves>(problem, k, y, f, squares);
        break;
      default:
        break;
    }
  }
}

// All items, tile by tile; F is const T where nothing moves.
template <class T, class F>
GINGHAM_INLINE double over_items(const NonnegRowProblem<T>& problem, const Index* items, Index n,
                                 int passes, const T* y, F* f, T* room) {
  constexpr bool kMoves = !std::is_const_v<F>;
  T* y_lines = room;
  T* f_lines = room + problem.rank * kTile<T>;
  double total = 0.0;
  for (Index from = 0; from < n; from += kTile<T>) {
    const Index size = std::min(kTile<T>, n - from);
    if (size < kTile<T>) std::fill_n(room, 2 * problem.rank * kTile<T>, T{0});
    rows_to_lines(y, problem.rank, items + from, size, y_lines, kTile<T>);
    rows_to_lines(static_cast<const T*>(f), problem.rank, items + from, size, f_lines, kTile<T>);
    Wide<T> squares = {};
    tile<T, kMoves>(problem, passes, y_lines, f_lines, squares);
    total += static_cast<double>(lanes::total<T>(squares));
    if constexpr (kMoves) lines_to_rows(f_lines, kTile<T>, problem.rank, items + from, size, f);
  }
  return total;
}

GINGHAM_MULTIARCH double sweep(const NonnegRowProblem<double>& problem, const Index* items, Index n,
                               int passes, const double* y, double* f, double* room) {
  return over_items(problem, items, n, passes, y, f, room);
}
GINGHAM_MULTIARCH double sweep(const NonnegRowProblem<float>& problem, const Index* items, Index n,
                               int passes, const float* y, float* f, float* room) {
  return over_items(problem, items, n, passes, y, f, room);
}
GINGHAM_MULTIARCH double gap(const NonnegRowProblem<double>& problem, const Index* items, Index n,
                             const double* y, const double* f, double* room) {
  return over_items(problem, items, n, 1, y, f, room);
}
GINGHAM_MULTIARCH double gap(const NonnegRowProblem<float>& problem, const Index* items, Index n,
                             const float* y, const float* f, float* room) {
  return over_items(problem, items, n, 1, y, f, room);
}

template <class T>
std::vector<T> room_for(Index rank) {
  return std::vector<T>(static_cast<std::size_t>(2 * rank * kTile<T>));
}

}  // namespace

template <class T>
double sweep_rows(const NonnegRowProblem<T>& problem, const Index* items, Index n, int passes, const T* y,
                  T* f) {
  std::vector<T> room = room_for<T>(problem.rank);
  return sweep(problem, items, n, passes, y, f, room.data());
}

template <class T>
double gap_of_rows(const NonnegRowProblem<T>& problem, const Index* items, Index n, const T* y,
                   const T* f) {
  std::vector<T> room = room_for<T>(problem.rank);
  return gap(problem, items, n, y, f, room.data());
}

template double sweep_rows(const NonnegRowProblem<double>&, const Index*, Index, int, const double*,
                           double*);
template double sweep_rows(const NonnegRowProblem<float>&, const Index*, Index, int, const float*,
                           float*);
template double gap_of_rows(const NonnegRowProblem<double>&, const Index*, Index, const double*,
                            const double*);
template double gap_of_rows(const NonnegRowProblem<float>&, const Index*, Index, const float*,
                            const float*);

}  // namespace gingham
