#include <gtest/gtest.h>

#include "penalties/all_penalties.hpp"

namespace gingham {
namespace {

using contract::Case;
using contract::Violations;

TEST(PenaltyContract, EveryPenaltyKeepsIt) {
  contract::for_all_penalties([](const char* name, const contract::Make& make) {
    const Violations found = contract::check_penalty(name, make, 1000, 16);
    EXPECT_TRUE(found.none()) << name << ": " << found.text();
  });
}

// L1, groups and differences have a weight at which nothing (no change) is left.
TEST(PenaltyContract, SmallestZeroIsTightFromBothSides) {
  Rng rng = Rng::named(21, "smallest zero");
  Violations found;
  for (int k = 0; k < 100; ++k) {
    found.next_case();
    const Case c = contract::random_case(rng, 1 + rng.below(9), k % 3 == 0 ? 0.5 : 40.0);
    const bool is_nonneg = rng.below(2) == 0;
    const auto entry = [&](double l1) {
      EntryRule rule{.l1 = l1};
      if (is_nonneg) rule.low = 0.0;
      return rule;
    };
    contract::check_smallest_zero([&](double w) { return std::make_unique<Separable>(entry(w)); },
                                  c, false, found);
    const double l1 = rng.below(2) == 0 ? 0.0 : c.weight(rng);
    contract::check_smallest_zero([&](double w) { return std::make_unique<Fused>(w, entry(l1)); },
                                  c, true, found);
    // Items in no group stay whatever the weight.
    Case covered = c;
    const auto n = static_cast<Index>(c.b.size());
    const Index kind = rng.below(4);
    const auto groups = contract::random_groups(rng, n, kind);
    for (const Index j : groups->items_in_no_group()) covered.b[static_cast<std::size_t>(j)] = 0.0;
    for (const GroupNorm norm : {GroupNorm::two, GroupNorm::infinity}) {
      contract::check_smallest_zero(
          [&](double w) { return std::make_unique<GroupNorms>(groups, w, norm, entry(l1)); },
          covered, false, found);
    }
  }
  EXPECT_TRUE(found.none()) << found.text();
}

}  // namespace
}  // namespace gingham
