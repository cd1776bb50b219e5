// The total-variation prox with curvatures and an l1 term, by dynamic programming.
//
// As in the plain case (tv_prox.cpp): F_{i+1}'(v) = m_i'(v) + h v - b + alpha sgn v, m_i' is F_i'
// clipped to [-gamma, gamma]. All alpha-terms jump at v = 0, so one number, the jump there, is kept
// beside the queue of bends; clipping may cut the jump in two. Inside, slopes rise along the queue
// and then fall, and are at least the newest h; values are carried from bend to bend, so no large
// intercepts cancel. Times with h = 0 are left out and filled in at the end: the cost does not
// change when they copy a neighbour.
#include <algorithm>

#include "gingham/kernels/tv_prox.hpp"
#include "gingham/kernels/tv_prox_checks.hpp"

namespace gingham {
namespace {

constexpr double kFarthest = 1e300;  // stands for targets b / h beyond the range of numbers

constexpr Index kTogether = 8;  // signals copied at once

double within_range(double x) { return std::clamp(x, -kFarthest, kFarthest); }

struct Bend {
  double position;
  double slope;  // change of slope there
};

class Programme {
 public:
  explicit Programme(std::size_t t) : bends_(2 * t + 2), low_(t), high_(t) {}

  // v of `t` observed times; h > 0. Overwrites v only after all inputs were read.
  void solve(const double* h, const double* b, const double* alpha, Index t, double gamma,
             double* v) {
    first_ = last_ = t + 1;
    jump_ = 0.0;
    left_ = right_ = 0.0;
    for (Index i = 0; i + 1 < t; ++i) {
      jump_ += 2.0 * alpha[i];
      const double slope_low = leave_floor(h[i], b[i], alpha[i], -gamma, low_[i]);
      const double slope_high = reach_ceiling(h[i], b[i], alpha[i], gamma, low_[i], high_[i]);
      bends_[--first_] = {low_[i], slope_low};
      bends_[last_++] = {high_[i], -slope_high};
      left_ = -gamma;
      right_ = gamma;
    }
    jump_ += 2.0 * alpha[t - 1];
    leave_floor(h[t - 1], b[t - 1], alpha[t - 1], 0.0, v[t - 1]);
    for (Index i = t - 2; i >= 0; --i) v[i] = std::min(std::max(v[i + 1], low_[i]), high_[i]);
  }

 private:
  // From the left: the smallest v with F'(v) >= floor goes to `low`; takes the bends and the jump
  // before it. Returns the slope right of it.
  double leave_floor(double h, double b, double alpha, double floor, double& low) {
    double at = 0.0;  // the last bend passed, F' there, and the slope after it
    double value = 0.0;
    double slope = h;
    bool started = false;
    for (;;) {
      const bool has_bend = first_ < last_;
      // A jump that is left has not been passed yet: it lies ahead.
      const bool at_zero = jump_ > 0.0 && (!has_bend || bends_[first_].position >= 0.0);
      if (!has_bend && !at_zero) {
        low = within_range((floor - right_ + b - alpha) / h);
        if (started) low = std::max(low, at);
        return h;
      }
      const double next = at_zero ? 0.0 : bends_[first_].position;
      const double there = started ? value + slope * (next - at) : left_ + h * next - b - alpha;
      if (there >= floor) {
        low = started ? at + (floor - value) / slope : (floor - left_ + b + alpha) / h;
        low = std::min(within_range(low), next);
        if (started) low = std::max(low, at);
        return slope;
      }
      value = there;
      if (at_zero) {
        value += jump_;
        if (value >= floor) {
          jump_ = value - floor;
          low = 0.0;
          return slope;
        }
        jump_ = 0.0;
      } else {
        slope = std::max(slope + bends_[first_].slope, h);
        ++first_;
      }
      at = next;
      started = true;
    }
  }

  // The mirror image: the largest v with F'(v) <= ceiling, but not below `low`, goes to `high`.
  // Returns the slope left of it.
  double reach_ceiling(double h, double b, double alpha, double ceiling, double low, double& high) {
    double at = 0.0;
    double value = 0.0;
    double slope = h;
    bool started = false;
    for (;;) {
      const bool has_bend = first_ < last_;
      const bool at_zero = jump_ > 0.0 && (!has_bend || bends_[last_ - 1].position <= 0.0);
      if (!has_bend && !at_zero) {
        high = started ? at - (value - ceiling) / slope : (ceiling - right_ + b - alpha) / h;
        high = std::max(within_range(high), low);
        if (started) high = std::min(high, std::max(at, low));
        return slope;
      }
      const double next = at_zero ? 0.0 : bends_[last_ - 1].position;
      const double there = started ? value - slope * (at - next) : right_ + h * next - b + alpha;
      if (there <= ceiling) {
        high = started ? at - (value - ceiling) / slope : (ceiling - right_ + b - alpha) / h;
        high = std::max({within_range(high), next, low});
        if (started) high = std::min(high, std::max(at, low));
        return slope;
      }
      value = there;
      if (at_zero) {
        value -= jump_;
        if (value <= ceiling) {
          jump_ = ceiling - value;
          high = std::max(0.0, low);
          return slope;
        }
        jump_ = 0.0;
      } else {
        --last_;
        slope = std::max(slope - bends_[last_].slope, h);
      }
      at = next;
      started = true;
    }
  }

  std::vector<Bend> bends_;
  std::vector<double> low_;
  std::vector<double> high_;
  Index first_ = 0;  // the bends are first_ ... last_ - 1
  Index last_ = 0;
  double jump_ = 0.0;   // of m' (and then F') at v = 0
  double left_ = 0.0;   // m' before the first bend
  double right_ = 0.0;  // m' after the last bend
};

// One signal: leaves out the unobserved times, solves, fills them in.
class Solver {
 public:
  explicit Solver(std::size_t t) : programme_(t), h_(t), b_(t), alpha_(t), v_(t) {}

  template <class AlphaAt>
  void solve(ConstVec h, ConstVec b, double gamma, const AlphaAt& alpha_at, bool same_alpha,
             Vec result) {
    const Index t = static_cast<Index>(h.size());
    Index observed = 0;
    for (Index i = 0; i < t; ++i) {
      tv::require_weight(h[i]);
      if (h[i] == 0.0) continue;
      h_[observed] = h[i];
      b_[observed] = b[i];
      alpha_[observed] = alpha_at(i);
      tv::require_weight(alpha_[observed]);
      ++observed;
    }
    tv::require_finite(ConstVec(h_.data(), static_cast<std::size_t>(observed)));
    tv::require_finite(ConstVec(b_.data(), static_cast<std::size_t>(observed)));
    if (observed > 0) solve_observed(observed, gamma, same_alpha);
    Index next = 0;
    // result may share memory with h: an entry of h is read before it is written.
    for (Index i = 0; i < t; ++i) {
      const bool is_observed = h[i] > 0.0;
      const bool empty = observed == 0 || (gamma == 0.0 && !is_observed);
      result[i] = empty ? 0.0 : v_[std::min(next, observed - 1)];
      next += is_observed;
    }
  }

 private:
  void solve_observed(Index n, double gamma, bool same_alpha) {
    if (gamma == 0.0) {
      for (Index i = 0; i < n; ++i) v_[i] = within_range(tv::soft(b_[i], alpha_[i]) / h_[i]);
      return;
    }
    if (same_alpha) {  // decided by tv_gamma_max_weighted, so that its value gives constants
                       // exactly
      const ConstVec h(h_.data(), static_cast<std::size_t>(n));
      const ConstVec b(b_.data(), static_cast<std::size_t>(n));
      double level = 0.0;
      if (gamma >= tv_gamma_max_weighted(h, b, alpha_[0], &level)) {
        std::fill_n(v_.begin(), n, within_range(level));
        return;
      }
    }
    programme_.solve(h_.data(), b_.data(), alpha_.data(), n, gamma, v_.data());
  }

  Programme programme_;
  std::vector<double> h_, b_, alpha_, v_;
};

}  // namespace

void tv_prox_weighted(ConstVec h, ConstVec b, double gamma, double alpha, Vec result) {
  tv::require_weight(gamma);
  tv::require_weight(alpha);
  tv::require_same(h.size() == b.size() && h.size() == result.size());
  Solver(h.size()).solve(
      h, b, gamma, [alpha](Index) { return alpha; }, true, result);
}

void tv_prox_weighted(ConstVec h, ConstVec b, double gamma, ConstVec alpha, Vec result) {
  tv::require_weight(gamma);
  tv::require_same(h.size() == b.size() && h.size() == result.size() && h.size() == alpha.size());
  Solver(h.size()).solve(
      h, b, gamma, [alpha](Index i) { return alpha[i]; }, false, result);
}

void tv_prox_weighted(const Matrix& h, const Matrix& b, double gamma, double alpha, Matrix& result,
                      Executor& executor) {
  tv::require_weight(gamma);
  tv::require_weight(alpha);
  tv::require_same(h.rows() == b.rows() && h.cols() == b.cols() && h.rows() == result.rows() &&
                   h.cols() == result.cols());
  const Index t = h.rows();
  const Index n = h.cols();
  double* values = result.data();
  const Partition partition = Partition::even(n, 2 * tv::kWorkPerValue * t);
  executor.map(partition.count(), [&](Index block) {
    const std::size_t length = static_cast<std::size_t>(t);
    Solver solver(length);
    // A cache line's worth of signals is copied at once, or every line would be fetched eight
    // times.
    std::vector<double> curvature(kTogether * length), linear(kTogether * length);
    for (Index j = partition.begin(block); j < partition.end(block); j += kTogether) {
      const Index count = std::min(kTogether, partition.end(block) - j);
      for (Index i = 0; i < t; ++i) {
        for (Index k = 0; k < count; ++k) {
          curvature[k * t + i] = h(i, j + k);
          linear[k * t + i] = b(i, j + k);
        }
      }
      for (Index k = 0; k < count; ++k) {
        const Vec column(curvature.data() + k * t, length);
        solver.solve(
            column, ConstVec(linear.data() + k * t, length), gamma,
            [alpha](Index) { return alpha; }, true, column);
      }
      for (Index i = 0; i < t; ++i) {
        for (Index k = 0; k < count; ++k) values[i * n + j + k] = curvature[k * t + i];
      }
    }
  });
}

}  // namespace gingham
