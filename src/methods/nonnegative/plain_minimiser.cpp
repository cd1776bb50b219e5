#include "gingham/methods/nonnegative/plain_minimiser.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

}  // namespace

std::vector<long double> plain_minimiser(const SideRules& rules, Reals p, const Reals& d) {
  if (rules.is_in_ball) {
    into_ball(p, d);
    return p;
  }
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = d[i] > 0 ? std::max(p[i], Real{0}) : 0;
  if (!rules.has_group_penalty()) return p;
  // One group after the other takes from p what is its own share (dual ascent), the small ones
  // first, until none wants more; groups that are nested or disjoint are done in one round.
  std::vector<std::size_t> order(static_cast<std::size_t>(rules.groups->count()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size_of = [&](std::size_t g) {
    return rules.groups->members(static_cast<Index>(g)).size();
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return size_of(a) < size_of(b); });
  std::vector<Reals> taken(static_cast<std::size_t>(rules.groups->count()));
  for (std::size_t g = 0; g < taken.size(); ++g)
    taken[g].assign(rules.groups->members(static_cast<Index>(g)).size(), 0);
  for (int round = 0; round < kMaxRounds; ++round) {
    Real change = 0, size = 0;
    for (const std::size_t g : order) {
      if (!(rules.beta[g] > 0.0)) continue;
      std::span<const Index> items = rules.groups->members(static_cast<Index>(g));
      for (std::size_t e = 0; e < items.size(); ++e) p[items[e]] += taken[g][e];
      Reals before;
      for (const Index i : items) before.push_back(p[i]);
      shrink_group(items, rules.beta[g], rules.is_max_norm, d, p);
      for (std::size_t e = 0; e < items.size(); ++e) {
        const Real now = before[e] - p[items[e]];
        const Real counts = std::sqrt(d[items[e]]);
        change = std::max(change, counts * std::abs(now - taken[g][e]));
        size = std::max(size, counts * std::abs(before[e]));
        taken[g][e] = now;
      }
    }
    if (!(change > kSettled * size) || rules.groups->is_disjoint()) break;
  }
  return p;
}

}  // namespace gingham::methods::nonnegative
