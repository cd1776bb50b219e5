// The plain dynamic programme of verify against the optimality conditions, and against the kernel.
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "gingham/kernels/tv_prox.hpp"
#include "gingham/methods/rank_one/recompute_signal.hpp"

namespace gingham::methods::rank_one {
namespace {

TEST(PlainFused, AgreesWithTheKernel) {
  Rng rng = Rng::named(1, "plain fused");
  for (int trial = 0; trial < 20000; ++trial) {
    const auto t = static_cast<std::size_t>(1 + rng.below(9));
    const double gamma = rng.uniform() < 0.1 ? 0.0 : std::exp(2.0 * rng.normal());
    const double alpha = rng.uniform() < 0.4 ? 0.0 : std::exp(rng.normal());
    std::vector<double> h(t), b(t), x(t);
    std::vector<long double> hh(t), bb(t), aa(t);
    for (std::size_t i = 0; i < t; ++i) {
      h[i] = rng.uniform() < 0.2 ? 0.0 : trial % 2 == 0 ? 1.0 : rng.uniform();
      b[i] = h[i] == 0.0      ? 0.0
             : trial % 3 == 0 ? std::round(2.0 * rng.normal())
                              : 3.0 * rng.normal();
      hh[i] = h[i];
      bb[i] = b[i];
      aa[i] = h[i] == 0.0 ? 0.0 : alpha;
    }
    if (gamma == 0.0) continue;  // the kernel sets what nothing was observed of to 0
    tv_prox_weighted(h, b, gamma, alpha, x);
    const std::vector<long double> plain = plain_fused(hh, bb, aa, gamma);
    const auto cost = [&](const auto& v) {
      long double total = 0;
      for (std::size_t i = 0; i < t; ++i) {
        total += hh[i] * v[i] * v[i] / 2 - bb[i] * v[i] + aa[i] * std::abs(v[i]);
        if (i + 1 < t) total += gamma * std::abs(v[i + 1] - v[i]);
      }
      return total;
    };
    EXPECT_NEAR(static_cast<double>(cost(plain)), static_cast<double>(cost(x)),
                1e-12 * (1.0 + std::abs(static_cast<double>(cost(x)))))
        << "trial " << trial;
  }
}

TEST(PlainFused, TheBoundIsWhereTheSolutionBecomesConstant) {
  Rng rng = Rng::named(2, "plain bound");
  for (int trial = 0; trial < 2000; ++trial) {
    const auto t = static_cast<std::size_t>(2 + rng.below(7));
    std::vector<long double> h(t), b(t), none(t, 0.0L), alphas(t);
    long double sum_h = 0, sum_b = 0, n = 0;
    const long double alpha = trial % 2 == 0 ? 0.0L : std::exp(rng.normal());
    for (std::size_t i = 0; i < t; ++i) {
      h[i] = 0.1L + rng.uniform();
      b[i] = 2.0L * rng.normal();
      alphas[i] = alpha;
      sum_h += h[i];
      sum_b += b[i];
      n += 1;
    }
    const long double excess = std::abs(sum_b) - n * alpha;
    const long double constant = excess > 0 ? (sum_b > 0 ? excess : -excess) / sum_h : 0.0L;
    const long double bound = plain_fusion_bound(h, b, alpha, constant);
    for (const long double share : {0.99L, 1.01L}) {
      const std::vector<long double> x = plain_fused(h, b, alphas, share * bound);
      long double spread = 0;
      for (const long double value : x) spread = std::max(spread, std::abs(value - constant));
      if (share > 1) {
        EXPECT_LE(static_cast<double>(spread), 1e-12);
      } else if (bound > 1e-6L) {
        EXPECT_GT(static_cast<double>(spread), 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace gingham::methods::rank_one
