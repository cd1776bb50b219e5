// Short signals in step: every length around the bound where another solver takes over, numbers of
// signals that do not fill the lanes, neighbours of all kinds.
#include <gtest/gtest.h>

#include "gingham/kernels/tv_prox.hpp"
#include "kernels/tv_prox_oracles.hpp"

namespace gingham {
namespace {

using oracle::Values;

constexpr Index kLongest = 70;
constexpr double kMost = std::numeric_limits<double>::max();

Values column(const Matrix& signals, Index j) {
  Values v(static_cast<std::size_t>(signals.rows()));
  for (Index i = 0; i < signals.rows(); ++i) v[i] = signals(i, j);
  return v;
}

// Noise, ties, noise on a high level, a walk, steps, a constant, zeros.
Matrix random_signals(Rng& rng, Index t, Index n, double scale) {
  Matrix a(t, n);
  for (Index j = 0; j < n; ++j) {
    const Index kind = rng.below(7);
    double walk = 0.0;
    for (Index i = 0; i < t; ++i) {
      double x = rng.normal();
      walk += x;
      if (kind == 1) x = static_cast<double>(rng.below(5) - 2);
      if (kind == 2) x += 1000.0;
      if (kind == 3) x = walk;
      if (kind == 4) x = (i < t / 2 ? 3.0 : -1.0) + 0.1 * x;
      if (kind == 5) x = static_cast<double>(j);
      if (kind == 6) x = 0.0;
      a(i, j) = scale * x;
    }
  }
  return a;
}

TEST(TvProxShort, IsOptimalForEveryLengthAndNumberAtAllScales) {
  Rng rng = Rng::named(1, "tv short");
  ThreadPool pool(1);
  for (Index t = 1; t <= kLongest; ++t) {
    for (const Index n : {1, 5, 8, 19}) {
      for (const double scale : {1.0, 1e100, 1e-100}) {
        const double gamma = scale * std::exp(2.0 * rng.normal());
        const Matrix a = random_signals(rng, t, n, scale);
        Matrix v = a;
        tv_prox(v, gamma, pool);
        for (Index j = 0; j < n; ++j) {
          const Values signal = column(a, j), found = column(v, j);
          const Values ones(signal.size(), 1.0), zeros(signal.size(), 0.0);
          double size = 0.0;
          for (const double x : signal) size = std::max(size, std::abs(x));
          const double allowed = 1e-13 * static_cast<double>(t) * size;
          const std::string text = oracle::show(signal) + to_text(gamma);

          ASSERT_LE(oracle::violation(ones, signal, zeros, gamma, found), allowed) << text;
          Values gradient(signal.size()), other(signal.size()), alone = signal;
          for (std::size_t i = 0; i < signal.size(); ++i) gradient[i] = found[i] - signal[i];
          ASSERT_LE(tv_gap(found, gradient, gamma, 0.0), allowed) << text;
          tv_prox_weighted(ones, signal, gamma, 0.0, other);
          for (std::size_t i = 0; i < signal.size(); ++i)
            ASSERT_NEAR(found[i], other[i], allowed) << text;
          tv_prox(alone, gamma);
          ASSERT_EQ(found, alone) << text;
        }
      }
    }
  }
}

TEST(TvProxShort, GammaMaxMakesConstantsToTheLastBitForEveryLength) {
  Rng rng = Rng::named(2, "tv short");
  ThreadPool pool(1);
  constexpr Index n = 13;
  for (Index t = 2; t <= kLongest; ++t) {
    Matrix a(t, n);
    for (Index i = 0; i < t; ++i) {
      // Also constants whose mean is rounded.
      for (Index j = 0; j < n; ++j)
        a(i, j) = j % 4 == 3 ? 0.1 * static_cast<double>(j) : 3.0 + rng.normal();
    }
    const std::vector<double> bounds = tv_gamma_max(a, pool);
    for (Index j = 0; j < n; ++j) {
      ASSERT_EQ(bounds[j], tv_gamma_max(column(a, j)));
      Matrix almost = a;
      tv_prox(almost, bounds[j] * (1.0 - 1e-9), pool);
      const Values jumps = column(almost, j);
      const bool constant = std::count(jumps.begin(), jumps.end(), jumps[0]) == t;
      ASSERT_TRUE(j % 4 == 3 || !constant);
      // Signals that need no more are constant too, those beside them are not disturbed.
      for (const double gamma : {bounds[j], 1e300, std::numeric_limits<double>::infinity()}) {
        Matrix fused = a;
        tv_prox(fused, gamma, pool);
        for (Index k = 0; k < n; ++k) {
          if (gamma < bounds[k]) continue;
          const Values v = column(fused, k);
          ASSERT_EQ(std::count(v.begin(), v.end(), v[0]), t) << t << " " << gamma;
          ASSERT_NEAR(v[0], 2.0, 6.0);
        }
      }
    }
  }
}

TEST(TvProxShort, LargestNumbersDoNotOverflowAndLeaveTheirNeighboursAlone) {
  Rng rng = Rng::named(3, "tv short");
  ThreadPool pool(1);
  constexpr Index n = 21;
  constexpr double kUp = 0x1p1020;
  constexpr double kSigns[] = {1.0, -1.0, -1.0, 1.0};
  for (Index t = 2; t <= 64; ++t) {
    Matrix small(t, n), large(t, n);
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < t; ++i) {
        small(i, j) = j % 3 == 1 ? 7.9 * kSigns[i % 4] : rng.uniform(-8.0, 8.0);
        large(i, j) = j % 3 == 0 ? small(i, j) : kUp * small(i, j);
      }
    }
    Matrix expected = small, found = large;
    tv_prox(expected, 1.0, pool);
    tv_prox(found, kUp, pool);
    for (Index j = 0; j < n; ++j) {
      if (j % 3 == 0) {  // the weight is far beyond what makes these constant
        for (Index i = 0; i < t; ++i) ASSERT_EQ(found(i, j), found(0, j));
        continue;
      }
      for (Index i = 0; i < t; ++i) ASSERT_NEAR(found(i, j) / kUp, expected(i, j), 1e-12);
    }
    Matrix most(t, n);
    for (double& x : most.values()) x = kMost;
    tv_prox(most, 1.0, pool);
    for (const double x : most.values()) ASSERT_NEAR(x / kMost, 1.0, 1e-14);
  }
}

TEST(TvProxShort, RefusesAValueThatIsNotFiniteWhereverItStands) {
  ThreadPool pool(1);
  constexpr Index n = 21;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    for (const Index t : {1, 2, 7, 64, 65}) {
      for (Index i = 0; i < t; ++i) {
        for (Index j = 0; j < n; ++j) {
          Matrix a(t, n);
          a(i, j) = bad;
          ASSERT_THROW(tv_gamma_max(a, pool), Error);
          for (const double gamma : {0.0, 1.0, std::numeric_limits<double>::infinity()}) {
            Matrix copy = a;
            ASSERT_THROW(tv_prox(copy, gamma, pool), Error) << t << " " << i << " " << j;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace gingham
