#include "gingham/kernels/tv_prox.hpp"

#include <gtest/gtest.h>

#include "gingham/base/rng.hpp"
#include "kernels/tv_prox_oracles.hpp"

namespace gingham {
namespace {

using oracle::Values;

Values plain(Values a, double gamma) {
  tv_prox(a, gamma);
  return a;
}

Values ones(std::size_t t) { return Values(t, 1.0); }
Values zeros(std::size_t t) { return Values(t, 0.0); }

double largest(const Values& v) {
  double m = 0.0;
  for (const double x : v) m = std::max(m, std::abs(x));
  return m;
}

// Noise, small integers (ties), steps, ramps, spikes.
Values random_signal(Rng& rng, Index t, Index kind) {
  Values a(static_cast<std::size_t>(t));
  double walk = 0.0;
  for (Index i = 0; i < t; ++i) {
    walk += rng.normal();
    a[i] = rng.normal();
    if (kind == 1) a[i] = static_cast<double>(rng.below(5) - 2);
    if (kind == 2) a[i] = (i < t / 2 ? 1.0 : -1.0) + 0.1 * a[i];
    if (kind == 3) a[i] = static_cast<double>(i);
    if (kind == 4) a[i] = rng.below(10) == 0 ? 10.0 : 0.0;
    if (kind == 5) a[i] = walk;
    if (kind == 6) a[i] = i % 2 == 0 ? 1.0 : -1.0;
  }
  return a;
}

TEST(TvProx, MatchesEnumerationOnShortSignals) {
  Rng rng = Rng::named(1, "tv");
  for (int k = 0; k < 600; ++k) {
    const Values a = random_signal(rng, 1 + k % 5, rng.below(7));
    const double gamma = std::exp(1.5 * rng.normal());
    const Values expected = oracle::enumerate(ones(a.size()), a, zeros(a.size()), gamma);
    const Values v = plain(a, gamma);
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_NEAR(v[i], expected[i], 1e-12) << oracle::show(a) << gamma;
    }
  }
}

TEST(TvProx, SatisfiesTheOptimalityConditionsAtAllScales) {
  Rng rng = Rng::named(2, "tv");
  for (int k = 0; k < 10000; ++k) {
    const double scale = k % 2 == 0 ? 1.0 : std::pow(10.0, rng.uniform(-150.0, 150.0));
    Values a = random_signal(rng, 1 + rng.below(40), rng.below(7));
    for (double& x : a) x *= scale;
    const double gamma = scale * std::exp(3.0 * rng.normal());
    const Values v = plain(a, gamma);
    ASSERT_LE(oracle::violation(ones(a.size()), a, zeros(a.size()), gamma, v),
              1e-13 * static_cast<double>(a.size()) * (largest(a)))
        << oracle::show(a) << gamma;
  }
}

TEST(TvProx, IsExactAndLinearOnVeryLongSignals) {
  Rng rng = Rng::named(3, "tv");
  for (Index kind = 0; kind < 7; ++kind) {
    const Values a = random_signal(rng, 200000, kind);
    for (const double gamma : {0.3, 30.0, 1e4}) {
      const Values v = plain(a, gamma);
      EXPECT_LE(oracle::violation(ones(a.size()), a, zeros(a.size()), gamma, v),
                1e-9 * (largest(a) + gamma))
          << kind << " " << gamma;
    }
  }
}

TEST(TvProx, ManySignalsEqualSingleOnesBitForBitOnAnyNumberOfThreads) {
  Rng rng = Rng::named(4, "tv");
  ThreadPool one(1), three(3);
  for (const auto& [t, n] : std::vector<std::pair<Index, Index>>{
           {1, 5}, {2, 1}, {3, 16}, {7, 5003}, {50, 333}, {70, 333}, {5, 0}, {0, 3}}) {
    Matrix signals(t, n);
    for (double& x : signals.values()) x = rng.normal();
    for (const double gamma : {0.0, 0.1, 1.0, 5.0}) {
      Matrix alone = signals, together = signals;
      tv_prox(alone, gamma, one);
      tv_prox(together, gamma, three);
      for (Index j = 0; j < n; ++j) {
        Values signal(static_cast<std::size_t>(t));
        for (Index i = 0; i < t; ++i) signal[i] = signals(i, j);
        tv_prox(signal, gamma);
        for (Index i = 0; i < t; ++i) {
          ASSERT_EQ(alone(i, j), signal[i]);
          ASSERT_EQ(together(i, j), signal[i]);
        }
      }
    }
  }
}

TEST(TvProx, GammaMaxMakesConstantsToTheLastBitAndLessDoesNot) {
  Rng rng = Rng::named(5, "tv");
  ThreadPool pool(2);
  Matrix signals(9, 500);
  for (double& x : signals.values()) x = rng.normal() + 3.0;
  const std::vector<double> bounds = tv_gamma_max(signals, pool);
  const double bound = *std::max_element(bounds.begin(), bounds.end());
  Matrix fused = signals, almost = signals;
  tv_prox(fused, bound, pool);
  tv_prox(almost, bound * (1 - 1e-9), pool);
  bool jumps = false;
  for (Index j = 0; j < signals.cols(); ++j) {
    double mean = 0.0;
    for (Index i = 0; i < 9; ++i) mean += signals(i, j) / 9.0;
    Values signal(9);
    for (Index i = 0; i < 9; ++i) signal[i] = signals(i, j);
    EXPECT_EQ(tv_gamma_max(signal), bounds[j]);
    tv_prox(signal, bounds[j]);
    for (Index i = 0; i < 9; ++i) {
      ASSERT_EQ(fused(i, j), fused(0, j));
      ASSERT_EQ(signal[i], signal[0]);
      ASSERT_NEAR(fused(i, j), mean, 1e-14);
      jumps |= almost(i, j) != almost(0, j);
    }
  }
  EXPECT_TRUE(jumps);
}

TEST(TvProx, GapIsTheDistanceFoundByHand) {
  // At (1, 1) with gamma 1: -gradient = (3, 1) is brought to (2, 2) by w = 1.
  EXPECT_NEAR(tv_gap(Values{1, 1}, Values{-3, -1}, 1.0, 0.0), std::sqrt(8.0), 1e-14);
  // At (0, 2): the subgradient of TV is (-1, 1), of |.| anything in [-1, 1] and 1.
  EXPECT_NEAR(tv_gap(Values{0, 2}, Values{0.5, -2.0}, 1.0, 1.0), 0.0, 1e-14);
  EXPECT_NEAR(tv_gap(Values{0, 2}, Values{3.0, -2.0}, 1.0, 1.0), 1.0, 1e-14);
  EXPECT_NEAR(tv_gap(Values{0, 0}, Values{0.5, 0.5}, 1.0, Values{1.0, 0.0}), 0.0, 1e-14);
}

TEST(TvProx, RefusesWhatMakesNoSense) {
  ThreadPool pool(2);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Values a{1.0, bad, 2.0}, result(3);
    EXPECT_THROW(tv_prox(a, 1.0), Error);
    EXPECT_THROW(tv_gamma_max(a), Error);
    EXPECT_THROW(tv_prox_weighted(Values{1, 1, 1}, a, 1.0, 0.0, result), Error);
    EXPECT_THROW(tv_prox_weighted(a, Values{1, 1, 1}, 1.0, 0.0, result), Error);
    Matrix many(3, 200);
    many(2, 150) = bad;
    Matrix copy = many;
    EXPECT_THROW(tv_prox(many, 1.0, pool), Error);
    EXPECT_THROW(tv_prox_dual(copy, 1.0, {}, pool), Error);
  }
  Values fine{1.0, 2.0};
  EXPECT_THROW(tv_prox(fine, -1.0), Error);
  EXPECT_THROW(tv_prox(fine, std::nan("")), Error);
  EXPECT_THROW(tv_prox_weighted(fine, fine, 1.0, -1.0, fine), Error);
  EXPECT_THROW(tv_prox_weighted(Values{-1.0, 1.0}, fine, 1.0, 1.0, fine), Error);
  EXPECT_THROW(tv_prox_weighted(Values{1.0}, fine, 1.0, 1.0, fine), Error);
}

}  // namespace
}  // namespace gingham
