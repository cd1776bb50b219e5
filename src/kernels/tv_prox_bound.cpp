// The weight of total variation from which on solutions are constant over time.
//
// Plain: constant at the mean m with the dual variables w_j = -sum_{i<=j} (a_i - m), hence gamma >=
// max |w|. Weighted: constant at c = soft(sum b, sum alpha) / sum h. For c != 0 the dual variables
// are again fixed: |sum_{i<=j} (b_i - h_i c - alpha_i sgn c)|. For c = 0 each |v_i| has a free
// subgradient s_i in
// [-alpha_i, alpha_i], and the partial sums of b - s must stay within +-gamma and end at 0. By
// propagating the interval of sums that can be reached, this is possible exactly when every run of
// times inside has |sum b| - sum alpha <= 2 gamma, and every run that touches one end has it <=
// gamma.
#include <algorithm>

#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/tv_prox.hpp"
#include "gingham/kernels/tv_prox_checks.hpp"

namespace gingham {
namespace {

// gamma_max for c = 0, one sign: excess_i = sign b_i - alpha_i.
class LargestRun {
 public:
  void add(double excess) {
    prefix_ += excess;
    largest_prefix_ = std::max(largest_prefix_, prefix_);
    ending_here_ = std::max(ending_here_, 0.0) + excess;
    largest_inside_ = std::max(largest_inside_, ending_here_);
  }
  // The largest run that ends with the last value added is a suffix.
  double bound() const {
    return std::max({largest_prefix_, largest_inside_ / 2.0, ending_here_, 0.0});
  }

 private:
  double prefix_ = 0.0;
  double largest_prefix_ = 0.0;
  double ending_here_ = 0.0;
  double largest_inside_ = 0.0;
};

constexpr Index kTogether = 64;  // signals in step: their sums stay in the nearest cache

// The bounds of `count` <= kTogether signals with `stride` values between times; t >= 2. The same
// additions as for one signal, in the same order. Where a value is not finite, neither is the
// bound.
GINGHAM_MULTIARCH
void bounds_of(const double* a, Index stride, Index t, Index count, double* bounds) {
  double mean[kTogether] = {};
  double partial[kTogether] = {};
  for (Index i = 0; i < t; ++i) {
    for (Index j = 0; j < count; ++j) mean[j] += a[i * stride + j];
  }
  for (Index j = 0; j < count; ++j) mean[j] /= static_cast<double>(t);
  for (Index j = 0; j < count; ++j) bounds[j] = 0.0;
  for (Index i = 0; i + 1 < t; ++i) {
    for (Index j = 0; j < count; ++j) {
      partial[j] += a[i * stride + j] - mean[j];
      bounds[j] = std::max(std::abs(partial[j]), bounds[j]);  // in this order NaN stays
    }
  }
}

}  // namespace

double tv_gamma_max(ConstVec signal) {
  tv::require_finite(signal);
  const std::size_t t = signal.size();
  double sum = 0.0;
  for (const double a : signal) sum += a;
  const double mean = sum / static_cast<double>(t);
  double partial = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i + 1 < t; ++i) {
    partial += signal[i] - mean;
    largest = std::max(largest, std::abs(partial));
  }
  return largest;
}

double tv_gamma_max_weighted(ConstVec h, ConstVec b, double alpha, double* level) {
  tv::require_weight(alpha);
  tv::require_same(h.size() == b.size());
  const std::size_t t = h.size();
  double sum_h = 0.0;
  double sum_b = 0.0;
  double sum_alpha = 0.0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < t; ++i) {
    tv::require_weight(h[i]);
    if (h[i] == 0.0) continue;
    sum_h += h[i];
    sum_b += b[i];
    sum_alpha += alpha;
    last = i;
  }
  const double c = sum_h > 0.0 ? tv::soft(sum_b, sum_alpha) / sum_h : 0.0;
  if (level != nullptr) *level = c;
  if (c != 0.0) {
    const double shrink = std::copysign(alpha, c);
    double partial = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < last; ++i) {
      if (h[i] == 0.0) continue;
      partial += b[i] - h[i] * c - shrink;
      largest = std::max(largest, std::abs(partial));
    }
    return largest;
  }
  LargestRun up;
  LargestRun down;
  for (std::size_t i = 0; i < t; ++i) {
    if (h[i] == 0.0) continue;
    up.add(b[i] - alpha);
    down.add(-b[i] - alpha);
  }
  return std::max(up.bound(), down.bound());
}

std::vector<double> tv_gamma_max(const Matrix& signals, Executor& executor) {
  std::vector<double> bounds(static_cast<std::size_t>(signals.cols()));
  const Index t = signals.rows();
  const Index n = signals.cols();
  if (t < 2) {
    tv::require_finite(signals.values());
    return bounds;
  }
  const Partition partition = Partition::even(n, 4 * t);
  executor.map(partition.count(), [&](Index block) {
    const Index end = partition.end(block);
    for (Index j = partition.begin(block); j < end; j += kTogether) {
      const std::size_t count = static_cast<std::size_t>(std::min(kTogether, end - j));
      const double* a = signals.data() + j;
      bounds_of(a, n, t, static_cast<Index>(count), bounds.data() + j);
      if (tv::all_finite(ConstVec(bounds.data() + j, count))) continue;
      for (Index i = 0; i < t; ++i) tv::require_finite(ConstVec(a + i * n, count));
    }
  });
  return bounds;
}

std::vector<double> tv_gamma_max_weighted(const Matrix& h, const Matrix& b, double alpha,
                                          Executor& executor) {
  tv::require_same(h.rows() == b.rows() && h.cols() == b.cols());
  std::vector<double> bounds(static_cast<std::size_t>(h.cols()));
  const Partition partition = Partition::even(h.cols(), 4 * h.rows());
  executor.map(partition.count(), [&](Index block) {
    std::vector<double> curvature(static_cast<std::size_t>(h.rows()));
    std::vector<double> linear(curvature.size());
    for (Index j = partition.begin(block); j < partition.end(block); ++j) {
      tv::column(h, j, curvature);
      tv::column(b, j, linear);
      bounds[j] = tv_gamma_max_weighted(curvature, linear, alpha);
    }
  });
  return bounds;
}

}  // namespace gingham
