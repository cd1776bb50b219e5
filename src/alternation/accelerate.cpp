// All components of a panel at once.
#include <algorithm>
#include <cmath>

#include "gingham/alternation/panel.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::alternation {

// 1/2 f^T Q f - y^T f = -1/2 (y + r)^T f with r = y - Q f.
double Panel::cost(Curvature steps, Executor& executor) {
  std::vector<double> left(n_values(), 0.0);
  residuals(room_.f.data(), left.data(), executor);
  double total = 0.0;
  for (Index k = 0; k < rank_; ++k) {
    const auto n = static_cast<std::size_t>(n_);
    const ConstVec f(line(k), n);
    total -=
        0.5 * (dot(ConstVec(y_line(k), n), f) + dot(ConstVec(left.data() + k * stride_, n), f));
    total += penalty_.value(f, steps);
  }
  return total;
}

// The curvature of a gradient step: none where nothing was observed.
Curvature Panel::steps_of(double lipschitz) {
  const auto is_seen = [&](Index item) { return part_.data->is_seen(part_.mode, item); };
  if (std::all_of(items_.begin(), items_.end(), is_seen)) return lipschitz;
  std::vector<double>& steps = room_.curvature;
  for (Index i = 0; i < n_; ++i) steps[i] = is_seen(items_[i]) ? lipschitz : 0.0;
  return ConstVec(steps.data(), static_cast<std::size_t>(n_));
}

// Whether a step from 0 stays there.
bool Panel::is_zero_best(Curvature steps) {
  for (Index k = 0; k < rank_; ++k) {
    const Vec next = now();
    for (Index i = 0; i < n_; ++i) next[i] = steps[i] > 0.0 ? y_line(k)[i] : 0.0;
    minimise(steps);
    if (!is_zero(next)) return false;
  }
  return true;
}

double Panel::accelerate(double lipschitz, double share, int max_steps, Executor& executor) {
  if (!(lipschitz > 0.0)) return sweep(1, executor);
  const std::size_t size = n_values();
  double* f = room_.f.data();
  const std::vector<double> start(f, f + size);
  const auto moved_since_start = [&](Curvature steps) {
    double squares = 0.0;
    for (Index k = 0; k < rank_; ++k) {
      for (Index i = 0; i < n_; ++i) {
        const double change = line(k)[i] - start[k * stride_ + i];
        squares += steps[i] * change * change;
      }
    }
    return squares;
  };
  const Curvature steps = steps_of(lipschitz);
  if (is_zero_best(steps)) {
    std::fill_n(f, size, 0.0);
    fill_models(f, rank_);
    return moved_since_start(steps);
  }
  const double start_cost = cost(steps, executor);
  std::vector<double> point = start, residual(size, 0.0), before;
  double momentum = 1.0, first_move = -1.0;
  for (int step = 0; step < max_steps; ++step) {
    residuals(point.data(), residual.data(), executor);
    before.assign(f, f + size);
    double moved = 0.0, uphill = 0.0;
    for (Index k = 0; k < rank_; ++k) {
      const double *from = point.data() + k * stride_, *r = residual.data() + k * stride_;
      const Vec next = now();
      for (Index i = 0; i < n_; ++i) next[i] = steps[i] > 0.0 ? steps[i] * from[i] + r[i] : 0.0;
      minimise(steps);
      double* own = line(k);
      for (Index i = 0; i < n_; ++i) {
        moved += steps[i] * (next[i] - from[i]) * (next[i] - from[i]);
        uphill += steps[i] * (from[i] - next[i]) * (next[i] - own[i]);
        own[i] = next[i];
      }
    }
    if (first_move < 0.0) first_move = moved;
    if (!(moved > share * share * first_move)) break;
    const bool starts_again = uphill > 0.0;
    const double next =
        starts_again ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    const double ahead = starts_again ? 0.0 : (momentum - 1.0) / next;
    momentum = next;
    for (std::size_t e = 0; e < size; ++e) point[e] = f[e] + ahead * (f[e] - before[e]);
  }
  if (!(cost(steps, executor) <= start_cost)) std::copy(start.begin(), start.end(), f);
  fill_models(f, rank_);
  return moved_since_start(steps);
}

}  // namespace gingham::alternation
