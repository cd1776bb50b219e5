#include "gingham/base/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace gingham {
namespace {

// Known answers published with the generator (Random123): all zeros, all ones, digits of pi.
TEST(Rng, PhiloxGivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t f = 0xffffffff;
  EXPECT_EQ(philox({f, f, f, f}, {f, f}),
            (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Rng, ContinuesFromASavedPosition) {
  Rng rng = Rng::named(7, "start");
  for (int i = 0; i < 13; ++i) rng.normal();
  Rng again = Rng::named(7, "start");
  again.seek(rng.position());
  EXPECT_EQ(rng.bits(), again.bits());
}

TEST(Rng, StreamsDifferByNameNumberAndSeed) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (const char* name : {"a", "b"}) {
      for (std::uint64_t number = 0; number < 4; ++number) {
        first.insert(Rng::named(seed, name, number).bits());
      }
    }
  }
  EXPECT_EQ(first.size(), 32u);
}

TEST(Rng, MomentsAreRight) {
  Rng rng = Rng::named(1, "moments");
  const int n = 200000;
  double mean = 0, square = 0, uniform = 0, poisson = 0;
  for (int i = 0; i < n; ++i) {
    const double x = rng.normal();
    mean += x / n;
    square += x * x / n;
    uniform += rng.uniform() / n;
    poisson += static_cast<double>(rng.poisson(50.0)) / n;
  }
  EXPECT_NEAR(mean, 0.0, 5 / std::sqrt(n));
  EXPECT_NEAR(square, 1.0, 8 / std::sqrt(n));
  EXPECT_NEAR(uniform, 0.5, 2 / std::sqrt(n));
  EXPECT_NEAR(poisson, 50.0, 40 / std::sqrt(n));
}

TEST(Rng, BelowIsUniformAndInRange) {
  Rng rng = Rng::named(2, "below");
  std::array<int, 7> seen{};
  for (int i = 0; i < 70000; ++i) ++seen[rng.below(7)];
  for (const int count : seen) EXPECT_NEAR(count, 10000, 500);
  EXPECT_EQ(rng.below(1), 0);
}

TEST(Rng, SamplesAndPermutationsHaveNoRepeats) {
  Rng rng = Rng::named(3, "sample");
  for (Index n : {1, 2, 10, 100}) {
    const auto order = rng.permutation(n);
    EXPECT_EQ(std::set<Index>(order.begin(), order.end()).size(), static_cast<std::size_t>(n));
    const auto some = rng.sample(n, (n + 1) / 2);
    const std::set<Index> distinct(some.begin(), some.end());
    EXPECT_EQ(distinct.size(), some.size());
    EXPECT_GE(*distinct.begin(), 0);
    EXPECT_LT(*distinct.rbegin(), n);
  }
}

}  // namespace
}  // namespace gingham
