#include <gtest/gtest.h>

#include "gingham/base/rng.hpp"
#include "gingham/kernels/tv_prox.hpp"
#include "kernels/tv_prox_oracles.hpp"

namespace gingham {
namespace {

using oracle::Problem;
using oracle::random_problem;
using oracle::show;
using oracle::solve;
using oracle::Values;

TEST(TvProxWeighted, MatchesEnumerationOnShortSignals) {
  Rng rng = Rng::named(1, "tv weighted");
  for (int k = 0; k < 2000; ++k) {
    const Problem p = random_problem(rng, 1 + k % 4, 1.0);
    const Values v = solve(p);
    const Values expected = oracle::enumerate(p.h, p.b, p.alpha, p.gamma);
    const double least = oracle::objective(p.h, p.b, p.alpha, p.gamma, expected);
    ASSERT_NEAR(oracle::objective(p.h, p.b, p.alpha, p.gamma, v), least,
                1e-11 * (1 + std::abs(least)))
        << show(p) << oracle::show(v) << oracle::show(expected);
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (p.h[i] > 1e-3) {
        ASSERT_NEAR(v[i], expected[i], 1e-6 * (1 + std::abs(expected[i]))) << show(p);
      }
    }
  }
}

TEST(TvProxWeighted, SatisfiesTheOptimalityConditionsAtAllScales) {
  Rng rng = Rng::named(2, "tv weighted");
  for (int k = 0; k < 20000; ++k) {
    const double scale = k % 2 == 0 ? 1.0 : std::pow(10.0, rng.uniform(-100.0, 100.0));
    const Problem p = random_problem(rng, 1 + rng.below(30), scale);
    const Values v = solve(p);
    ASSERT_LE(oracle::violation(p.h, p.b, p.alpha, p.gamma, v), 1e-11 * p.size) << show(p);
  }
}

TEST(TvProxWeighted, GivesTheExampleWhereThresholdingAfterwardsFails) {
  Values v(2);
  tv_prox_weighted(Values{1, 4}, Values{2, 8}, 0.1, 1.0, v);
  EXPECT_NEAR(v[0], 1.1, 1e-14);
  EXPECT_NEAR(v[1], 1.725, 1e-14);
}

TEST(TvProxWeighted, EqualsThePlainProxAndSoftThresholdWhenAllWeightsAreOne) {
  Rng rng = Rng::named(3, "tv weighted");
  for (int k = 0; k < 3000; ++k) {
    Problem p = random_problem(rng, 1 + rng.below(30), 1.0);
    std::fill(p.h.begin(), p.h.end(), 1.0);
    Values expected = p.b;
    tv_prox(expected, p.gamma);
    const Values v = solve(p);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double x = expected[i];
      const double soft = x > p.weight ? x - p.weight : x < -p.weight ? x + p.weight : 0.0;
      ASSERT_NEAR(v[i], soft, 1e-12 * (1 + p.size));
    }
  }
}

TEST(TvProxWeighted, UnobservedTimesAreCarriedByTheirNeighbours) {
  Values v(6);
  tv_prox_weighted(Values{0, 1, 0, 0, 1, 0}, Values{9, 5, 9, 9, -5, 9}, 0.5, 1.0, v);
  EXPECT_EQ(v, (Values{3.5, 3.5, -3.5, -3.5, -3.5, -3.5}));
  tv_prox_weighted(Values{0, 1, 0, 0, 1, 0}, Values{9, 5, 9, 9, -5, 9}, 0.0, 1.0, v);
  EXPECT_EQ(v, (Values{0, 4, 0, 0, -4, 0}));
  tv_prox_weighted(Values(6, 0.0), Values(6, 1.0), 1.0, 1.0, v);
  EXPECT_EQ(v, Values(6, 0.0));
  Values none;
  tv_prox_weighted(none, none, 1.0, 1.0, none);
}

TEST(TvProxWeighted, GammaMaxIsTheSmallestThatGivesConstants) {
  Rng rng = Rng::named(4, "tv weighted");
  int nonzero = 0, zero = 0;
  for (int k = 0; k < 20000; ++k) {
    Problem p = random_problem(rng, 1 + rng.below(12), 1.0);
    double level = 0.0;
    const double bound = tv_gamma_max_weighted(p.h, p.b, p.weight, &level);
    p.gamma = bound;
    const Values at = solve(p);
    for (const double x : at) ASSERT_EQ(x, bound > 0.0 ? level : x) << show(p);
    // Constant at `level` is optimal at the bound, and no longer just below it.
    const Values constant(p.h.size(), level);
    ASSERT_LE(oracle::violation(p.h, p.b, p.alpha, bound, constant), 1e-11 * p.size) << show(p);
    if (bound <= 1e-6 * p.size) continue;
    EXPECT_GT(oracle::violation(p.h, p.b, p.alpha, 0.999 * bound, constant), 1e-5 * bound)
        << show(p);
    ++(level == 0.0 ? zero : nonzero);
  }
  EXPECT_GT(zero, 1000);
  EXPECT_GT(nonzero, 1000);
}

TEST(TvProxWeighted, IsLinearInTimeHoweverOftenZeroIsCrossed) {
  Rng rng = Rng::named(5, "tv weighted");
  const Index t = 100000;
  for (int kind = 0; kind < 3; ++kind) {
    Problem p;
    p.gamma = kind == 1 ? 1e3 : 2.0;
    p.weight = 0.5;
    for (Index i = 0; i < t; ++i) {
      const double h = i % 7 == 3 ? 0.0 : 0.5 + rng.uniform();
      const double b = kind == 2 ? (i % 2 == 0 ? 3.0 : -3.0) : 2.0 * rng.normal();
      p.h.push_back(h);
      p.b.push_back(h > 0.0 ? b : 0.0);
      p.alpha.push_back(h > 0.0 ? p.weight : 0.0);
    }
    EXPECT_LE(oracle::violation(p.h, p.b, p.alpha, p.gamma, solve(p)), 1e-8);
  }
}

TEST(TvProxWeighted, ManySignalsEqualSingleOnesBitForBitOnAnyNumberOfThreads) {
  Rng rng = Rng::named(6, "tv weighted");
  ThreadPool one(1), three(3);
  const Index t = 11, n = 700;
  Matrix h(t, n), b(t, n), alone(t, n), together(t, n);
  for (double& x : h.values()) x = rng.below(4) == 0 ? 0.0 : rng.uniform();
  for (double& x : b.values()) x = rng.normal();
  tv_prox_weighted(h, b, 0.3, 0.2, alone, one);
  tv_prox_weighted(h, b, 0.3, 0.2, together, three);
  const std::vector<double> bounds = tv_gamma_max_weighted(h, b, 0.2, three);
  for (Index j = 0; j < n; ++j) {
    Values hj(t), bj(t), v(t);
    for (Index i = 0; i < t; ++i) hj[i] = h(i, j), bj[i] = b(i, j);
    tv_prox_weighted(hj, bj, 0.3, 0.2, v);
    EXPECT_EQ(bounds[j], tv_gamma_max_weighted(hj, bj, 0.2));
    for (Index i = 0; i < t; ++i) {
      ASSERT_EQ(alone(i, j), v[i]);
      ASSERT_EQ(together(i, j), v[i]);
    }
    Values gradient(t), alpha(t);
    for (Index i = 0; i < t; ++i) {
      gradient[i] = hj[i] > 0.0 ? hj[i] * v[i] - bj[i] : 0.0;
      alpha[i] = hj[i] > 0.0 ? 0.2 : 0.0;
    }
    EXPECT_LE(tv_gap(v, gradient, 0.3, alpha), 1e-12);
  }
}

}  // namespace
}  // namespace gingham
