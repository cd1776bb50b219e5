// The checks of the fast suite on many more and larger problems.
#include <gtest/gtest.h>

#include "gingham/kernels/tv_prox.hpp"
#include "kernels/tv_prox_oracles.hpp"

namespace gingham {
namespace {

using oracle::Problem;
using oracle::Values;

TEST(TvProxSlow, WeightedMatchesEnumeration) {
  Rng rng = Rng::named(1, "tv slow");
  for (int k = 0; k < 6000; ++k) {
    const Problem p = oracle::random_problem(rng, 1 + k % 6, 1.0);
    const Values expected = oracle::enumerate(p.h, p.b, p.alpha, p.gamma);
    const double least = oracle::objective(p.h, p.b, p.alpha, p.gamma, expected);
    const double found = oracle::objective(p.h, p.b, p.alpha, p.gamma, oracle::solve(p));
    ASSERT_NEAR(found, least, 1e-11 * (1 + std::abs(least))) << oracle::show(p);
  }
}

TEST(TvProxSlow, WeightedIsOptimalAtAllScalesAndLengths) {
  Rng rng = Rng::named(2, "tv slow");
  for (int k = 0; k < 1000000; ++k) {
    const double scale = k % 2 == 0 ? 1.0 : std::pow(10.0, rng.uniform(-100.0, 100.0));
    const Problem p = oracle::random_problem(rng, 1 + rng.below(k % 100 == 0 ? 500 : 20), scale);
    ASSERT_LE(oracle::violation(p.h, p.b, p.alpha, p.gamma, oracle::solve(p)),
              1e-11 * p.size * (1 + 0.1 * static_cast<double>(p.h.size())))
        << oracle::show(p);
  }
}

TEST(TvProxSlow, PlainIsOptimalAtAllScalesAndLengths) {
  Rng rng = Rng::named(3, "tv slow");
  for (int k = 0; k < 1000000; ++k) {
    const double scale = k % 2 == 0 ? 1.0 : std::pow(10.0, rng.uniform(-150.0, 150.0));
    Values a(1 + rng.below(k % 100 == 0 ? 500 : 20));
    double size = 0.0;
    for (double& x : a) {
      x = scale * (k % 3 == 0 ? static_cast<double>(rng.below(5) - 2) : rng.normal());
      size = std::max(size, std::abs(x));
    }
    const double gamma = scale * std::exp(3.0 * rng.normal());
    const Values linear = a;
    tv_prox(a, gamma);
    const Values ones(a.size(), 1.0), zeros(a.size(), 0.0);
    ASSERT_LE(oracle::violation(ones, linear, zeros, gamma, a),
              1e-13 * size * static_cast<double>(a.size()));
  }
}

}  // namespace
}  // namespace gingham
