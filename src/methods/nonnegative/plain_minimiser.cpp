#include "gingham/methods/nonnegative/plain_minimiser.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "gingham/penalties/in_ball.hpp"

namespace gingham::methods::nonnegative {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

constexpr int kHalvings = 20000;  // from the largest number to the smallest
constexpr int kMaxRounds = 100000;
constexpr Real kSettled = 1e-17L;

// The root of a function that falls from above 0 at `low`, by halving.
template <class F>
Real root(Real low, Real high, const F& value) {
  for (int step = 0; step < kHalvings && low < high; ++step) {
    const Real middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (value(middle) > 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

// z_i = d_i p_i / (d_i + mu), mu >= 0 such that |z| <= 1.
void into_ball(Reals& p, const Reals& d) {
  const auto length = [&](Real mu) {
    Real squares = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Real z = d[i] * p[i] / (d[i] + mu);
      squares += d[i] > 0 ? z * z : 0;
    }
    return std::sqrt(squares);
  };
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = d[i] > 0 ? std::max(p[i], Real{0}) : 0;
  Real squares = 0;
  for (std::size_t i = 0; i < p.size(); ++i) squares += d[i] * d[i] * p[i] * p[i];
  if (length(0) <= 1) return;
  const Real mu = root(0, std::sqrt(squares), [&](Real at) { return length(at) - 1; });
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = d[i] > 0 ? d[i] * p[i] / (d[i] + mu) : 0;
}

// argmin of 1/2 sum d (z - p)^2 + beta |z|_q over the items of one group, p >= 0; the others stay.
void shrink_group(std::span<const Index> items, Real beta, bool is_max_norm, const Reals& d,
                  Reals& p) {
  Real pull = 0, largest = 0;
  for (const Index i : items) {
    const Real slope = d[i] * std::max(p[i], Real{0});
    pull += is_max_norm ? slope : slope * slope;
    largest = std::max(largest, p[i]);
  }
  if (!is_max_norm) pull = std::sqrt(pull);
  if (pull <= beta) {
    for (const Index i : items) p[i] = 0;
    return;
  }
  if (is_max_norm) {
    const Real cap = root(0, largest, [&](Real tau) {
      Real sum = 0;
      for (const Index i : items) sum += d[i] * std::max(p[i] - tau, Real{0});
      return sum - beta;
    });
    for (const Index i : items) p[i] = std::min(p[i], cap);
    return;
  }
  Real longest = 0;
  for (const Index i : items) longest += d[i] > 0 ? p[i] * p[i] : 0;
  const Real t = root(0, std::sqrt(longest), [&](Real at) {
    Real sum = 0;  // of (d p / (d t + beta))^2: above 1 below the root
    for (const Index i : items) {
      const Real part = d[i] * p[i] / (d[i] * at + beta);
      sum += part * part;
    }
    return sum - 1;
  });
  for (const Index i : items) p[i] = d[i] * p[i] * t / (d[i] * t + beta);
}

// Penalties that tie items together in other ways, by their own minimisers.
Reals by_penalty(const SideRules& rules, const Reals& b, const Reals& h) {
  std::vector<double> pull(b.begin(), b.end()), curvature(h.begin(), h.end()), z(b.size());
  for (std::size_t i = 0; i < z.size(); ++i) pull[i] = curvature[i] > 0.0 ? pull[i] : 0.0;
  if (rules.is_in_ball) {
    InBall(rules.penalty).minimise(pull, curvature, z);
  } else {
    rules.penalty->minimise(pull, curvature, z);
  }
  return {z.begin(), z.end()};
}

struct Share {
  std::vector<Index> items;
  Real beta = 0;
  Reals taken = {};
};

// The groups that pay, small ones first.
std::vector<Share> shares_of(const SideRules& rules) {
  std::map<std::vector<Index>, Real> weights;
  for (Index g = 0; g < rules.groups->count(); ++g) {
    const std::span<const Index> items = rules.groups->members(g);
    const Real weight = static_cast<Real>(rules.beta) * rules.factors[g];
    if (weight > 0) weights[{items.begin(), items.end()}] += weight;
  }
  std::vector<Share> shares;
  for (const auto& [items, beta] : weights) shares.push_back({items, beta, Reals(items.size(), 0)});
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.items.size() < b.items.size(); });
  return shares;
}

}  // namespace

std::vector<long double> plain_minimiser(const SideRules& rules, const Reals& b, const Reals& h) {
  const EntryRule* entry = rules.penalty->entry();
  if (!rules.has_group_penalty() &&
      (entry == nullptr || (rules.is_in_ball && !entry->is_nonnegative())))
    return by_penalty(rules, b, h);
  const EntryRule rule = rules.penalty->rest();
  Reals p(b.size()), d(h);
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (h[i] > 0) d[i] += rule.ridge;
    p[i] = h[i] > 0 ? std::max((b[i] - rule.l1) / d[i], Real{0}) : 0;
    p[i] = std::min(p[i], static_cast<Real>(rule.high));
  }
  if (rules.is_in_ball) into_ball(p, d);
  if (!rules.has_group_penalty()) return p;
  // One group after the other takes from p what is its own share (dual ascent), the small ones
  // first, until none wants more; groups that are nested or disjoint are done in one round, and
  // groups of the same items are one.
  std::vector<Share> shares = shares_of(rules);
  for (int round = 0; round < kMaxRounds; ++round) {
    Real change = 0, size = 0;
    for (Share& own : shares) {
      for (std::size_t e = 0; e < own.items.size(); ++e) p[own.items[e]] += own.taken[e];
      Reals before;
      for (const Index i : own.items) before.push_back(p[i]);
      shrink_group(own.items, own.beta, rules.is_max_norm, d, p);
      for (std::size_t e = 0; e < own.items.size(); ++e) {
        const Real now = before[e] - p[own.items[e]];
        const Real counts = std::sqrt(d[own.items[e]]);
        change = std::max(change, counts * std::abs(now - own.taken[e]));
        size = std::max(size, counts * std::abs(before[e]));
        own.taken[e] = now;
      }
    }
    if (!(change > kSettled * size) || rules.groups->is_disjoint()) break;
  }
  return p;
}

}  // namespace gingham::methods::nonnegative
