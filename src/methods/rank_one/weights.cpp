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

// [gain / curvature]_+
double best_weight(double gain, double curvature) {
  return gain > 0.0 && curvature > 0.0 ? gain / curvature : 0.0;
}

// Numbers that stay positive and whose products x y go to 0.
struct Pairs {
  std::vector<double> x, y, dx, dy;

  // dy such that the products become tau with the given dx; how far both stay positive.
  double aim(double tau) {
    double length = 1.0;
    dy.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      dy[i] = (tau - y[i] * dx[i]) / x[i] - y[i];
      if (dx[i] < 0.0) length = std::min(length, -0.995 * x[i] / dx[i]);
      if (dy[i] < 0.0) length = std::min(length, -0.995 * y[i] / dy[i]);
    }
    return length;
  }
  void move(double length) {
    axpy(length, dx, x);
    axpy(length, dy, y);
  }
};

// The pairs of the interior-point method:
//   s_i, mu_i        (c_e - w_e), x+_e        (c_e + w_e), x-_e       with  K s = x+ - x-,
//   D s - G + K^T w - mu = 0,       (K s)_e = p s_i+1 - q s_i.
// c - w and c + w are kept apart from w: near a bound their difference would lose all digits.
struct InteriorPoint {
  const WeightProblem& problem;
  Pairs s, up, down;
  std::vector<double> w;

  explicit InteriorPoint(const WeightProblem& given) : problem(given) {
    s.x = s.y = std::vector<double>(problem.gain.size(), 1.0);
    up.y = w = std::vector<double>(problem.edges.size(), 1.0);
    for (const WeightEdge& e : problem.edges) up.x.push_back(e.cost);
    down = up;
    std::fill(w.begin(), w.end(), 0.0);
  }

  std::vector<double> dual_residual() const {
    std::vector<double> r(s.x.size());
    for (std::size_t i = 0; i < r.size(); ++i) {
      r[i] = problem.curvature[i] * s.x[i] - problem.gain[i] - s.y[i];
    }
    for (std::size_t e = 0; e < w.size(); ++e) problem.edges[e].add_to(w[e], r);
    return r;
  }
  double complementarity() const { return dot(s.x, s.y) + dot(up.x, up.y) + dot(down.x, down.y); }

  // One Newton step towards complementarity products tau.
  void step(double tau) {
    const std::size_t t = s.x.size();
    std::vector<double> diagonal(t), off(t, 0.0), rhs = dual_residual();
    for (std::size_t i = 0; i < t; ++i) {
      diagonal[i] = problem.curvature[i] + s.y[i] / s.x[i];
      rhs[i] = -rhs[i] + tau / s.x[i] - s.y[i];
    }
    // dw = (K ds + r) / B per edge.
    std::vector<double> r(w.size()), B(w.size());
    for (std::size_t e = 0; e < w.size(); ++e) {
      const WeightEdge& edge = problem.edges[e];
      B[e] = up.y[e] / up.x[e] + down.y[e] / down.x[e];
      // K s + K ds = x+ + dx+ - x- - dx-, with x+ + dx+ = (tau + x+ dw) / (c - w) and alike below.
      r[e] = edge.of(s.x) - tau / up.x[e] + tau / down.x[e];
      edge.add_to(-r[e] / B[e], rhs);
      diagonal[edge.time + 1] += edge.next * edge.next / B[e];
      diagonal[edge.time] += edge.now * edge.now / B[e];
      off[edge.time] -= edge.next * edge.now / B[e];
    }
    std::vector<double>& ds = s.dx = std::move(rhs);
    for (std::size_t i = 1; i < t; ++i) {
      const double factor = off[i - 1] / diagonal[i - 1];
      diagonal[i] -= factor * off[i - 1];
      ds[i] -= factor * ds[i - 1];
    }
    for (std::size_t i = t; i-- > 0;) {
      if (i + 1 < t) ds[i] -= off[i] * ds[i + 1];
      ds[i] /= diagonal[i];
    }
    up.dx = down.dx = r;
    for (std::size_t e = 0; e < w.size(); ++e) {
      down.dx[e] = (problem.edges[e].of(ds) + r[e]) / B[e];
      up.dx[e] = -down.dx[e];
    }
    const double length = std::min({s.aim(tau), up.aim(tau), down.aim(tau)});
    axpy(length, down.dx, w);
    for (Pairs* pairs : {&s, &up, &down}) pairs->move(length);
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
  const bool are_same = std::equal(costs.begin() + 1, costs.end(), costs.begin());
  return are_same ? std::optional(costs.front()) : std::nullopt;
}

// Neighbours whose difference costs more than every force that could pull them apart have equal
// weights: they become one unknown. Returns the number of each time's unknown. No weight is
// above 1.
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
    const double ratio = ratio_[e.time];
    if (ratio > 0.0 && e.next != 0.0 && std::abs(e.now / e.next - ratio) <= kSameRatio * ratio) {
      pull_[e.time] += e.cost * std::abs(e.next);
      return;
    }
    const double difference = e.of(s_);
    if (difference == 0.0) return;  // both weights are zero
    const double force = std::copysign(e.cost, difference);
    e.add_to(-force, gain_);
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
      const double first = s_[begin] == 0.0 ? 0.0 : best_weight(gain, curvature);
      for (std::size_t k = 0; k < shares.size(); ++k) s_[begin + k] = shares[k] * first;
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
  // Of a time without vectors (0) nothing depends on the weight.
  std::vector<double> depends = problem.curvature;
  for (const WeightEdge& edge : problem.edges) {
    depends[edge.time] += std::abs(edge.now);
    depends[edge.time + 1] += std::abs(edge.next);
  }
  for (std::size_t i = 0; i < depends.size(); ++i) {
    if (depends[i] == 0.0) problem.curvature[i] = 1.0;
  }
  // Where edges hold weights together ever more tightly the linear system loses its digits in the
  // end; the best point before that is as good as can be had.
  InteriorPoint point(problem);
  const auto n_pairs = static_cast<double>(problem.gain.size() + 2 * problem.edges.size());
  Weights weights{point.s.x, std::numeric_limits<double>::infinity()};
  for (int k = 0, since = 0; k < kMaxIterations && since < kPatience; ++k) {
    point.step(0.1 * point.complementarity() / n_pairs);
    const double gap = point.complementarity() + norm2(point.dual_residual());
    if (!std::isfinite(gap)) break;
    since = gap < weights.gap ? 0 : since + 1;
    if (gap < weights.gap) weights = {point.s.x, gap};
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
    if (depends[i] == 0.0) weights.s[i] = 0.0;
  }
  return weights;
}

}  // namespace

double WeightProblem::value(const std::vector<double>& s) const {
  double total = 0.0;
  for (std::size_t i = 0; i < s.size(); ++i) total += (0.5 * curvature[i] * s[i] - gain[i]) * s[i];
  for (const WeightEdge& e : edges) total += e.cost * std::abs(e.of(s));
  return total;
}

Weights separate_weights(const WeightProblem& problem) {
  Weights weights;
  for (std::size_t i = 0; i < problem.gain.size(); ++i)
    weights.s.push_back(best_weight(problem.gain[i], problem.curvature[i]));
  return weights;
}

Weights tied_weights(const WeightProblem& problem) {
  const std::size_t t = problem.gain.size();
  const WeightProblem all = reduced(problem, std::vector<std::size_t>(t, 0));
  return {std::vector<double>(t, best_weight(all.gain[0], all.curvature[0])), 0.0};
}

// The bound s >= 0 cuts off the solution without it: the level sets above 0 are the same.
Weights chained_weights(const WeightProblem& problem, double cost) {
  Weights weights{std::vector<double>(problem.gain.size()), 0.0};
  // To the kernel a curvature of 0 means that nothing is known; here the gain still counts.
  constexpr double kNone = 1e-12;
  std::vector<double> curvature = problem.curvature;
  for (double& one : curvature) one = std::max(one, kNone);
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
