// The taut string by nested clamps: almost no branches, so that signals go in step, vectorised.
//
// Let P_i be the sum of the first i values, centred at the mean of all. The sums of the solution
// are the shortest path from (0, 0) to (t, P_t) that keeps within P_k +- gamma at every time k
// between. The shortest path to any point (i, y) arrives there with a slope that leads back through
// the gates k = i-1, i-2, ..., that is, lies in
//
//   I_k = [(y - P_k - gamma) / (i - k), (y - P_k + gamma) / (i - k)],
//
// as far as these intervals have a point in common; then it bends at the end of the nearer ones. So
// the slope is y / i clamped to I_1, then to I_2, ..., at last to I_{i-1}. Let low_i and high_i be
// the slopes that arrive at P_i - gamma and P_i + gamma. Then v_t is the slope that arrives at P_t,
// and backwards v_i = clamp(v_{i+1}, low_i, high_i): equal neighbours are equal to the last bit.
//
// O(t^2), but eight instructions per pair of times serve eight signals. Clamps can be joined into
// one without rounding. Joined from the nearest gate on they are often constant after a few, and
// the farther gates need not be looked at.
//
// Compiled without contraction to fused multiply-adds: a signal gets the same bits alone, among
// others and on every machine.
#include "gingham/kernels/tv_prox_short.hpp"

#include <algorithm>
#include <cstring>

#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/tv_prox_checks.hpp"

namespace gingham::tv {
namespace {

using Scales = ShortProx::Scales;

constexpr Index kNearGates = 12;  // joined from the nearest on, before the rest from the farthest
constexpr Index kCheckEvery = 4;  // gates
constexpr Index kPause = 3;       // values for which near gates are not tried after they failed

// Centred sums up to here keep every term of the formulas finite.
constexpr double kLargestSum = std::numeric_limits<double>::max() / 8.0;
constexpr double kDown = 0x1p-20;  // brings the sums of any finite values below

// N signals in step. Vectors are never passed by value.
template <Index N>
struct Lanes {
  typedef double V __attribute__((vector_size(8 * N)));
  typedef std::int64_t Mask __attribute__((vector_size(8 * N)));
};
template <>
struct Lanes<1> {
  using V = double;
};
constexpr Index kMostLanes = 8;

// Whether all are at most `bound`; NaN is not.
template <Index N>
GINGHAM_INLINE bool within(const typename Lanes<N>::V& x, double bound) {
  if constexpr (N == 1) {
    return x <= bound;
  } else {
    const typename Lanes<N>::Mask mask = x <= bound;
    std::int64_t all = -1;
    for (Index l = 0; l < N; ++l) all &= mask[l];
    return all != 0;
  }
}
template <class V>
GINGHAM_INLINE void raise(V& x, const V& least) {
  x = x > least ? x : least;
}
template <class V>
GINGHAM_INLINE void lower(V& x, const V& most) {
  x = x < most ? x : most;
}

// The function x -> min(max(x, low), high), low <= high.
template <class V>
struct Clamp {
  V low, high;

  GINGHAM_INLINE void apply(V& x) const {
    raise(x, low);
    lower(x, high);
  }
  // Becomes this clamp after the clamp to [first_low, first_high].
  GINGHAM_INLINE void join(const V& first_low, const V& first_high) {
    V new_low = first_low;
    V new_high = first_high;
    apply(new_low);
    apply(new_high);
    low = new_low;
    high = new_high;
  }
};

// low_{i+1} and high_{i+1}, where p[k] = P_{k+1}. The gate m times before clamps the first to [mean
// - width, mean] and the second to [mean, mean + width], with the mean of the m values since.
template <Index N>
class Slopes {
  using V = typename Lanes<N>::V;

 public:
  GINGHAM_INLINE Slopes(const Scales& scales, const V* p, Index i)
      : scales_(scales), p_(p), i_(i) {}

  // Joins the nearest gates; true when these decide.
  GINGHAM_INLINE bool join_near() {
    const V value = p_[i_] - p_[i_ - 1];
    to_low_.low = value - scales_.width[1];
    to_low_.high = value;
    to_high_.low = value;
    to_high_.high = value + scales_.width[1];
    for (Index m = 2; m <= kNearGates; ++m) {
      const V mean = (p_[i_] - p_[i_ - m]) * scales_.inverse[m];
      const V below = mean - scales_.width[m];
      const V above = mean + scales_.width[m];
      to_low_.join(below, mean);
      to_high_.join(mean, above);
      if (m % kCheckEvery != 0) continue;
      const V undecided = (to_low_.high - to_low_.low) + (to_high_.high - to_high_.low);
      if (within<N>(undecided, 0.0)) {
        low = to_low_.low;
        high = to_high_.low;
        return true;
      }
    }
    return false;
  }

  // From the farthest gate on, without the nearest `joined` ones.
  GINGHAM_INLINE void clamp_far(Index joined) {
    low = (p_[i_] - scales_.gamma) * scales_.inverse[i_ + 1];
    high = (p_[i_] + scales_.gamma) * scales_.inverse[i_ + 1];
    for (Index m = i_; m > joined; --m) {
      const V mean = (p_[i_] - p_[i_ - m]) * scales_.inverse[m];
      const V below = mean - scales_.width[m];
      const V above = mean + scales_.width[m];
      raise(low, below);
      lower(low, mean);
      lower(high, above);
      raise(high, mean);
    }
  }
  GINGHAM_INLINE void clamp_near() {
    to_low_.apply(low);
    to_high_.apply(high);
  }

  V low, high;

 private:
  const Scales& scales_;
  const V* p_;
  Index i_;
  Clamp<V> to_low_, to_high_;
};

// Replaces N signals; false, and none is replaced, when one has a value that is not finite or sums
// too large.
template <Index N>
GINGHAM_INLINE bool solve_lanes(double* a, Index stride, const Scales& scales) {
  using V = typename Lanes<N>::V;
  const Index t = scales.t;
  V p[kLongestShort], low[kLongestShort], high[kLongestShort];
  V mean{}, value;
  // The same sums as in tv_gamma_max, so that its value gives constants exactly.
  for (Index i = 0; i < t; ++i) {
    std::memcpy(&value, a + i * stride, sizeof value);
    mean += value;
  }
  mean /= static_cast<double>(t);
  V partial{}, largest{};
  for (Index i = 0; i < t; ++i) {
    std::memcpy(&value, a + i * stride, sizeof value);
    partial += value - mean;
    p[i] = partial;
    if (i == t - 1) break;
    V absolute = -partial;
    raise(absolute, partial);
    raise(largest, absolute);
  }
  // A value that is not finite, or a sum that overflowed, makes the mean and all of p not finite.
  if (!within<N>(largest, kLargestSum)) return false;
  if (within<N>(largest, scales.gamma)) {
    for (Index i = 0; i < t; ++i) std::memcpy(a + i * stride, &mean, sizeof mean);
    return true;
  }

  Index wait = 0;  // values until near gates are tried again
  for (Index i = 0; i + 1 < t; ++i) {
    Slopes<N> slopes(scales, p, i);
    const bool try_near = i >= 2 * kNearGates && wait-- <= 0;
    if (!try_near) {
      slopes.clamp_far(0);
    } else if (!slopes.join_near()) {
      slopes.clamp_far(kNearGates);
      slopes.clamp_near();
      wait = kPause;
    }
    low[i] = slopes.low;
    high[i] = slopes.high;
  }
  V v = p[t - 1] * scales.inverse[t];
  for (Index m = t - 1; m > 0; --m) {
    const V slope = (p[t - 1] - p[t - 1 - m]) * scales.inverse[m];
    const V below = slope - scales.reach[m];
    const V above = slope + scales.reach[m];
    raise(v, below);
    lower(v, above);
  }
  for (Index i = t - 1; i >= 0; --i) {
    if (i < t - 1) {
      raise(v, low[i]);
      lower(v, high[i]);
    }
    value = mean + v;
    value = largest > scales.gamma ? value : mean;
    std::memcpy(a + i * stride, &value, sizeof value);
  }
  return true;
}

// Replaces the first signals of `count`, N at a time, and returns how many: all but a rest below N,
// or up to some that must go alone.
template <Index N>
GINGHAM_INLINE Index solve_groups(double* a, Index stride, Index count, const Scales& scales) {
  Index j = 0;
  while (j + N <= count && solve_lanes<N>(a + j, stride, scales)) j += N;
  return j;
}

// Compilers take comparisons apart when vectors are wider than registers, so each level has its own
// width.
#ifdef GINGHAM_LEVEL
GINGHAM_LEVEL("arch=x86-64-v4")
Index solve_in_step(double* a, Index stride, Index count, const Scales& scales) {
  return solve_groups<8>(a, stride, count, scales);
}
GINGHAM_LEVEL("arch=x86-64-v3")
Index solve_in_step(double* a, Index stride, Index count, const Scales& scales) {
  return solve_groups<4>(a, stride, count, scales);
}
GINGHAM_LEVEL("default")
#endif
Index solve_in_step(double* a, Index stride, Index count, const Scales& scales) {
  return solve_groups<2>(a, stride, count, scales);
}

}  // namespace

ShortProx::ShortProx(Index t, double gamma) {
  scales_.t = t;
  scales_.gamma = gamma;
  for (Index m = 1; m <= t; ++m) {
    scales_.inverse[m] = 1.0 / static_cast<double>(m);
    scales_.reach[m] = gamma / static_cast<double>(m);
    scales_.width[m] = 2.0 * gamma / static_cast<double>(m);
  }
}

void ShortProx::solve_one(double* a, Index stride) const {
  if (solve_lanes<1>(a, stride, scales_)) return;
  constexpr double most = std::numeric_limits<double>::max();
  for (Index i = 0; i < scales_.t; ++i) require_finite(ConstVec(a + i * stride, 1));
  for (Index i = 0; i < scales_.t; ++i) a[i * stride] *= kDown;
  ShortProx(scales_.t, scales_.gamma * kDown).solve_one(a, stride);
  for (Index i = 0; i < scales_.t; ++i)
    a[i * stride] = std::clamp(a[i * stride] / kDown, -most, most);
}

void ShortProx::solve(double* a, Index stride, Index count) const {
  Index j = solve_in_step(a, stride, count, scales_);
  while (count - j >= kMostLanes) {  // some must go alone
    for (const Index end = j + kMostLanes; j < end; ++j) solve_one(a + j, stride);
    j += solve_in_step(a + j, stride, count - j, scales_);
  }
  const Index rest = count - j;
  double tile[kLongestShort * kMostLanes];  // idle lanes repeat the last signal
  if (rest > 1) {
    for (Index i = 0; i < scales_.t; ++i) {
      for (Index l = 0; l < kMostLanes; ++l)
        tile[i * kMostLanes + l] = a[i * stride + j + std::min(l, rest - 1)];
    }
    if (solve_in_step(tile, kMostLanes, kMostLanes, scales_) == kMostLanes) {
      for (Index i = 0; i < scales_.t; ++i)
        std::copy_n(tile + i * kMostLanes, rest, a + i * stride + j);
      return;
    }
  }
  for (; j < count; ++j) solve_one(a + j, stride);
}

}  // namespace gingham::tv
