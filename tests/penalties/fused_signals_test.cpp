// Many signals at once are the same as one after the other.
#include <gtest/gtest.h>

#include "gingham/base/rng.hpp"
#include "gingham/penalties/members/fused.hpp"

namespace gingham {
namespace {

TEST(FusedSignals, AreTheSameAsOneAfterTheOther) {
  Rng rng = Rng::named(1, "signals");
  ThreadPool pool(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Index length = 2 + rng.below(6), n = 1 + rng.below(20);
    const auto size = static_cast<std::size_t>(length * n);
    std::vector<double> b(size), h(size), z(size);
    for (std::size_t e = 0; e < size; ++e) {
      h[e] = rng.uniform() < 0.2 ? 0.0 : 0.2 + rng.uniform();
      b[e] = rng.normal();
      if (trial % 3 == 0 && h[e] == 0.0) b[e] = 0.0;
    }
    const Curvature all =
        trial % 3 == 0 ? Curvature(h) : Curvature(trial % 3 == 1 ? 1.0 : 0.3 + rng.uniform());
    EntryRule entry{.l1 = 0.5 * rng.uniform()};
    const Fused unbounded(rng.uniform(), entry);
    if (trial % 2 == 1) entry.low = 0.0;
    const Fused g(rng.uniform(), entry);
    g.minimise_signals(length, b, all, z, pool);
    double zero = 0.0, l1 = 0.0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
      std::vector<double> own_b, own_h, own(static_cast<std::size_t>(length));
      for (std::size_t e = j; e < size; e += static_cast<std::size_t>(n)) {
        own_b.push_back(b[e]);
        own_h.push_back(all[e]);
      }
      g.minimise(own_b, own_h, own);
      for (std::size_t i = 0; i < own.size(); ++i)
        EXPECT_NEAR(z[i * static_cast<std::size_t>(n) + j], own[i], 1e-12) << trial;
      zero = std::max(zero, unbounded.smallest_zero(own_b, own_h));
      // The smallest l1 by bisection.
      double low = 0.0, high = 10.0;
      for (int round = 0; round < 60; ++round) {
        const double middle = 0.5 * (low + high);
        Fused(0.3, {.l1 = middle}).minimise(own_b, own_h, own);
        const bool is_zero =
            std::all_of(own.begin(), own.end(), [](double x) { return std::abs(x) < 1e-13; });
        (is_zero ? high : low) = middle;
      }
      l1 = std::max(l1, high);
    }
    EXPECT_NEAR(unbounded.smallest_zero_of_signals(length, b, all, pool), zero, 1e-12);
    EXPECT_NEAR(Fused(0.3).smallest_l1_of_signals(length, b, all), l1, 1e-9);
  }
}

}  // namespace
}  // namespace gingham
