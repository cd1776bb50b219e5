#include "gingham/methods/rank_one/weights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "gingham/kernels/tv_prox.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::rank_one {
namespace {

// Complementary pairs of the interior-point method, all kept positive:
//   s_i mu_i,   x+_e (c_e - w_e),   x-_e (c_e + w_e)      with  K s = x+ - x-,
//   D s - G + K^T w - mu = 0,       (K s)_e = p s_i+1 - q s_i.
struct InteriorPoint {
  const WeightProblem& problem;
  std::vector<double> s, mu;  // per time
  // Per edge: x+, x-, c - w and c + w. The last two are kept apart from w: near a bound their
  // difference would lose all digits.
  std::vector<double> w, above, below, up, down;

  explicit InteriorPoint(const WeightProblem& given) : problem(given) {
    const std::size_t t = problem.gain.size(), n = problem.edges.size();
    s.assign(t, 1.0);
    mu.assign(t, 1.0);
    w.assign(n, 0.0);
    above.assign(n, 1.0);
    below.assign(n, 1.0);
    for (const WeightEdge& e : problem.edges) up.push_back(e.cost);
    down = up;
  }

  double product(const WeightEdge& e, const std::vector<double>& x) const {
    return e.next * x[e.time + 1] - e.now * x[e.time];
  }
  void add_transposed(const WeightEdge& e, double value, std::vector<double>& x) const {
    x[e.time + 1] += e.next * value;
    x[e.time] -= e.now * value;
  }
  std::vector<double> dual_residual() const {
    std::vector<double> r(s.size());
    for (std::size_t i = 0; i < s.size(); ++i) {
      r[i] = problem.curvature[i] * s[i] - problem.gain[i] - mu[i];
    }
    for (std::size_t e = 0; e < w.size(); ++e) add_transposed(problem.edges[e], w[e], r);
    return r;
  }
  double complementarity() const {
    double total = 0.0;
    for (std::size_t i = 0; i < s.size(); ++i) total += s[i] * mu[i];
    for (std::size_t e = 0; e < w.size(); ++e) {
      total += above[e] * up[e] + below[e] * down[e];
    }
    return total;
  }
  double pairs() const { return static_cast<double>(s.size() + 2 * w.size()); }

  // One Newton step towards complementarity products tau.
  void step(double tau) {
    const std::size_t t = s.size();
    std::vector<double> diagonal(t), off(t, 0.0), rhs = dual_residual();
    for (std::size_t i = 0; i < t; ++i) {
      diagonal[i] = problem.curvature[i] + mu[i] / s[i];
      rhs[i] = -rhs[i] + tau / s[i] - mu[i];
    }
    // dw = (K ds + r) / B per edge.
    std::vector<double> r(w.size()), B(w.size());
    for (std::size_t e = 0; e < w.size(); ++e) {
      const WeightEdge& edge = problem.edges[e];
      B[e] = above[e] / up[e] + below[e] / down[e];
      // K s + K ds = x+ + dx+ - x- - dx-, with x+ + dx+ = (tau + x+ dw) / up and alike below.
      r[e] = product(edge, s) - tau / up[e] + tau / down[e];
      add_transposed(edge, -r[e] / B[e], rhs);
      diagonal[edge.time + 1] += edge.next * edge.next / B[e];
      diagonal[edge.time] += edge.now * edge.now / B[e];
      off[edge.time] -= edge.next * edge.now / B[e];
    }
    std::vector<double> ds = std::move(rhs);
    for (std::size_t i = 1; i < t; ++i) {
      const double factor = off[i - 1] / diagonal[i - 1];
      diagonal[i] -= factor * off[i - 1];
      ds[i] -= factor * ds[i - 1];
    }
    for (std::size_t i = t; i-- > 0;) {
      if (i + 1 < t) ds[i] -= off[i] * ds[i + 1];
      ds[i] /= diagonal[i];
    }
    std::vector<double> dmu(t), dw(w.size()), dabove(w.size()), dbelow(w.size());
    double length = 1.0;
    const auto limit = [&](double value, double change) {
      if (change < 0.0) length = std::min(length, -0.995 * value / change);
    };
    for (std::size_t i = 0; i < t; ++i) {
      dmu[i] = (tau - mu[i] * ds[i]) / s[i] - mu[i];
      limit(s[i], ds[i]);
      limit(mu[i], dmu[i]);
    }
    for (std::size_t e = 0; e < w.size(); ++e) {
      const WeightEdge& edge = problem.edges[e];
      dw[e] = (product(edge, ds) + r[e]) / B[e];
      dabove[e] = (tau + above[e] * dw[e]) / up[e] - above[e];
      dbelow[e] = (tau - below[e] * dw[e]) / down[e] - below[e];
      limit(up[e], -dw[e]);
      limit(down[e], dw[e]);
      limit(above[e], dabove[e]);
      limit(below[e], dbelow[e]);
    }
    axpy(length, ds, s);
    axpy(length, dmu, mu);
    axpy(length, dw, w);
    axpy(-length, dw, up);
    axpy(length, dw, down);
    axpy(length, dabove, above);
    axpy(length, dbelow, below);
  }
};

bool is_difference(const WeightEdge& edge) { return edge.now == 1.0 && edge.next == 1.0; }

// What |s_i+1 - s_i| costs, if that is all there is and the same for all neighbours.
std::optional<double> common_cost(const WeightProblem& problem) {
  std::vector<double> costs(problem.gain.size() - 1, 0.0);
  for (const WeightEdge& e : problem.edges) {
    if (!is_difference(e)) return std::nullopt;
    costs[static_cast<std::size_t>(e.time)] += e.cost;
  }
  const bool same =
      std::adjacent_find(costs.begin(), costs.end(), std::not_equal_to<>()) == costs.end();
  return same ? std::optional(costs.front()) : std::nullopt;
}

// Neighbours whose difference costs more than every force that could pull them apart have equal
// weights: they become one unknown. Returns the number of the unknown of each time. Gains and
// costs are in units in which no weight is above 1.
std::vector<std::size_t> unknowns(const WeightProblem& problem) {
  double forces = 0.0;
  for (std::size_t i = 0; i < problem.gain.size(); ++i) {
    forces += 2.0 * (std::abs(problem.gain[i]) + problem.curvature[i]);
  }
  std::vector<double> apart(problem.gain.size(), forces), together(problem.gain.size(), 0.0);
  for (const WeightEdge& e : problem.edges) {
    if (is_difference(e)) {
      together[e.time] += e.cost;
    } else {
      apart[e.time] += e.cost * std::max(std::abs(e.now), std::abs(e.next));
    }
  }
  std::vector<std::size_t> number(problem.gain.size(), 0);
  for (std::size_t i = 1; i < number.size(); ++i) {
    number[i] = number[i - 1] + (together[i - 1] >= apart[i - 1] ? 0 : 1);
  }
  return number;
}

WeightProblem reduced(const WeightProblem& problem, const std::vector<std::size_t>& number) {
  WeightProblem small;
  small.gain.assign(number.back() + 1, 0.0);
  small.curvature.assign(number.back() + 1, 0.0);
  for (std::size_t i = 0; i < number.size(); ++i) {
    small.gain[number[i]] += problem.gain[i];
    small.curvature[number[i]] += problem.curvature[i];
  }
  for (WeightEdge e : problem.edges) {
    const std::size_t at = number[e.time];
    if (number[e.time + 1] == at) {
      small.gain[at] -= e.cost * std::abs(e.next - e.now);
    } else {
      e.time = static_cast<Index>(at);
      small.edges.push_back(e);
    }
  }
  return small;
}

// What an interior-point solution says about the exact one: which weights are zero, which
// neighbours stand in a ratio at which edges vanish (p s_i+1 = q s_i), and the sign of every other
// edge; weights are in units of about the largest. Given that, the weights of a run of such
// neighbours are one unknown, the rest of the objective is a parabola in each, and its minimum is
// exact.
class Structure {
 public:
  Structure(const WeightProblem& problem, const std::vector<double>& near, double tolerance)
      : problem_(problem),
        near_(tolerance),
        ratio_(near.size(), 0.0),
        pull_(near.size(), 0.0),
        s_(near) {
    for (double& s : s_) s = s > near_ ? s : 0.0;
    gain_ = problem.gain;
    find_ratios();
    for (const WeightEdge& e : problem.edges) add_edge(e);
    solve();
  }
  const std::vector<double>& weights() const { return s_; }

  // How far the forces are from balance, at most; 0 proves that the weights are optimal. Between
  // weights that are zero no force is assumed, which may be too pessimistic.
  double violation() const {
    double worst = 0.0, carried = 0.0;
    for (std::size_t i = 0; i < s_.size(); ++i) {
      const double force = problem_.curvature[i] * s_[i] - gain_[i] + carried;
      carried = 0.0;
      if (s_[i] == 0.0) {
        worst = std::max(worst, -force);
      } else if (ratio_[i] > 0.0) {
        carried = force / ratio_[i];
        worst = std::max(worst, std::abs(carried) - pull_[i]);
      } else {
        worst = std::max(worst, std::abs(force));
      }
    }
    return worst;
  }

 private:
  bool vanishes(const WeightEdge& e, double ratio) const {
    return e.next != 0.0 && e.now != 0.0 && std::abs(e.now / e.next - ratio) <= 1e-13 * ratio;
  }
  // The ratio of each weight's successor to it, where an edge nearly vanishes.
  void find_ratios() {
    std::vector<double> nearest(s_.size(), near_);
    for (const WeightEdge& e : problem_.edges) {
      const double now = s_[e.time], next = s_[e.time + 1];
      if (now == 0.0 || next == 0.0 || e.next == 0.0 || !(e.now / e.next > 0.0)) continue;
      const double away = std::abs(e.next * next / (e.now * now) - 1.0);
      if (away <= nearest[e.time]) {
        nearest[e.time] = away;
        ratio_[e.time] = e.now / e.next;
      }
    }
  }
  void add_edge(const WeightEdge& e) {
    if (ratio_[e.time] > 0.0 && vanishes(e, ratio_[e.time])) {
      pull_[e.time] += e.cost * std::abs(e.next);
      return;
    }
    const double difference = e.next * s_[e.time + 1] - e.now * s_[e.time];
    if (difference == 0.0) return;  // both weights are zero
    const double force = std::copysign(e.cost, difference);
    gain_[e.time + 1] -= force * e.next;
    gain_[e.time] += force * e.now;
  }
  void solve() {
    for (std::size_t begin = 0; begin < s_.size();) {
      std::vector<double> shares{1.0};
      while (ratio_[begin + shares.size() - 1] > 0.0) {
        shares.push_back(shares.back() * ratio_[begin + shares.size() - 1]);
      }
      double gain = 0.0, curvature = 0.0;
      for (std::size_t k = 0; k < shares.size(); ++k) {
        gain += shares[k] * gain_[begin + k];
        curvature += shares[k] * shares[k] * problem_.curvature[begin + k];
      }
      const bool is_zero = s_[begin] == 0.0 || !(curvature > 0.0) || !(gain > 0.0);
      for (std::size_t k = 0; k < shares.size(); ++k) {
        s_[begin + k] = is_zero ? 0.0 : shares[k] * (gain / curvature);
      }
      begin += shares.size();
    }
  }

  const WeightProblem& problem_;
  double near_;                // relative distance that counts as none
  std::vector<double> ratio_;  // s_i+1 / s_i where they move together, otherwise 0
  std::vector<double> pull_;   // the largest force between the two
  std::vector<double> gain_;   // with the forces of the edges that do not vanish
  std::vector<double> s_;
};

// The interior-point method and what it points to; weights are at most about 1.
Weights solve_scaled(WeightProblem problem) {
  constexpr int kMaxIterations = 200;
  constexpr int kPatience = 10;
  constexpr double kTolerance = 1e-13;
  // A time without vectors: nothing depends on its weight.
  std::vector<bool> is_there(problem.gain.size(), false);
  for (const WeightEdge& edge : problem.edges) {
    if (edge.now != 0.0) is_there[edge.time] = true;
    if (edge.next != 0.0) is_there[edge.time + 1] = true;
  }
  for (std::size_t i = 0; i < is_there.size(); ++i) {
    if (problem.curvature[i] > 0.0) is_there[i] = true;
    if (!is_there[i]) problem.curvature[i] = 1.0;
  }
  // Where edges hold weights together ever more tightly the linear system loses its digits in the
  // end; the best point before that is as good as can be had.
  InteriorPoint point(problem);
  Weights weights{point.s, std::numeric_limits<double>::infinity()};
  for (int k = 0, since = 0; k < kMaxIterations && since < kPatience; ++k) {
    point.step(0.1 * point.complementarity() / point.pairs());
    const double gap = point.complementarity() + norm2(point.dual_residual());
    if (!std::isfinite(gap)) break;
    since = gap < weights.gap ? 0 : since + 1;
    if (gap < weights.gap) weights = {point.s, gap};
    if (gap <= kTolerance) break;
  }
  double least = problem.value(weights.s);
  const std::vector<double> near = weights.s;
  for (const double tolerance : {1e-9, 1e-7, 1e-5, 1e-3}) {
    const Structure structure(problem, near, tolerance);
    const double value = problem.value(structure.weights());
    const double gap = structure.violation();
    if (value > least + kTolerance || (gap > weights.gap && value > least - kTolerance)) continue;
    least = std::min(least, value);
    weights = {structure.weights(), std::min(gap, weights.gap)};
  }
  for (std::size_t i = 0; i < weights.s.size(); ++i) {
    if (!is_there[i]) weights.s[i] = 0.0;
  }
  return weights;
}

}  // namespace

double WeightProblem::value(const std::vector<double>& s) const {
  double total = 0.0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    total += (0.5 * curvature[i] * s[i] - gain[i]) * s[i];
  }
  for (const WeightEdge& e : edges) {
    total += e.cost * std::abs(e.next * s[e.time + 1] - e.now * s[e.time]);
  }
  return total;
}

Weights separate_weights(const WeightProblem& problem) {
  Weights weights;
  for (std::size_t i = 0; i < problem.gain.size(); ++i) {
    const bool positive = problem.gain[i] > 0.0 && problem.curvature[i] > 0.0;
    weights.s.push_back(positive ? problem.gain[i] / problem.curvature[i] : 0.0);
  }
  return weights;
}

Weights tied_weights(const WeightProblem& problem) {
  double gain = 0.0, curvature = 0.0;
  for (std::size_t i = 0; i < problem.gain.size(); ++i) {
    gain += problem.gain[i];
    curvature += problem.curvature[i];
  }
  for (const WeightEdge& e : problem.edges) gain -= e.cost * std::abs(e.next - e.now);
  const double s = gain > 0.0 && curvature > 0.0 ? gain / curvature : 0.0;
  return {std::vector<double>(problem.gain.size(), s), 0.0};
}

// The bound s >= 0 cuts off the solution without it: the level sets above 0 are the same.
Weights chained_weights(const WeightProblem& problem, double cost) {
  Weights weights;
  weights.s.resize(problem.gain.size());
  // To the kernel a curvature of 0 means that nothing is known; here the gain still counts.
  std::vector<double> curvature = problem.curvature;
  for (double& one : curvature) one = std::max(one, 1e-12);
  tv_prox_weighted(curvature, problem.gain, cost, 0.0, weights.s);
  for (double& s : weights.s) s = std::max(s, 0.0);
  return weights;
}

Weights solve_weights(const WeightProblem& given) {
  if (given.edges.empty()) return separate_weights(given);
  if (const auto cost = common_cost(given)) return chained_weights(given, *cost);
  // In units in which the largest weight is about 1: s = unit s', and costs and gains alike.
  const double unit = max_abs(separate_weights(given).s);
  if (unit == 0.0) return {std::vector<double>(given.gain.size(), 0.0), 0.0};
  WeightProblem problem = given;
  for (double& gain : problem.gain) gain /= unit;
  for (WeightEdge& edge : problem.edges) edge.cost /= unit;
  const std::vector<std::size_t> number = unknowns(problem);
  const Weights found = solve_scaled(reduced(problem, number));
  Weights weights{{}, found.gap};
  for (const std::size_t at : number) weights.s.push_back(found.s[at] * unit);
  return weights;
}

}  // namespace gingham::methods::rank_one
