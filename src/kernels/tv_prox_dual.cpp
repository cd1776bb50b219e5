// Projected gradient on the dual of the plain problem, all signals in step, vectorised across
// signals.
#include <algorithm>
#include <numbers>

#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/tv_prox.hpp"
#include "gingham/kernels/tv_prox_checks.hpp"

namespace gingham {
namespace {

// `count` signals that lie side by side with `stride` values between times; t >= 2.
struct Strip {
  const double* a;
  double* v;  // receives a - F'w for the present w
  double* w;  // t - 1 rows; receives the next dual point
  Index t, count, stride;
};

// v = a - F'w: v_i = a_i - w_{i-1} + w_i.
GINGHAM_MULTIARCH
void primal(const Strip& strip) {
  const Index last = strip.t - 1;
  for (Index i = 0; i < strip.t; ++i) {
    const double* before = strip.w + (i > 0 ? i - 1 : 0) * strip.stride;
    const double* here = strip.w + (i < last ? i : last - 1) * strip.stride;
    const double* a = strip.a + i * strip.stride;
    double* v = strip.v + i * strip.stride;
    const double take_before = i > 0 ? 1.0 : 0.0;
    const double take_here = i < last ? 1.0 : 0.0;
    for (Index j = 0; j < strip.count; ++j)
      v[j] = a[j] - take_before * before[j] + take_here * here[j];
  }
}

// The duality gap at (v, w) summed over the strip, gamma |d| - w d = d (sign(d) gamma - w) for
// every jump d: in this form no term is negative, whatever the rounding. Lane by lane, so the order
// of additions is fixed.
GINGHAM_MULTIARCH
double gap_of(const Strip& strip, double gamma) {
  constexpr Index kLanes = 8;
  double lanes[kLanes] = {};
  for (Index i = 0; i + 1 < strip.t; ++i) {
    const double* v = strip.v + i * strip.stride;
    const double* next = v + strip.stride;
    const double* dual = strip.w + i * strip.stride;
    Index j = 0;
    for (; j + kLanes <= strip.count; j += kLanes) {
      for (Index l = 0; l < kLanes; ++l) {
        const double jump = next[j + l] - v[j + l];
        lanes[l] += jump * (std::copysign(gamma, jump) - dual[j + l]);
      }
    }
    for (; j < strip.count; ++j) {
      const double jump = next[j] - v[j];
      lanes[0] += jump * (std::copysign(gamma, jump) - dual[j]);
    }
  }
  double total = 0.0;
  for (const double lane : lanes) total += lane;
  return total;
}

// w <- clip(w + F v / lambda_max, +-gamma)
GINGHAM_MULTIARCH
void ascend(const Strip& strip, double gamma, double step) {
  for (Index i = 0; i + 1 < strip.t; ++i) {
    const double* v = strip.v + i * strip.stride;
    const double* next = v + strip.stride;
    double* w = strip.w + i * strip.stride;
    for (Index j = 0; j < strip.count; ++j) {
      const double moved = w[j] + step * (next[j] - v[j]);
      w[j] = std::min(std::max(moved, -gamma), gamma);
    }
  }
}

}  // namespace

TvDualResult tv_prox_dual(Matrix& signals, double gamma, const TvDualOptions& options,
                          Executor& executor) {
  tv::require_weight(gamma);
  tv::require_finite(signals.values());
  TvDualResult result;
  const Index t = signals.rows();
  const Index n = signals.cols();
  if (t < 2 || n == 0 || gamma == 0.0) {
    result.gaps.push_back(0.0);
    result.converged = true;
    return result;
  }
  const double root = 2.0 * std::cos(std::numbers::pi / (2.0 * static_cast<double>(t)));
  const double step = 1.0 / (root * root);
  const Matrix a = signals;
  Matrix w(t - 1, n);
  const Partition partition = Partition::even(n, 8 * t);
  const auto strip_of = [&, v = signals.data(), dual = w.data()](Index block) {
    const Index j = partition.begin(block);
    return Strip{a.data() + j, v + j, dual + j, t, partition.end(block) - j, n};
  };

  const double half_square = sum_blocks(executor, partition.count(), [&](Index block) {
    const Strip strip = strip_of(block);
    double squares = 0.0;
    for (Index i = 0; i < t; ++i) {
      for (Index j = 0; j < strip.count; ++j)
        squares += 0.5 * strip.a[i * n + j] * strip.a[i * n + j];
    }
    return squares;
  });
  const double allowed = options.tolerance * std::max(1.0, half_square);
  for (Index iteration = 0; iteration < options.max_iterations; ++iteration) {
    // v and the gap belong to w as it is; then w moves on.
    const double gap = sum_blocks(executor, partition.count(), [&](Index block) {
      const Strip strip = strip_of(block);
      primal(strip);
      return gap_of(strip, gamma);
    });
    result.gaps.push_back(gap);
    result.converged = gap <= allowed;
    if (result.converged || iteration + 1 == options.max_iterations) break;
    executor.map(partition.count(), [&](Index block) {
      const Strip strip = strip_of(block);
      ascend(strip, gamma, step);
    });
  }
  return result;
}

}  // namespace gingham
