// The total-variation prox with curvatures and an l1 term, by dynamic programming.
//
// As in the plain case (tv_prox.cpp): F_{i+1}'(v) = m_i'(v) + h v - b + alpha sgn v, m_i' is F_i'
// clipped to [-gamma, gamma]. All alpha-terms jump at v = 0, so one number, the jump there, is kept
// beside the queue of bends; clipping may cut the jump in two.
//
// Pieces are s v + c with s a sum of h and c a sum of b, gamma and alpha over a stretch of time:
// never of positions, which are huge where h is small. Crossing the queue adds and later subtracts
// large h, so slopes carry their rounding errors along; each is at least the newest h.
//
// Times with h = 0 are left out and filled in at the end: the cost does not change when they copy a
// neighbour.
#include <algorithm>

#include "gingham/kernels/tv_prox.hpp"
#include "gingham/kernels/tv_prox_checks.hpp"

namespace gingham {
namespace {

constexpr double kFarthest = 1e300;  // stands for targets b / h beyond the range of numbers

constexpr Index kTogether = 8;  // signals copied at once

double within_range(double x) { return std::clamp(x, -kFarthest, kFarthest); }

// A sum of curvatures with its rounding error.
struct Slope {
  double high = 0.0;
  double low = 0.0;

  Slope operator-() const { return {-high, -low}; }
  Slope operator+(const Slope& other) const {
    const double sum = high + other.high;
    const double part = sum - high;
    const double error = (high - (sum - part)) + (other.high - part);
    const double rest = error + (low + other.low);
    const double total = sum + rest;
    return {total, rest - (total - sum)};
  }
};

struct Bend {
  double position;
  Slope slope;       // change of slope there
  double intercept;  // change of intercept there, the jump at 0 apart
};

class Programme {
 public:
  explicit Programme(std::size_t t) : bends_(2 * t + 2), low_(t), high_(t) {}

  // v of `t` observed times; h > 0.
  void solve(const double* h, const double* b, const double* alpha, Index t, double gamma,
             double* v) {
    first_ = last_ = t + 1;
    jump_ = left_ = right_ = 0.0;
    for (Index i = 0; i + 1 < t; ++i) {
      jump_ += 2.0 * alpha[i];
      const Bend low = leave_floor(h[i], b[i], alpha[i], -gamma);
      const Bend high = reach_ceiling(h[i], b[i], alpha[i], gamma, low.position);
      bends_[--first_] = low;
      bends_[last_++] = high;
      low_[i] = low.position;
      high_[i] = high.position;
      left_ = -gamma;
      right_ = gamma;
    }
    jump_ += 2.0 * alpha[t - 1];
    v[t - 1] = leave_floor(h[t - 1], b[t - 1], alpha[t - 1], 0.0).position;
    for (Index i = t - 2; i >= 0; --i) v[i] = std::min(std::max(v[i + 1], low_[i]), high_[i]);
  }

 private:
  // From the left: the smallest v with F'(v) >= floor. Takes the bends and the part of the jump
  // before it, and returns the bend that clipping makes there.
  Bend leave_floor(double h, double b, double alpha, double floor) {
    Slope slope{h};
    double intercept = left_ - b - alpha;
    double at = -kFarthest;
    for (;;) {
      const bool has_bend = first_ < last_;
      // A jump that is left has not been passed yet: it lies ahead.
      const bool at_zero = jump_ > 0.0 && (!has_bend || bends_[first_].position >= 0.0);
      if (!has_bend && !at_zero) {  // the last piece, without the errors of the way there
        intercept = right_ - b + alpha;
        return {std::clamp((floor - intercept) / h, at, kFarthest), {h}, intercept - floor};
      }
      const double next = at_zero ? 0.0 : bends_[first_].position;
      if (slope.high * next + intercept >= floor) {
        return {std::clamp((floor - intercept) / slope.high, at, next), slope, intercept - floor};
      }
      if (at_zero) {
        if (intercept + jump_ >= floor) {
          jump_ = intercept + jump_ - floor;
          return {0.0, slope, 0.0};
        }
        intercept += jump_;
        jump_ = 0.0;
      } else {
        slope = at_least(h, slope + bends_[first_].slope);
        intercept += bends_[first_].intercept;
        ++first_;
      }
      at = next;
    }
  }

  // The mirror image: the largest v with F'(v) <= ceiling, but not below `low`.
  Bend reach_ceiling(double h, double b, double alpha, double ceiling, double low) {
    Slope slope{h};
    double intercept = right_ - b + alpha;
    double at = kFarthest;
    for (;;) {
      const bool has_bend = first_ < last_;
      const bool at_zero = jump_ > 0.0 && (!has_bend || bends_[last_ - 1].position <= 0.0);
      const bool has_next = has_bend || at_zero;
      const double next = at_zero ? 0.0 : has_bend ? bends_[last_ - 1].position : low;
      if (!has_next || slope.high * next + intercept <= ceiling) {
        // Rounding may put low a little beyond the bends.
        const double high = std::min(std::max((ceiling - intercept) / slope.high, next), at);
        return {std::max(high, low), -slope, ceiling - intercept};
      }
      if (at_zero) {
        if (intercept - jump_ <= ceiling) {
          jump_ = ceiling - (intercept - jump_);
          return {std::max(0.0, low), -slope, 0.0};
        }
        intercept -= jump_;
        jump_ = 0.0;
      } else {
        --last_;
        slope = at_least(h, slope + -bends_[last_].slope);
        intercept -= bends_[last_].intercept;
      }
      at = next;
    }
  }

  static Slope at_least(double h, const Slope& slope) { return slope.high >= h ? slope : Slope{h}; }

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
