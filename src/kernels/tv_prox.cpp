// The plain total-variation prox by dynamic programming, several signals in step; short signals go
// another way (tv_prox_short.cpp).
//
// Let F_i(v) be the least cost of the first i values when the i-th is v, and m_i(v) = min_u F_i(u)
// + gamma |v - u|. Then F_{i+1}'(v) = m_i'(v) + v - a_{i+1}, and m_i' is F_i' clipped to [-gamma,
// gamma], which it leaves at low_i and high_i: F_i'(low_i) = -gamma, F_i'(high_i) = gamma.
// Backwards, v_t is the root of F_t' and v_i = clamp(v_{i+1}, low_i, high_i), so equal neighbours
// are equal to the last bit.
//
// m_i' is piecewise linear: -gamma, then rising pieces, then gamma. Its bends (position, change of
// slope, change of intercept) form a queue with two ends; clipping takes bends off either end and
// puts one new bend there. Each bend is put and taken once: O(t).
//
// How many bends a step takes off is unpredictable, and mispredicted branches cost more than the
// arithmetic. Hence several signals go through each step together, and the first bends are taken
// without a branch.
#include "gingham/kernels/tv_prox.hpp"

#include "gingham/kernels/tv_prox_checks.hpp"
#include "gingham/kernels/tv_prox_short.hpp"

namespace gingham {
namespace {

constexpr Index kTile = 16;  // signals in step
constexpr int kRounds = 2;   // bends taken without a branch; the rare further ones by a loop

struct Bend {
  double position;
  double slope;      // change of slope there
  double intercept;  // change of intercept there
  double unused;     // a bend is half a cache line
};

// What `lanes` signals of t values need: a queue of bends each, which grows from its middle to both
// sides, and the clipping points.
struct Workspace {
  Workspace(Index t, Index lanes) : bends((2 * t + 2) * lanes), low(t * lanes), high(t * lanes) {}
  Array<Bend> bends;
  Array<double> low;
  Array<double> high;
};

// The Lanes signals at a[i * stride + l], i < t, are replaced by their solutions. Requires t >= 2,
// gamma > 0.
template <Index Lanes>
void solve_lanes(double* a, Index stride, Index t, double gamma, Workspace& work) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double* const low = work.low.data();
  double* const high = work.high.data();
  double s[Lanes];  // the piece F'(v) = s v + c under consideration
  double c[Lanes];
  double mean[Lanes];
  bool constant[Lanes];

  // Decided by the same sums as in tv_gamma_max, so that its value gives constants exactly.
  for (Index l = 0; l < Lanes; ++l) mean[l] = 0.0;
  for (Index i = 0; i < t; ++i) {
    for (Index l = 0; l < Lanes; ++l) mean[l] += a[i * stride + l];
  }
  for (Index l = 0; l < Lanes; ++l) {
    mean[l] /= static_cast<double>(t);
    s[l] = c[l] = 0.0;
  }
  for (Index i = 0; i + 1 < t; ++i) {
    for (Index l = 0; l < Lanes; ++l) {
      s[l] += a[i * stride + l] - mean[l];
      c[l] = std::max(c[l], std::abs(s[l]));
    }
  }
  bool all_constant = true;
  for (Index l = 0; l < Lanes; ++l) {
    constant[l] = gamma >= c[l];
    all_constant &= constant[l];
  }

  if (!all_constant) {
    // The bends of a lane are first ... last; a bend at infinity beyond either end is never taken.
    Bend* first[Lanes];
    Bend* last[Lanes];
    for (Index l = 0; l < Lanes; ++l) {
      const double value = a[l];
      low[l] = value - gamma;
      high[l] = value + gamma;
      first[l] = work.bends.data() + (2 * t + 2) * l + t;
      last[l] = first[l] + 1;
      *first[l] = {low[l], 1.0, gamma - value, 0.0};
      *last[l] = {high[l], -1.0, gamma + value, 0.0};
    }
    for (Index i = 1; i < t; ++i) {
      const double* row = a + i * stride;
      // The last step looks for the root of F' instead of the place where it leaves -gamma.
      const double floor = i == t - 1 ? 0.0 : -gamma;
      for (Index l = 0; l < Lanes; ++l) {
        s[l] = 1.0;
        c[l] = -row[l] - gamma;
        last[l][1] = {infinity, 0.0, 0.0, 0.0};
      }
      for (int round = 0; round < kRounds; ++round) {
        for (Index l = 0; l < Lanes; ++l) {
          const Bend& bend = *first[l];
          const bool take = s[l] * bend.position + c[l] < floor;
          const double times = take;
          s[l] += times * bend.slope;
          c[l] += times * bend.intercept;
          first[l] += take;
        }
      }
      for (Index l = 0; l < Lanes; ++l) {
        for (; s[l] * first[l]->position + c[l] < floor; ++first[l]) {
          s[l] += first[l]->slope;
          c[l] += first[l]->intercept;
        }
        low[i * Lanes + l] = (floor - c[l]) / s[l];
        --first[l];
        *first[l] = {-infinity, s[l], c[l] - floor, 0.0};
      }
      if (i == t - 1) break;
      for (Index l = 0; l < Lanes; ++l) {
        s[l] = 1.0;
        c[l] = gamma - row[l];
      }
      for (int round = 0; round < kRounds; ++round) {
        for (Index l = 0; l < Lanes; ++l) {
          const Bend& bend = *last[l];
          const bool take = s[l] * bend.position + c[l] > gamma;
          const double times = take;
          s[l] -= times * bend.slope;
          c[l] -= times * bend.intercept;
          last[l] -= take;
        }
      }
      for (Index l = 0; l < Lanes; ++l) {
        for (; s[l] * last[l]->position + c[l] > gamma; --last[l]) {
          s[l] -= last[l]->slope;
          c[l] -= last[l]->intercept;
        }
        first[l]->position = low[i * Lanes + l];
        high[i * Lanes + l] = std::max((gamma - c[l]) / s[l], low[i * Lanes + l]);
        ++last[l];
        *last[l] = {high[i * Lanes + l], -s[l], gamma - c[l], 0.0};
      }
    }
    for (Index l = 0; l < Lanes; ++l) s[l] = a[(t - 1) * stride + l] = low[(t - 1) * Lanes + l];
    for (Index i = t - 2; i >= 0; --i) {
      for (Index l = 0; l < Lanes; ++l) {
        const double value = std::min(std::max(s[l], low[i * Lanes + l]), high[i * Lanes + l]);
        s[l] = a[i * stride + l] = value;
      }
    }
  }
  for (Index l = 0; l < Lanes; ++l) {
    if (!constant[l]) continue;
    for (Index i = 0; i < t; ++i) a[i * stride + l] = mean[l];
  }
}

}  // namespace

void tv_prox(Vec signal, double gamma) {
  tv::require_weight(gamma);
  tv::require_finite(signal);
  const Index t = static_cast<Index>(signal.size());
  if (t < 2 || gamma == 0.0) return;
  if (t <= tv::kLongestShort) return tv::ShortProx(t, gamma).solve(signal.data(), 1, 1);
  Workspace work(t, 1);
  solve_lanes<1>(signal.data(), 1, t, gamma, work);
}

void tv_prox(Matrix& signals, double gamma, Executor& executor) {
  tv::require_weight(gamma);
  const Index t = signals.rows();
  const Index n = signals.cols();
  double* values = signals.data();
  if (t >= 2 && t <= tv::kLongestShort && gamma > 0.0) {
    const tv::ShortProx prox(t, gamma);
    const Partition partition = Partition::even(n, t * tv::kWorkPerShortValue);
    executor.map(partition.count(), [&](Index block) {
      const Index begin = partition.begin(block);
      prox.solve(values + begin, n, partition.end(block) - begin);
    });
    return;
  }
  const Partition partition = Partition::even(n, t * tv::kWorkPerValue);
  executor.map(partition.count(), [&](Index block) {
    const Index begin = partition.begin(block);
    const Index end = partition.end(block);
    for (Index i = 0; i < t; ++i) {
      tv::require_finite(ConstVec(values + i * n + begin, static_cast<std::size_t>(end - begin)));
    }
    if (t < 2 || gamma == 0.0) return;
    Workspace work(t, kTile);
    Array<double> copy(t * kTile);
    for (Index j = begin; j < end; j += kTile) {
      const Index count = std::min(kTile, end - j);
      double* tile =
          copy.data();  // idle lanes hold the zeros or the solutions that were there before
      for (Index i = 0; i < t; ++i) std::copy_n(values + i * n + j, count, tile + i * kTile);
      solve_lanes<kTile>(tile, kTile, t, gamma, work);
      for (Index i = 0; i < t; ++i) std::copy_n(tile + i * kTile, count, values + i * n + j);
    }
  });
}

}  // namespace gingham
