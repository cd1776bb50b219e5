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

// Towards zero by so much; rounding is all that is left below 1e-14 of x.
Real soft(Real x, Real by) {
  const Real kept = std::abs(x) - by;
  return kept > 1e-14L * std::abs(x) ? (x > 0 ? kept : -kept) : Real{0};
}

class Solver {
 public:
  Solver(const PlainRule& rule, Index times) : options_(rule), t_(times) {}

  void solve(PlainStep& step, bool weighted, const PlainNoise& noise) const {
    const bool fused = t_ > 1 && !options_.is_tied() && step.gamma > 0;
    const bool tied = t_ > 1 && options_.is_tied();
    if (options_.penalty) return solve_named(step, tied);
    if (!fused) step.gamma = 0;
    step.x = free_solution(step, fused, tied);
    if (options_.chooses()) {
      Real explained = 0;
      for (Index i = 0; i < t_; ++i) {
        for (std::size_t j = 0; j < step.b[i].size(); ++j) {
          if (step.h[i][j] > 0) explained += step.b[i][j] * step.b[i][j] / step.h[i][j];
        }
      }
      step.lambda = bic_lambda(units_of(step, fused || tied), explained, noise, options_.relaxed);
    }
    set_alpha(step);
    if (fused && weighted) {
      for (std::size_t j = 0; j < step.b[0].size(); ++j) {
        const Reals x =
            plain_fused(signal(step.h, j), signal(step.b, j), signal(step.alpha, j), step.gamma);
        Real curvature = 0;
        for (Index i = 0; i < t_; ++i) curvature = std::max(curvature, step.h[i][j]);
        for (Index i = 0; i < t_; ++i) {
          const bool rounding = std::abs(x[i]) * curvature <= 1e-13L * step.lambda;
          step.x[i][j] = rounding ? Real{0} : x[i];
        }
      }
    } else if (tied) {
      for (std::size_t j = 0; j < step.b[0].size(); ++j) {
        Real b = 0, h = 0, entries = 0;
        for (Index i = 0; i < t_; ++i) {
          if (step.h[i][j] <= 0) continue;
          b += step.b[i][j];
          h += step.h[i][j];
          entries += 1;
        }
        const Real c = step.x[0][j] != 0 ? soft(b, entries * step.lambda) / h : Real{0};
        for (Index i = 0; i < t_; ++i) step.x[i][j] = c;
        const Real alpha = weighted ? step.lambda : Real{0};
        const Real level = weighted ? c : (h > 0 ? b / h : Real{0});
        step.gamma = std::max(
            step.gamma, plain_fusion_bound(signal(step.h, j), signal(step.b, j), alpha, level));
      }
    } else {
      for (Index i = 0; i < t_; ++i) {
        for (std::size_t j = 0; j < step.x[i].size(); ++j) {
          const Real h = fused || step.h[i][j] <= 0 ? Real{1} : step.h[i][j];
          step.x[i][j] = soft(step.x[i][j], step.alpha[i][j] / h);
        }
      }
    }
  }

 private:
  // By the penalty itself, whose minimiser has brute force for its test: every time by itself, or
  // all as one.
  void solve_named(PlainStep& step, bool tied) const {
    step.gamma = 0;
    step.lambda = 0;
    step.alpha = step.x = step.b;
    const Index n_problems = tied ? 1 : t_;
    for (Index i = 0; i < n_problems; ++i) {
      const std::size_t n = step.b[i].size();
      std::vector<double> b(n), h(n), x(n);
      for (std::size_t j = 0; j < n; ++j) {
        Real sum_b = 0, sum_h = 0, size = 0;
        for (Index l = tied ? 0 : i; l < (tied ? t_ : i + 1); ++l) {
          sum_b += step.b[l][j];
          sum_h += step.h[l][j];
          size += std::abs(step.b[l][j]);
        }
        const Real count = tied ? static_cast<Real>(t_) : Real{1};
        const bool is_rounding = tied && std::abs(sum_b) <= 1e-14L * size;
        b[j] = is_rounding ? 0.0 : static_cast<double>(sum_b / count);
        h[j] = static_cast<double>(sum_h / count);
        if (!tied) continue;
        const Real level = sum_h > 0 ? sum_b / sum_h : Real{0};
        step.gamma = std::max(step.gamma,
                              plain_fusion_bound(signal(step.h, j), signal(step.b, j), 0, level));
      }
      options_.penalty->minimise(b, h, x);
      for (Index l = tied ? 0 : i; l < (tied ? t_ : i + 1); ++l) {
        std::copy(x.begin(), x.end(), step.x[l].begin());
        step.alpha[l].assign(n, 0);
      }
    }
  }
  Reals signal(const std::vector<Reals>& values, std::size_t j) const {
    Reals one;
    for (Index i = 0; i < t_; ++i) one.push_back(values[i][j]);
    return one;
  }
  std::vector<Reals> free_solution(const PlainStep& step, bool fused, bool tied) const {
    std::vector<Reals> x = step.b;
    if (!fused && !tied) {
      for (Index i = 0; i < t_; ++i) {
        for (std::size_t j = 0; j < x[i].size(); ++j) {
          x[i][j] = step.h[i][j] > 0 ? step.b[i][j] / step.h[i][j] : Real{0};
        }
      }
      return x;
    }
    const Reals none(static_cast<std::size_t>(t_), 0);
    for (std::size_t j = 0; j < step.b[0].size(); ++j) {
      const Reals h = signal(step.h, j), b = signal(step.b, j);
      const Real sum_h = std::accumulate(h.begin(), h.end(), Real{0});
      const Real sum_b = std::accumulate(b.begin(), b.end(), Real{0});
      Reals one = fused ? plain_fused(h, b, none, step.gamma)
                        : Reals(static_cast<std::size_t>(t_), sum_h > 0 ? sum_b / sum_h : 0);
      drop_cancelled(one, h, b);
      for (Index i = 0; i < t_; ++i) x[i][j] = one[i];
    }
    return x;
  }
  // A run of equal values that is nothing but the rounding of a sum that cancels is zero.
  static void drop_cancelled(Reals& x, const Reals& h, const Reals& b) {
    Real size = 0;
    for (const Real value : b) size += std::abs(value);
    for (std::size_t begin = 0; begin < x.size();) {
      std::size_t end = begin;
      Real run_h = 0;
      for (; end < x.size() && x[end] == x[begin]; ++end) run_h += h[end];
      if (std::abs(x[begin]) * run_h <= 1e-14L * size) {
        for (std::size_t i = begin; i < end; ++i) x[i] = 0;
      }
      begin = end;
    }
  }
  // Runs of equal values over time where there is fusion, single entries otherwise.
  std::vector<Unit> units_of(const PlainStep& step, bool together) const {
    std::vector<Unit> units;
    if (!together) {
      for (Index i = 0; i < t_; ++i) {
        for (std::size_t j = 0; j < step.x[i].size(); ++j) {
          if (step.h[i][j] <= 0 || step.x[i][j] == 0) continue;
          units.push_back({step.x[i][j], step.h[i][j], step.b[i][j], 1,
                           std::pow(std::abs(step.x[i][j]), -options_.exponent)});
        }
      }
      return units;
    }
    for (std::size_t j = 0; j < step.x[0].size(); ++j) {
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
    return units;
  }
  void set_alpha(PlainStep& step) const {
    step.alpha = step.b;
    for (Index i = 0; i < t_; ++i) {
      for (std::size_t j = 0; j < step.b[i].size(); ++j) {
        const Real h = step.h[i][j];
        const Real z = h > 0 ? std::abs(step.b[i][j] / h) : Real{0};
        const Real weight = options_.exponent == 0 ? Real{1}
                            : z > 0                ? std::pow(z, -options_.exponent)
                                                   : Real{0};
        step.alpha[i][j] = h > 0 ? step.lambda * weight : Real{0};
      }
    }
  }

  const PlainRule& options_;
  Index t_;
};

}  // namespace

void solve_plainly(PlainStep& step, const PlainRule& rule, bool weighted, const PlainNoise& noise) {
  Solver(rule, static_cast<Index>(step.b.size())).solve(step, weighted, noise);
}

}  // namespace gingham::methods::rank_one
