#include "gingham/methods/rank_one/recompute_side.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gingham/methods/rank_one/recompute_signal.hpp"

namespace gingham::methods::rank_one {
namespace {

// An independent value: the entries that share it.
struct Unit {
  Real z = 0, h = 0, b = 0, entries = 0;
  Real weight = 1;                                                    // |z|^-g
  Real last() const { return h * std::abs(z) / (entries * weight); }  // lambda at which it goes
};

// lambda by BIC over the units; the loss of unit value x is h x^2 - 2 b x more than without. In a
// series the values of those that stay are taken unshortened.
Real bic_lambda(std::vector<Unit> units, Real squares_explained, const PlainNoise& noise,
                bool relaxed) {
  units.erase(
      std::remove_if(units.begin(), units.end(), [](const Unit& one) { return one.z == 0; }),
      units.end());
  std::stable_sort(units.begin(), units.end(),
                   [](const Unit& a, const Unit& b) { return a.last() > b.last(); });
  const Real base = noise.rss + squares_explained;  // all values zero
  Real best = 0, best_lambda = 0;
  bool any = false;
  Real quadratic = 0, linear = 0, constant = 0;
  for (std::size_t k = 1; k <= units.size(); ++k) {
    // Unit value sign(z) (|z| - lambda r), r = weight entries / h.
    const Unit& one = units[k - 1];
    const Real r = one.weight * one.entries / one.h, size = std::abs(one.z);
    const Real b = one.z > 0 ? one.b : -one.b;
    quadratic += one.h * r * r;
    linear += -2 * one.h * size * r + 2 * b * r;
    constant += one.h * size * size - 2 * b * size;
    const Real lambda = k < units.size() ? units[k].last() : Real{0};
    const Real shortened = lambda * linear + lambda * lambda * quadratic;
    const Real rss = base + constant + (relaxed ? Real{0} : shortened);
    const Real bic = rss / noise.variance + static_cast<Real>(k) * std::log(noise.cells);
    if (!any || bic < best) {
      any = true;
      best = bic;
      best_lambda = lambda;
    }
  }
  return best_lambda;
}

// What of sums and differences is left below this share of their terms is rounding: 0.
constexpr Real kRounding = 1e-10L;

Real soft(Real x, Real by) {
  const Real kept = std::abs(x) - by;
  return kept > 0 ? (x > 0 ? kept : -kept) : Real{0};
}

Reals signal(const std::vector<Reals>& values, std::size_t j) {
  Reals one;
  for (const Reals& time : values) one.push_back(time[j]);
  return one;
}

class Solver {
 public:
  Solver(const PlainRule& rule, Index times)
      : rule_(rule), t_(times), is_tied_(times > 1 && rule.is_tied()) {}

  void solve(PlainStep& step, const PlainNoise& noise) const {
    const bool is_fused = t_ > 1 && !is_tied_ && !rule_.penalty && step.gamma > 0;
    if (!is_fused) step.gamma = 0;
    step.x = step.b;
    if (rule_.chooses()) {
      step.lambda = 0;
      minimise(step);
      Real explained = 0;
      for (Index i = 0; i < t_; ++i) {
        for (std::size_t j = 0; j < step.b[i].size(); ++j) {
          if (step.h[i][j] > 0) explained += step.b[i][j] * step.b[i][j] / step.h[i][j];
        }
      }
      step.lambda =
          bic_lambda(units_of(step, is_fused || is_tied_), explained, noise, rule_.relaxed);
    }
    minimise(step);
    if (is_tied_) step.gamma = tying_gamma(step);
  }

 private:
  void minimise(PlainStep& step) const {
    set_alpha(step);
    if (step.gamma > 0) {
      for (std::size_t j = 0; j < step.b[0].size(); ++j) {
        const Reals h = signal(step.h, j), b = signal(step.b, j);
        const Reals x = plain_fused(h, b, signal(step.alpha, j), step.gamma);
        Real size = 0, curvature = 0;
        for (Index i = 0; i < t_; ++i) {
          size += std::abs(b[i]);
          curvature = std::max(curvature, h[i]);
        }
        for (Index i = 0; i < t_; ++i)
          step.x[i][j] = std::abs(x[i]) * curvature <= kRounding * size ? Real{0} : x[i];
      }
      return;
    }
    for (Index i = 0; i < (is_tied_ ? 1 : t_); ++i) minimise_part(i, is_tied_ ? t_ : i + 1, step);
  }
  // The times begin ... end - 1 as one, b and h averaged.
  void minimise_part(Index begin, Index end, PlainStep& step) const {
    const std::size_t n = step.b[begin].size();
    const auto count = static_cast<Real>(end - begin);
    Reals b(n), h(n), alpha(n), size(n);
    for (std::size_t j = 0; j < n; ++j) {
      for (Index i = begin; i < end; ++i) {
        b[j] += step.b[i][j] / count;
        h[j] += step.h[i][j] / count;
        alpha[j] += step.alpha[i][j] / count;
        size[j] += std::abs(step.b[i][j]) / count;
      }
      if (std::abs(b[j]) <= kRounding * size[j]) b[j] = 0;
    }
    Reals x(n);
    if (rule_.penalty) {
      // By the penalty itself, whose minimiser has brute force for its test.
      const std::vector<double> given_b(b.begin(), b.end()), given_h(h.begin(), h.end());
      std::vector<double> found(n);
      rule_.penalty->minimise(given_b, given_h, found);
      x.assign(found.begin(), found.end());
    } else {
      for (std::size_t j = 0; j < n; ++j) x[j] = h[j] > 0 ? soft(b[j], alpha[j]) / h[j] : Real{0};
    }
    const bool is_single = !rule_.penalty || rule_.penalty->traits().is_separable;
    for (std::size_t j = 0; j < n; ++j) {
      if (is_single && std::abs(x[j]) * h[j] <= kRounding * size[j]) x[j] = 0;
    }
    for (Index i = begin; i < end; ++i) step.x[i] = x;
  }
  // The smallest gamma at which no item changes, L1 counted where curvatures differ.
  Real tying_gamma(const PlainStep& step) const {
    Real gamma = 0;
    for (std::size_t j = 0; j < step.b[0].size(); ++j) {
      const Reals h = signal(step.h, j), b = signal(step.b, j);
      const Real sum_h = std::accumulate(h.begin(), h.end(), Real{0});
      const Real sum_b = std::accumulate(b.begin(), b.end(), Real{0});
      const bool counts = step.is_weighted && !rule_.penalty;
      const Real level = sum_h > 0 ? sum_b / sum_h : Real{0};
      gamma = std::max(gamma, plain_fusion_bound(h, b, counts ? step.lambda : Real{0},
                                                 counts ? step.x[0][j] : level));
    }
    return gamma;
  }
  // Runs of equal values over time where times hang together, single entries otherwise.
  std::vector<Unit> units_of(const PlainStep& step, bool together) const {
    std::vector<Unit> units;
    for (std::size_t j = 0; j < step.x[0].size() && together; ++j) {
      for (Index i = 0; i < t_;) {
        Unit one{step.x[i][j], 0, 0, 0, 1};
        for (; i < t_ && step.x[i][j] == one.z; ++i) {
          if (step.h[i][j] <= 0) continue;
          one.h += step.h[i][j];
          one.b += step.b[i][j];
          one.entries += 1;
        }
        if (one.entries > 0) units.push_back(one);
      }
    }
    for (Index i = 0; i < t_ && !together; ++i) {
      for (std::size_t j = 0; j < step.x[i].size(); ++j) {
        if (step.h[i][j] <= 0 || step.x[i][j] == 0) continue;
        units.push_back({step.x[i][j], step.h[i][j], step.b[i][j], 1,
                         std::pow(std::abs(step.x[i][j]), -rule_.exponent)});
      }
    }
    return units;
  }
  // lambda |b / h|^-g where anything was observed; tied: at every time the share of those times.
  void set_alpha(PlainStep& step) const {
    step.alpha = step.b;
    for (Index i = 0; i < t_; ++i) {
      for (std::size_t j = 0; j < step.b[i].size(); ++j) {
        const Real h = step.h[i][j], z = h > 0 ? std::abs(step.b[i][j] / h) : Real{0};
        const Real weight = rule_.exponent == 0 ? Real{1}
                            : z > 0             ? std::pow(z, -rule_.exponent)
                                                : Real{0};
        Real share = !is_tied_ && h > 0 ? 1 : 0;
        for (Index l = 0; l < t_ && is_tied_; ++l)
          share += step.h[l][j] > 0 ? 1 / static_cast<Real>(t_) : Real{0};
        step.alpha[i][j] = rule_.penalty ? Real{0} : step.lambda * weight * share;
      }
    }
  }

  const PlainRule& rule_;
  Index t_;
  bool is_tied_;
};

}  // namespace

void solve_plainly(PlainStep& step, const PlainRule& rule, const PlainNoise& noise) {
  Solver(rule, std::ssize(step.b)).solve(step, noise);
}

Real implied_lambda(const PlainStep& step, Real exponent, Real squares) {
  Reals z, weights;
  Real low = 0, high = 0;
  for (std::size_t i = 0; i < step.b.size(); ++i) {
    for (std::size_t j = 0; j < step.b[i].size(); ++j) {
      const Real h = step.h[i][j], size = h > 0 ? std::abs(step.b[i][j] / h) : Real{0};
      if (size == 0) continue;
      z.push_back(size);
      weights.push_back(std::pow(size, -exponent) / h);
      high = std::max(high, size / weights.back());
    }
  }
  if (z.empty()) return std::nan("");
  for (int round = 0; round < 100; ++round) {
    const Real middle = (low + high) / 2;
    Real found = 0;
    for (std::size_t e = 0; e < z.size(); ++e) {
      const Real x = std::max(z[e] - middle * weights[e], Real{0});
      found += x * x;
    }
    (found > squares ? low : high) = middle;
  }
  return high;
}

}  // namespace gingham::methods::rank_one
