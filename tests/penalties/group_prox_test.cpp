// The prox of overlapping groups against a second solution of the dual by plain loops, whose lower
// bound on the objective holds whether it has converged or not.
#include "gingham/penalties/group_prox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

using Values = std::vector<double>;
using Reals = std::vector<long double>;
using Lists = std::vector<std::vector<Index>>;
using Real = long double;

struct Problem {
  Index size = 0;
  Lists groups;
  Values weights;
  GroupNorm norm = GroupNorm::two;
  Values point, curvature;
  std::vector<std::size_t> order;  // of the groups in the second solution
};

Real norm_of(const std::vector<Index>& group, GroupNorm norm, const Reals& z) {
  Real squares = 0, largest = 0;
  for (const Index j : group) {
    squares += z[j] * z[j];
    largest = std::max(largest, std::fabs(z[j]));
  }
  return norm == GroupNorm::two ? std::sqrt(squares) : largest;
}

Real objective(const Problem& p, const Reals& z) {
  Real sum = 0;
  for (Index j = 0; j < p.size; ++j) {
    const Real off = z[j] - std::max(p.point[j], 0.0);
    sum += off * off * p.curvature[j] / 2;
  }
  for (std::size_t g = 0; g < p.groups.size(); ++g) {
    sum += p.weights[g] * norm_of(p.groups[g], p.norm, z);
  }
  return sum;
}

// The prox of one group by bisection: of |z| where q = 2, of the cut where q is infinity.
void shrink(Reals& r, const Reals& d, Real weight, GroupNorm norm) {
  Real low = 0, high = 0;
  for (const Real x : r) high += x;
  const auto found = [&](Real t, std::size_t j) {
    return norm == GroupNorm::two ? r[j] * t / (t + weight / d[j]) : std::min(r[j], t);
  };
  Real pull = 0;
  for (std::size_t j = 0; j < r.size(); ++j) {
    pull += norm == GroupNorm::two ? d[j] * r[j] * d[j] * r[j] : d[j] * r[j];
  }
  if ((norm == GroupNorm::two ? std::sqrt(pull) : pull) <= weight) {
    std::fill(r.begin(), r.end(), 0.0L);
    return;
  }
  for (int k = 0; k < 90; ++k) {
    const Real t = (low + high) / 2;
    Real sum = 0;
    for (std::size_t j = 0; j < r.size(); ++j) {
      sum += norm == GroupNorm::two ? std::pow(r[j] / (t + weight / d[j]), 2)
                                    : d[j] * (r[j] - std::min(r[j], t));
    }
    (sum > (norm == GroupNorm::two ? 1 : weight) ? low : high) = t;
  }
  for (std::size_t j = 0; j < r.size(); ++j) r[j] = found((low + high) / 2, j);
}

using Duals = std::vector<Reals>;

// Feasible whatever rounding did, shortened into the dual balls: what any z >= 0 costs at least.
Real bound_of(const Problem& p, const Duals& xi) {
  Reals total(static_cast<std::size_t>(p.size), 0.0L);
  for (std::size_t g = 0; g < p.groups.size(); ++g) {
    Real size = 0;
    for (const Real x : xi[g]) size += p.norm == GroupNorm::two ? x * x : std::fabs(x);
    if (p.norm == GroupNorm::two) size = std::sqrt(size);
    const Real factor = size > p.weights[g] ? p.weights[g] / size : 1;
    for (std::size_t i = 0; i < xi[g].size(); ++i) total[p.groups[g][i]] += factor * xi[g][i];
  }
  Real bound = 0;
  for (Index j = 0; j < p.size; ++j) {  // min over z_j >= 0 of d (z - p)^2 / 2 + total z
    const Real point = std::max(p.point[j], 0.0), d = p.curvature[j];
    if (d == 0) continue;
    const Real best = std::max(point - total[j] / d, 0.0L);
    bound += d * (best - point) * (best - point) / 2 + total[j] * best;
  }
  return bound;
}

// A lower bound on the objective of any z >= 0 from the dual, improved until it is `enough`.
Real lower_bound(Problem p, Real enough) {
  std::stable_sort(p.order.begin(), p.order.end(), [&](std::size_t a, std::size_t b) {
    return p.groups[a].size() < p.groups[b].size();
  });
  Reals z(p.point.begin(), p.point.end());
  Duals xi;
  for (Index j = 0; j < p.size; ++j) {
    if (z[j] < 0 || p.curvature[j] == 0.0) z[j] = 0;
  }
  for (const std::vector<Index>& group : p.groups) xi.emplace_back(group.size(), 0.0L);
  Real bound = 0;
  for (int pass = 0; pass < 20000 && (pass == 0 || bound < enough); ++pass) {
    for (const std::size_t g : p.order) {
      Reals r, d;
      std::vector<std::size_t> in;
      for (std::size_t i = 0; i < p.groups[g].size(); ++i) {
        const Index j = p.groups[g][i];
        if (p.curvature[j] == 0.0) continue;
        in.push_back(i);
        d.push_back(p.curvature[j]);
        r.push_back(z[j] + xi[g][i] / p.curvature[j]);
      }
      const Reals before = r;
      shrink(r, d, p.weights[g], p.norm);
      for (std::size_t k = 0; k < in.size(); ++k) {
        xi[g][in[k]] = d[k] * (before[k] - r[k]);
        z[p.groups[g][in[k]]] = r[k];
      }
    }
    bound = bound_of(p, xi);
  }
  return bound;
}

enum class Shape { single, disjoint, chain, tree, twice, overlapping };

Lists random_groups(Rng& rng, Index size, Shape shape) {
  Lists groups;
  const auto range = [](Index from, Index to) {
    std::vector<Index> made;
    for (Index j = from; j < to; ++j) made.push_back(j);
    return made;
  };
  if (shape == Shape::single) return {range(0, size)};
  if (shape == Shape::disjoint) {
    groups.resize(2);
    for (Index j = 0; j < size; ++j) groups[static_cast<std::size_t>(rng.below(2))].push_back(j);
  }
  if (shape == Shape::chain) {
    for (Index from = 0; from < size; from += 1 + rng.below(2)) groups.push_back(range(from, size));
  }
  if (shape == Shape::tree) {
    const Index half = size / 2;
    groups = {range(0, size), range(0, half), range(half, size), range(0, half / 2)};
  }
  if (shape == Shape::twice) groups = {range(0, size), range(0, size)};
  if (shape == Shape::overlapping) {
    groups.resize(static_cast<std::size_t>(2 + rng.below(4)));
    for (std::vector<Index>& group : groups) {
      for (Index j = 0; j < size; ++j) {
        if (rng.below(2) == 0) group.push_back(j);
      }
    }
  }
  std::erase_if(groups, [](const std::vector<Index>& group) { return group.empty(); });
  return groups;
}

Problem random_problem(Rng& rng, Shape shape, bool is_weighted) {
  Problem p;
  p.size = 1 + rng.below(9);
  p.groups = random_groups(rng, p.size, shape);
  p.norm = rng.below(2) == 0 ? GroupNorm::two : GroupNorm::infinity;
  const Index kind = rng.below(4);
  const double unit = std::exp(2.0 * rng.normal());
  for (Index j = 0; j < p.size; ++j) {
    double x = 2.0 * rng.normal() + 1.0;
    if (kind == 1) x = static_cast<double>(rng.below(4)) - 1.0;  // ties and zeros
    if (kind == 2) x = 1.0;
    p.point.push_back(x);
    p.curvature.push_back(is_weighted ? std::exp(1.5 * rng.normal()) : unit);
    if (is_weighted && rng.below(8) == 0) p.curvature.back() = 0.0;
  }
  for (std::size_t g = 0; g < p.groups.size(); ++g) {
    p.order.push_back(g);
    p.weights.push_back(rng.below(6) == 0 ? 0.0 : unit * std::exp(rng.normal() - 0.5));
  }
  return p;
}

// With one group in place of several of the same items.
Problem merged(Problem p) {
  std::vector<std::size_t> left;
  for (std::size_t g = 0; g < p.groups.size(); ++g) {
    const auto same =
        std::find(p.groups.begin(), p.groups.begin() + static_cast<Index>(g), p.groups[g]);
    const std::size_t at = static_cast<std::size_t>(same - p.groups.begin());
    if (at == g) left.push_back(g);
    if (at < g) p.weights[at] += p.weights[g];
  }
  p.order = left;
  for (std::size_t g = 0; g < p.groups.size(); ++g) {
    if (std::find(left.begin(), left.end(), g) == left.end()) p.groups[g].clear();
  }
  return p;
}

Values prox_of(const Problem& p, bool is_weighted, GroupProx* made = nullptr) {
  GroupProx prox(p.size, p.groups, p.weights, p.norm);
  Values z = p.point;
  is_weighted ? prox.prox_weighted(z, p.curvature) : prox.prox(z, p.curvature[0]);
  if (made != nullptr) *made = prox;
  return z;
}

void check(Shape shape, bool is_weighted, int trials, Real tolerance) {
  Rng rng = Rng::named(static_cast<std::uint64_t>(shape), is_weighted ? "weighted" : "equal");
  int n_slow = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Problem p = random_problem(rng, shape, is_weighted);
    GroupProx made(0, {}, {}, p.norm);
    const Values z = prox_of(p, is_weighted, &made);
    for (Index j = 0; j < p.size; ++j) {
      ASSERT_GE(z[j], 0.0);
      if (p.point[j] <= 0.0 || p.curvature[j] == 0.0) {
        ASSERT_EQ(z[j], 0.0);
      }
    }
    const Reals found(z.begin(), z.end());
    const Real reached = objective(p, found);
    const Real bound = lower_bound(merged(p), reached * (1 - tolerance));
    ASSERT_LE(made.gap(), 1e-5);
    n_slow += made.gap() > 1e-11;
    ASSERT_LE(reached - bound, (tolerance + 2 * made.gap()) * (reached + 1e-30L))
        << trial << ": " << static_cast<double>(reached) << " above " << static_cast<double>(bound)
        << ", passes " << made.passes() << ", gap " << made.gap();
    Real value = 0;
    for (std::size_t g = 0; g < p.groups.size(); ++g) {
      const Real norm = norm_of(p.groups[g], p.norm, found);
      ASSERT_NEAR(made.norm(static_cast<Index>(g), z), static_cast<double>(norm), 1e-13);
      value += p.weights[g] * norm;
      ASSERT_TRUE(norm == 0 || norm > 1e-9L) << "specks in a group that is off";
    }
    ASSERT_NEAR(made.value(z), static_cast<double>(value),
                1e-12 * (1 + static_cast<double>(value)));
  }
  EXPECT_LE(n_slow, trials / 100);  // those that stop at the bound on passes
}

// Nested or disjoint with equal curvature: exact. The rest: to the gap that was promised.
TEST(GroupProx, OneGroup) { check(Shape::single, false, 1000, 1e-14L); }
TEST(GroupProx, OneGroupWeighted) { check(Shape::single, true, 1000, 1e-13L); }
TEST(GroupProx, DisjointGroups) { check(Shape::disjoint, false, 500, 1e-14L); }
TEST(GroupProx, DisjointGroupsWeighted) { check(Shape::disjoint, true, 500, 1e-13L); }
TEST(GroupProx, Chains) { check(Shape::chain, false, 1000, 1e-12L); }
TEST(GroupProx, ChainsWeighted) { check(Shape::chain, true, 1000, 1e-12L); }
TEST(GroupProx, Trees) { check(Shape::tree, false, 1000, 1e-12L); }
TEST(GroupProx, TreesWeighted) { check(Shape::tree, true, 1000, 1e-12L); }
TEST(GroupProx, TheSameGroupTwice) { check(Shape::twice, false, 1000, 1e-12L); }
TEST(GroupProx, TheSameGroupTwiceWeighted) { check(Shape::twice, true, 1000, 1e-12L); }
TEST(GroupProx, OverlappingGroups) { check(Shape::overlapping, false, 1000, 1e-12L); }
TEST(GroupProx, OverlappingGroupsWeighted) { check(Shape::overlapping, true, 1000, 1e-12L); }

TEST(GroupProx, OfSingleItemsDoesNotDependOnTheNorm) {
  Rng rng = Rng::named(1, "single items");
  for (int trial = 0; trial < 300; ++trial) {
    Problem p = random_problem(rng, Shape::single, trial % 2 == 0);
    p.groups.clear();
    p.weights.clear();
    for (Index j = 0; j < p.size; ++j) {
      p.groups.push_back({j});
      p.weights.push_back(std::abs(rng.normal()));
    }
    p.norm = GroupNorm::two;
    const Values two = prox_of(p, trial % 2 == 0);
    p.norm = GroupNorm::infinity;
    const Values infinity = prox_of(p, trial % 2 == 0);
    for (Index j = 0; j < p.size; ++j) {
      const double d = p.curvature[j];
      const double expected = d > 0.0 ? std::max(p.point[j] - p.weights[j] / d, 0.0) : 0.0;
      ASSERT_NEAR(two[j], expected, 1e-14 * (1 + std::abs(p.point[j])));
      ASSERT_NEAR(infinity[j], expected, 1e-14 * (1 + std::abs(p.point[j])));
    }
  }
}

TEST(GroupProx, UnitsDoNotMatter) {
  Rng rng = Rng::named(1, "units");
  for (int trial = 0; trial < 300; ++trial) {
    const Shape shape = trial % 3 == 0   ? Shape::single
                        : trial % 3 == 1 ? Shape::tree
                                         : Shape::overlapping;
    const bool is_weighted = trial % 2 == 0;
    const Problem p = random_problem(rng, shape, is_weighted);
    const Values plain = prox_of(p, is_weighted);
    for (const int exponent : {-330, 330}) {
      Problem q = p;
      const double scale = std::ldexp(1.0, exponent), unit = std::ldexp(1.0, -exponent / 2);
      for (double& x : q.point) x *= scale;
      for (double& d : q.curvature) d *= unit;
      for (double& w : q.weights) w *= unit * scale;
      const Values z = prox_of(q, is_weighted);
      for (Index j = 0; j < p.size; ++j) {
        ASSERT_NEAR(z[j] / scale, plain[j], 1e-7 * (1 + std::abs(p.point[j]))) << trial;
        if (shape != Shape::overlapping && !is_weighted) {
          ASSERT_NEAR(z[j] / scale, plain[j], 1e-13 * (1 + std::abs(p.point[j]))) << trial;
        }
      }
    }
  }
}

TEST(GroupProx, LeavesNoSpecksInGroupsThatAreOff) {
  // The first group pulls with more than enough; the second shares an entry with it.
  for (const GroupNorm norm : {GroupNorm::two, GroupNorm::infinity}) {
    GroupProx prox(4, {{0, 1, 2}, {2, 3}}, {3.0, 0.5}, norm);
    Values z{0.5, 0.2, 1.0, 5.0};
    prox.prox(z, 1.0);
    EXPECT_EQ((Values{z[0], z[1], z[2]}), (Values{0, 0, 0}));
    EXPECT_NEAR(z[3], 4.5, 1e-12);
  }
}

TEST(GroupProx, AGroupWithoutWeightShapesNothing) {
  GroupProx prox(3, {{0, 1}, {1, 2}}, {1.0, 0.0}, GroupNorm::two);
  EXPECT_EQ(prox.size(), 3);
  EXPECT_EQ(prox.n_groups(), 2);
  Values z{3.0, 4.0, 9.0};
  EXPECT_EQ(prox.norm(0, z), 5.0);
  EXPECT_EQ(prox.value(z), 5.0);
  prox.prox(z, 1.0);
  EXPECT_NEAR(z[0], 2.4, 1e-15);
  EXPECT_NEAR(z[1], 3.2, 1e-15);
  EXPECT_EQ(z[2], 9.0);
  prox.prox(z, 0.0);
  EXPECT_EQ(z, (Values{0, 0, 0}));
  Values bad{std::nan(""), 1.0, 1.0};
  EXPECT_THROW(prox.prox(bad, 1.0), Error);
  EXPECT_THROW(prox.prox_weighted(bad, Values{1, 1, 1}), Error);
}

}  // namespace
}  // namespace gingham
