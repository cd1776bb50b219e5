#include "gingham/penalties/rows.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/lanes.hpp"
#include "gingham/kernels/row_lines.hpp"

namespace gingham {
namespace {

using lanes::kWide;
using lanes::Wide;
using lanes::wide;

constexpr Index kTogether = 4;  // entries whose sums are taken side by side

// A tile: rows side by side, their entry k in line k.
template <class T>
inline constexpr Index kTile = 2 * kWide<T>;

template <class T>
struct Tile {
  T* y;                              // lines of unknown columns
  T* f;                              // lines of all columns
  T* keep;                           // the same; null: all are kept
  Wide<T>* squares;                  // per column: sums of (change)^2
  const std::uint8_t* members_only;  // per column; null: no zero is left out
};

// pull_b = y_k - sum over l outside [k0, k0 + N) of q_lk f_l, k = k0 + b, for both halves of a
// tile.
template <class T, int N>
GINGHAM_INLINE void pulls(const T* q, Index rank, Index k0, const T* y, const T* f, T* out) {
  constexpr Index kW = kWide<T>;
  Wide<T> low[N], high[N];
  GINGHAM_UNROLL
  for (int b = 0; b < N; ++b) {
    low[b] = wide(y + b * kTile<T>);
    high[b] = wide(y + b * kTile<T> + kW);
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

// Entries k0 ... k0 + N - 1 of a tile: their minimisers one after the other (kMoves), or each with
// the others as they are. kSigned: entries may be below 0.
template <class T, int N, bool kMoves, bool kSigned>
GINGHAM_INLINE void entries(const RowProblem<T>& problem, Index k0, const Tile<T>& tile) {
  constexpr Index kW = kWide<T>;
  // Copies: what lies behind a reference is read again after every store of a vector.
  const Index rank = problem.n_columns();
  const T *const q = problem.q(), *const inverses = problem.inverse();
  T* const f = tile.f;
  const T* const keep = tile.keep;
  const std::uint8_t* const members_only = tile.members_only;
  Wide<T>* const squares = tile.squares;
  T pull[N * kTile<T>];
  pulls<T, N>(q, rank, k0, tile.y + (k0 - problem.first()) * kTile<T>, f, pull);
  const Wide<T> zero = {}, low = zero + problem.low(), high = zero + problem.high();
  const T l1 = problem.l1();
  for (int b = 0; b < N; ++b) {
    const Index k = k0 + b;
    const T inverse = inverses[k];
    if (inverse < 0) continue;
    Wide<T> moved = squares[k];
    for (Index h = 0; h < kTile<T>; h += kW) {
      Wide<T> sum = wide(pull + b * kTile<T> + h);
      for (int other = 0; other < N; ++other) {
        if (other == b) continue;
        sum -= wide(f + (k0 + other) * kTile<T> + h) * q[(k0 + other) * rank + k];
      }
      if constexpr (kSigned) {
        const Wide<T> up = sum - l1, down = sum + l1;
        sum = (up > zero ? up : zero) + (down < zero ? down : zero);
        sum *= inverse;
        sum = sum > low ? sum : low;
      } else {
        sum = (sum - l1) * inverse;
        sum = sum > zero ? sum : zero;
      }
      sum = sum < high ? sum : high;
      if (keep != nullptr) sum *= wide(keep + k * kTile<T> + h);
      Wide<T>& now = wide(f + k * kTile<T> + h);
      Wide<T> change = sum - now;
      if (members_only != nullptr && members_only[k] != 0) change = now == zero ? zero : change;
      moved += change * change;
      if constexpr (kMoves) now = sum;
    }
    squares[k] = moved;
  }
}

template <class T, bool kMoves, bool kSigned>
GINGHAM_INLINE void all_entries(const RowProblem<T>& problem, int passes, const Tile<T>& tile) {
  const Index rank = problem.n_columns();
  for (int pass = 0; pass < passes; ++pass) {
    Index k = problem.first();
    for (; k + kTogether <= rank; k += kTogether)
      entries<T, kTogether, kMoves, kSigned>(problem, k, tile);
    switch (rank - k) {
      case 3:
        entries<T, 3, kMoves, kSigned>(problem, k, tile);
        break;
      case 2:
        entries<T, 2, kMoves, kSigned>(problem, k, tile);
        break;
      case 1:
        entries<T, 1, kMoves, kSigned>(problem, k, tile);
        break;
      default:
        break;
    }
  }
}

// What a tile needs, and the sums of all of them.
template <class T>
class Room {
 public:
  Room(const RowProblem<T>& problem, const std::uint8_t* keep)
      : lines_(static_cast<std::size_t>((3 * problem.n_columns()) * kTile<T>), T{0}),
        squares_(static_cast<std::size_t>(problem.n_columns() * kWide<T>), T{0}) {
    const Index all = problem.n_columns() * kTile<T>;
    tile_ = {lines_.data(), lines_.data() + all,
             keep == nullptr ? nullptr : lines_.data() + 2 * all,
             reinterpret_cast<Wide<T>*>(squares_.data()), nullptr};
  }
  Tile<T>& tile() { return tile_; }
  double sum(Index k) const {
    double total = 0.0;
    for (Index lane = 0; lane < kWide<T>; ++lane)
      total += static_cast<double>(squares_[k * kWide<T> + lane]);
    return total;
  }

 private:
  std::vector<T> lines_, squares_;
  Tile<T> tile_;
};

// Rows from, from + 1, ... into the tile; lanes without a row are 0.
template <class T>
void load(const RowProblem<T>& problem, const Index* items, Index n, const T* y,
          const std::uint8_t* keep, const T* a, const Tile<T>& tile) {
  const Index rank = problem.n_columns(), unknown = problem.n_unknown();
  if (n < kTile<T>) {
    std::fill_n(tile.y, unknown * kTile<T>, T{0});
    std::fill_n(tile.f, rank * kTile<T>, T{0});
  }
  rows_to_lines(y, unknown, items, n, tile.y, kTile<T>);
  rows_to_lines(a, rank, items, n, tile.f, kTile<T>);
  if (const T* weights = problem.weights()) {
    for (Index k = 0; k < unknown; ++k) {
      for (Index r = 0; r < kTile<T>; ++r) tile.y[k * kTile<T> + r] *= weights[problem.first() + k];
    }
  }
  if (keep == nullptr) return;
  for (Index r = 0; r < n; ++r) {
    for (Index k = 0; k < rank; ++k)
      tile.keep[k * kTile<T> + r] = static_cast<T>(keep[items[r] * rank + k]);
  }
}

template <class T, bool kMoves>
GINGHAM_INLINE void treat(const RowProblem<T>& problem, int passes, const Tile<T>& tile) {
  if (problem.low() < 0) {
    all_entries<T, kMoves, true>(problem, passes, tile);
  } else {
    all_entries<T, kMoves, false>(problem, passes, tile);
  }
}

GINGHAM_MULTIARCH void move(const RowProblem<double>& problem, int passes,
                            const Tile<double>& tile) {
  treat<double, true>(problem, passes, tile);
}
GINGHAM_MULTIARCH void move(const RowProblem<float>& problem, int passes, const Tile<float>& tile) {
  treat<float, true>(problem, passes, tile);
}
GINGHAM_MULTIARCH void judge(const RowProblem<double>& problem, const Tile<double>& tile) {
  treat<double, false>(problem, 1, tile);
}
GINGHAM_MULTIARCH void judge(const RowProblem<float>& problem, const Tile<float>& tile) {
  treat<float, false>(problem, 1, tile);
}

// Calls body(items, n) for as many rows as a tile holds, tile after tile.
template <class T, class Body>
void for_tiles(const Rows& rows, const Body& body) {
  Index own[kTile<T>];
  for (Index from = 0; from < rows.n; from += kTile<T>) {
    const Index n = std::min(kTile<T>, rows.n - from);
    for (Index r = 0; r < n; ++r) own[r] = rows[from + r];
    body(own, n);
  }
}

}  // namespace

template <class T>
RowProblem<T>::RowProblem(const EntryRule& rule, Index n_columns, Index first, ConstVec weights,
                          std::vector<std::uint8_t> waits)
    : rule_(rule),
      n_columns_(n_columns),
      first_(first),
      waits_(std::move(waits)),
      l1_(static_cast<T>(rule.l1)),
      low_(static_cast<T>(rule.low)),
      high_(static_cast<T>(rule.high)),
      q_(static_cast<std::size_t>(n_columns * n_columns)),
      inverse_(static_cast<std::size_t>(n_columns)) {
  const auto is_one = [](double x) { return x == 1.0; };
  if (!std::all_of(weights.begin(), weights.end(), is_one))
    weights_.assign(weights.begin(), weights.end());
}

template <class T>
void RowProblem<T>::take(const Matrix& q) {
  std::transform(q.values().begin(), q.values().end(), q_.begin(),
                 [](double x) { return static_cast<T>(x); });
  for (Index k = 0; k < n_columns_; ++k) {
    const double curvature = q(k, k);
    inverse_[k] = static_cast<T>(curvature > 0.0 ? 1.0 / (curvature + rule_.ridge)
                                 : waits(k)      ? -1.0
                                                 : 0.0);
    if (!std::isfinite(inverse_[k])) inverse_[k] = 0;
  }
}

template <class T>
double RowProblem<T>::minimiser(Index k, double pull, double now) const {
  const double own = curvature(k);
  if (!(own > 0.0)) return waits(k) ? now : 0.0;
  return rule_.minimiser(pull, own);
}

template <class T>
double RowProblem<T>::pull(Index k, Index n_explaining, const T* y, const T* a) const {
  const T* line = q_.data() + k * n_columns_;
  double left = static_cast<double>(y[k - first_]);
  if (!weights_.empty()) left *= static_cast<double>(weights_[k]);
  for (Index l = 0; l < n_explaining; ++l) {
    if (l != k) left -= static_cast<double>(line[l]) * static_cast<double>(a[l]);
  }
  return left;
}

template <class T>
double sweep_rows(const RowProblem<T>& problem, const Rows& rows, int passes, const T* y,
                  const std::uint8_t* keep, T* a) {
  Room<T> room(problem, keep);
  for_tiles<T>(rows, [&](const Index* items, Index n) {
    load(problem, items, n, y, keep, static_cast<const T*>(a), room.tile());
    move(problem, passes, room.tile());
    lines_to_rows(room.tile().f, kTile<T>, problem.n_columns(), items, n, a);
  });
  double moved = 0.0;
  for (Index k = problem.first(); k < problem.n_columns(); ++k)
    moved += problem.curvature(k) * room.sum(k);
  return moved;
}

template <class T>
void add_row_gaps(const RowProblem<T>& problem, const Rows& rows, const T* y, const T* a,
                  const std::vector<std::uint8_t>& members_only, Vec sums) {
  Room<T> room(problem, nullptr);
  room.tile().members_only = members_only.empty() ? nullptr : members_only.data();
  for_tiles<T>(rows, [&](const Index* items, Index n) {
    load<T>(problem, items, n, y, nullptr, a, room.tile());
    judge(problem, room.tile());
  });
  for (Index k = problem.first(); k < problem.n_columns(); ++k)
    sums[k] += problem.curvature(k) * room.sum(k);
}

template <class T>
void add_row_gaps_in_order(const RowProblem<T>& problem, const Rows& rows, const T* y, const T* a,
                           const std::vector<std::uint8_t>& members_only, Vec sums) {
  const Index rank = problem.n_columns();
  for (Index r = 0; r < rows.n; ++r) {
    const T *own = a + rows[r] * rank, *pull = y + rows[r] * problem.n_unknown();
    for (Index k = problem.first(); k < rank; ++k) {
      const auto now = static_cast<double>(own[k]);
      if (now == 0.0 && !members_only.empty() && members_only[k] != 0) continue;
      const double off = now - problem.minimiser(k, problem.pull(k, k, pull, own), now);
      sums[k] += problem.curvature(k) * off * off;
    }
  }
}

template <class T>
double sweep_row(const RowProblem<T>& problem, int passes, const T* y, const std::uint8_t* keep,
                 T* a) {
  const Index rank = problem.n_columns();
  const std::vector<T> before(a, a + rank);
  for (int pass = 0; pass < passes; ++pass) {
    for (Index k = problem.first(); k < rank; ++k) {
      if (keep != nullptr && keep[k] == 0) continue;
      a[k] = static_cast<T>(
          problem.minimiser(k, problem.pull(k, rank, y, a), static_cast<double>(a[k])));
    }
  }
  double moved = 0.0;
  for (Index k = problem.first(); k < rank; ++k) {
    const double change = static_cast<double>(a[k]) - static_cast<double>(before[k]);
    moved += problem.curvature(k) * change * change;
  }
  return moved;
}

template class RowProblem<double>;
template class RowProblem<float>;
template double sweep_rows(const RowProblem<double>&, const Rows&, int, const double*,
                           const std::uint8_t*, double*);
template double sweep_rows(const RowProblem<float>&, const Rows&, int, const float*,
                           const std::uint8_t*, float*);
template void add_row_gaps(const RowProblem<double>&, const Rows&, const double*, const double*,
                           const std::vector<std::uint8_t>&, Vec);
template void add_row_gaps(const RowProblem<float>&, const Rows&, const float*, const float*,
                           const std::vector<std::uint8_t>&, Vec);
template void add_row_gaps_in_order(const RowProblem<double>&, const Rows&, const double*,
                                    const double*, const std::vector<std::uint8_t>&, Vec);
template void add_row_gaps_in_order(const RowProblem<float>&, const Rows&, const float*,
                                    const float*, const std::vector<std::uint8_t>&, Vec);
template double sweep_row(const RowProblem<double>&, int, const double*, const std::uint8_t*,
                          double*);
template double sweep_row(const RowProblem<float>&, int, const float*, const std::uint8_t*, float*);

}  // namespace gingham
