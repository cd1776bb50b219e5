// The step of a side against plain loops: adaptive L1, tied and fused times, what 100 % is.
#include "gingham/methods/rank_one/side.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "gingham/penalties/members/fused.hpp"
#include "gingham/penalties/separable.hpp"

namespace gingham::methods::rank_one {
namespace {

constexpr Index kItems = 7;

Targets random_targets(Index times, double scale, bool holes, Rng& rng) {
  Targets targets;
  for (Index e = 0; e < times * kItems; ++e) {
    targets.b.push_back(scale * rng.normal());
    if (!holes) continue;
    const bool is_seen = rng.uniform() < 0.8;
    targets.h.each.push_back(is_seen ? 0.2 + rng.uniform() : 0.0);
    if (!is_seen) targets.b.back() = 0.0;
  }
  return targets;
}

PenaltyValue number(double value) { return {.number = value, .word = {}}; }
PenaltyValue percent(double value) {
  return {.kind = PenaltyValue::Kind::percent, .number = value, .word = {}};
}

Side minimiser(const Targets& targets, const SideRule& rule, Index times) {
  ThreadPool pool(1);
  const Layout layout(std::vector<Index>(static_cast<std::size_t>(times), kItems));
  const auto noise = [] { return Noise{}; };
  return SideStep{layout, rule, noise, pool}.minimiser(targets, {});
}

Index count_nonzero(const std::vector<double>& x) {
  return std::count_if(x.begin(), x.end(), [](double value) { return value != 0.0; });
}

// One entry's 0.5 h x^2 - b x + lambda |b / h|^-g |x| on a fine grid.
TEST(SideStep, AdaptiveEntriesAreMinimisers) {
  Rng rng = Rng::named(1, "entries");
  for (const double g : {0.0, 1.0, 2.0}) {
    for (int trial = 0; trial < 40; ++trial) {
      const Targets targets = random_targets(1, 1.0, trial % 2 == 1, rng);
      const double lambda = std::exp(rng.normal());
      const Side side = minimiser(targets, {number(lambda), {}, g}, 1);
      for (std::size_t j = 0; j < targets.b.size(); ++j) {
        const double h = targets.h[j], b = targets.b[j];
        if (h == 0.0) {
          EXPECT_EQ(side.unit[j], 0.0);
          continue;
        }
        const auto cost = [&](double x) {
          return 0.5 * h * x * x - b * x + lambda * std::pow(std::abs(b / h), -g) * std::abs(x);
        };
        for (double x = -6.0; x <= 6.0; x += 0.01) EXPECT_LE(cost(side.unit[j]), cost(x) + 1e-12);
      }
    }
  }
}

TEST(SideStep, TheMaximumRemovesEverythingAndLessDoesNot) {
  Rng rng = Rng::named(2, "maximum");
  const PenaltyValue tied{.kind = PenaltyValue::Kind::word, .number = 0.0, .word = "max"};
  for (const PenaltyValue& fusion : {number(0.0), tied, number(1.0)}) {
    for (const double g : {0.0, 2.0}) {
      for (const double scale : {1e-150, 1.0, 1e150}) {
        for (const bool holes : {false, true}) {
          const bool is_held = fusion.kind == PenaltyValue::Kind::word || fusion.number > 0.0;
          if (is_held && (g > 0.0 || scale != 1.0)) continue;
          const Index times = is_held ? 3 : 1;
          const Targets targets = random_targets(times, scale, holes, rng);
          const auto left = [&](double share) {
            return count_nonzero(minimiser(targets, {percent(share), fusion, g}, times).unit);
          };
          EXPECT_EQ(left(100.0), 0);
          EXPECT_GT(left(99.9), 0);
          EXPECT_LE(left(99.9), times);  // of one item
        }
      }
    }
  }
}

// All times as one: sum_i (0.5 h_i x^2 - b_i x) + lambda n |x| for an item seen at n times.
TEST(SideStep, TiedTimesAreOneProblem) {
  Rng rng = Rng::named(3, "tied");
  const PenaltyValue tied{.kind = PenaltyValue::Kind::word, .number = 0.0, .word = "max"};
  for (int trial = 0; trial < 40; ++trial) {
    const Targets targets = random_targets(4, 1.0, trial % 2 == 1, rng);
    const double lambda = 0.3 * rng.uniform();
    const Side side = minimiser(targets, {number(lambda), tied}, 4);
    for (std::size_t j = 0; j < kItems; ++j) {
      double b = 0.0, h = 0.0, n = 0.0;
      for (std::size_t e = j; e < targets.b.size(); e += kItems) {
        b += targets.b[e];
        h += targets.h[e];
        n += targets.h[e] > 0.0 ? 1.0 : 0.0;
      }
      const double size = std::max(std::abs(b) - lambda * n, 0.0);
      const double expected = h > 0.0 ? std::copysign(size, b) / h : 0.0;
      for (std::size_t e = j; e < targets.b.size(); e += kItems)
        EXPECT_NEAR(side.unit[e], expected, 1e-12);
    }
  }
}

// Signals side by side are the same as one after the other.
TEST(SideStep, FusedTimesAreOneSignalPerItem) {
  Rng rng = Rng::named(4, "fused");
  for (int trial = 0; trial < 40; ++trial) {
    const Index times = 2 + rng.below(5);
    const Targets targets = random_targets(times, 1.0, trial % 2 == 1, rng);
    const double alpha = 0.3 * rng.uniform(), gamma = 0.1 + rng.uniform();
    const Side side = minimiser(targets, {number(alpha), number(gamma)}, times);
    for (std::size_t j = 0; j < kItems; ++j) {
      std::vector<double> b, h, x;
      for (std::size_t e = j; e < targets.b.size(); e += kItems) {
        b.push_back(targets.b[e]);
        h.push_back(targets.h[e]);
        x.push_back(side.unit[e]);
      }
      EXPECT_LE(Fused(gamma, {.l1 = alpha}).gap(x, b, h), 1e-9) << trial;
    }
  }
}

// The distance of unit vectors that is reported as a gap is the penalty's own gap in units of the
// minimiser's length.
TEST(SideStep, TheGapIsThatOfThePenalty) {
  Rng rng = Rng::named(5, "gap");
  const Layout layout({kItems});
  for (int trial = 0; trial < 40; ++trial) {
    const Targets targets = random_targets(1, 1.0, false, rng);
    const Separable g({.l1 = 0.2});
    ThreadPool pool(1);
    const auto noise = [] { return Noise{}; };
    const SideRule rule{number(0.2), {}};
    const Side made = SideStep{layout, rule, noise, pool}.make(targets, {});
    std::vector<double> unit = made.unit;
    for (double& x : unit) x += 0.1 * rng.normal();
    std::vector<double> scaled = unit;
    for (double& x : scaled) x *= made.lengths[0];
    EXPECT_NEAR(largest_distance(made.unit, unit, layout),
                g.gap(scaled, targets.b, 1.0) / made.lengths[0], 1e-12);
  }
}

}  // namespace
}  // namespace gingham::methods::rank_one
