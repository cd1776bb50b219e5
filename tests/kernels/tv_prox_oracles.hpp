// Slow but certain answers for total variation, and random problems to ask them about.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gingham/base/index.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/base/text.hpp"
#include "gingham/kernels/tv_prox.hpp"

namespace gingham::oracle {

using Values = std::vector<double>;

// sum_i h v^2/2 - b v + alpha_i |v| + gamma TV(v)
inline double objective(const Values& h, const Values& b, const Values& alpha, double gamma,
                        const Values& v) {
  double total = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    total += 0.5 * h[i] * v[i] * v[i] - b[i] * v[i] + alpha[i] * std::abs(v[i]);
    if (i + 1 < v.size()) total += gamma * std::abs(v[i + 1] - v[i]);
  }
  return total;
}

// The minimiser by enumeration: every cutting into runs of equal values, every sign of every jump,
// every sign of every run. The right combination is among them and each candidate is feasible, so
// the cheapest is the minimiser. Exponential in t.
inline Values enumerate(const Values& h, const Values& b, const Values& alpha, double gamma) {
  const int t = static_cast<int>(h.size());
  Values best(h.size(), 0.0);
  double least = objective(h, b, alpha, gamma, best);
  for (int cuts = 0; cuts < 1 << (t - 1); ++cuts) {
    std::vector<int> start{0};
    for (int i = 1; i < t; ++i) {
      if (cuts >> (i - 1) & 1) start.push_back(i);
    }
    const int runs = static_cast<int>(start.size());
    start.push_back(t);
    int combinations = 1 << (runs - 1);
    for (int r = 0; r < runs; ++r) combinations *= 3;
    for (int code = 0; code < combinations; ++code) {
      int rest = code >> (runs - 1);
      Values v(h.size());
      for (int r = 0; r < runs; ++r, rest /= 3) {
        double curvature = 0.0, linear = 0.0, shrink = 0.0;
        for (int i = start[r]; i < start[r + 1]; ++i) {
          curvature += h[i];
          linear += b[i];
          shrink += alpha[i];
        }
        const double before = r == 0 ? 0.0 : (code >> (r - 1) & 1) ? 1.0 : -1.0;
        const double after = r == runs - 1 ? 0.0 : (code >> r & 1) ? 1.0 : -1.0;
        const double sign = rest % 3 - 1;
        const double pull = linear - sign * shrink - gamma * (before - after);
        const double level = sign == 0 || curvature == 0.0 ? 0.0 : pull / curvature;
        for (int i = start[r]; i < start[r + 1]; ++i) v[i] = level;
      }
      const double cost = objective(h, b, alpha, gamma, v);
      if (cost < least) {
        least = cost;
        best = v;
      }
    }
  }
  return best;
}

// The optimality conditions: sums w_j = sum_{i<=j} (h v - b + alpha s), with s_i = sgn v_i or
// anything in
// [-1, 1] at 0, must be able to run within +-gamma, meet gamma sgn(v_{j+1} - v_j) at every jump,
// and end at 0. Returns the largest violation met on the way. Independent of the solvers.
inline double violation(const Values& h, const Values& b, const Values& alpha, double gamma,
                        const Values& v) {
  double low = 0.0, high = 0.0, worst = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double slope = h[i] * v[i] - b[i];
    low += slope + (v[i] > 0.0 ? alpha[i] : -alpha[i]);
    high += slope + (v[i] < 0.0 ? -alpha[i] : alpha[i]);
    double least = -gamma, most = gamma;
    if (i + 1 == v.size()) least = most = 0.0;
    if (i + 1 < v.size() && v[i + 1] > v[i]) least = gamma;
    if (i + 1 < v.size() && v[i + 1] < v[i]) most = -gamma;
    worst = std::max({worst, low - most, least - high});
    low = std::min(std::max(low, least), most);
    high = std::min(std::max(high, least), most);
  }
  return worst;
}

inline std::string show(const Values& v) {
  std::string text = "(";
  for (const double x : v) text += to_text(x) + " ";
  return text + ")";
}

struct Problem {
  Values h, b, alpha;
  double gamma = 0.0;
  double weight = 0.0;  // alpha where something was observed
  double size = 0.0;    // of the gradient's terms
};

// Curvatures alike, partly 0, spread over many orders of magnitude, small integers (ties).
inline Problem random_problem(Rng& rng, Index t, double scale) {
  Problem p;
  const Index kind = rng.below(6);
  const double h_scale = scale == 1.0 ? 1.0 : std::pow(10.0, rng.uniform(-50.0, 50.0));
  p.gamma = scale * std::exp(2.0 * rng.normal());
  p.weight = kind == 5 ? 0.0 : scale * std::exp(rng.normal());
  double walk = 0.0;
  for (Index i = 0; i < t; ++i) {
    walk += rng.normal();
    double h = std::exp(rng.normal());
    double b = kind == 3 ? walk : 3.0 * rng.normal();
    if (kind == 0) h = 1.0;
    if (kind == 1 && rng.below(3) == 0) h = 0.0;
    if (kind == 2) h = std::exp(6.0 * rng.normal());
    if (kind == 4) h = static_cast<double>(rng.below(3)), b = static_cast<double>(rng.below(7) - 3);
    if (h == 0.0) b = 0.0;
    p.h.push_back(h * h_scale);
    p.b.push_back(b * scale);
    p.alpha.push_back(h > 0.0 ? p.weight : 0.0);
    p.size = std::max(p.size, std::abs(p.b.back()));
  }
  return p;
}

inline Values solve(const Problem& p) {
  Values v(p.h.size());
  tv_prox_weighted(p.h, p.b, p.gamma, p.weight, v);
  return v;
}

inline std::string show(const Problem& p) {
  return "h " + show(p.h) + " b " + show(p.b) + " gamma " + to_text(p.gamma) + " alpha " +
         to_text(p.weight);
}

}  // namespace gingham::oracle
