#include "gingham/engine/stability.hpp"

#include <gtest/gtest.h>

#include <set>

#include "engine/fake_method.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/archive.hpp"
#include "gingham/engine/session.hpp"

namespace gingham {
namespace {

using test::At;
using test::fake_info;
using test::Plan;
using test::small_data;
using test::with;

// sets[mode][component]
using Sets = std::vector<std::vector<std::set<Index>>>;

std::vector<Membership> memberships_of(const Sets& sets, Index n_items) {
  std::vector<Membership> memberships;
  for (std::size_t m = 0; m < sets.size(); ++m) {
    Membership one{"rows", static_cast<Index>(m), n_items, {}};
    for (std::size_t k = 0; k < sets[m].size(); ++k) {
      for (const Index item : sets[m][k]) one.members.push_back({static_cast<Index>(k), item, 0.5});
    }
    memberships.push_back(std::move(one));
  }
  return memberships;
}

double jaccard(const std::set<Index>& a, const std::set<Index>& b) {
  double common = 0.0;
  for (const Index item : a) common += b.count(item) > 0 ? 1.0 : 0.0;
  const double any = static_cast<double>(a.size() + b.size()) - common;
  return any > 0.0 ? common / any : 0.0;
}

const std::set<Index>& component(const Sets& sets, std::size_t mode, std::size_t k) {
  static const std::set<Index> none;
  return mode < sets.size() && k < sets[mode].size() ? sets[mode][k] : none;
}

std::size_t n_components(const Sets& sets) {
  std::size_t most = 0;
  for (const auto& mode : sets) most = std::max(most, mode.size());
  return most;
}

// By plain search for the best pair that is left, again and again.
std::vector<int> plain_partners(const Sets& kept, const Sets& other) {
  const std::size_t n = n_components(kept), n_other = n_components(other);
  std::vector<int> partner(n, -1);
  std::set<std::size_t> taken;
  for (;;) {
    double best = 0.0;
    std::size_t best_k = 0, best_l = 0;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t l = 0; l < n_other; ++l) {
        if (partner[k] >= 0 || taken.count(l) > 0) continue;
        double sum = 0.0;
        for (std::size_t m = 0; m < kept.size(); ++m)
          sum += jaccard(component(kept, m, k), component(other, m, l));
        if (sum > best) {
          best = sum;
          best_k = k;
          best_l = l;
        }
      }
    }
    if (best == 0.0) return partner;
    partner[best_k] = static_cast<int>(best_l);
    taken.insert(best_l);
  }
}

std::vector<std::vector<double>> plain_stability(const Sets& kept,
                                                 const std::vector<Sets>& others) {
  std::vector<std::vector<double>> shares(kept.size());
  std::vector<std::vector<int>> partners;
  for (const Sets& other : others) partners.push_back(plain_partners(kept, other));
  for (std::size_t m = 0; m < kept.size(); ++m) {
    for (std::size_t k = 0; k < kept[m].size(); ++k) {
      for (const Index item : kept[m][k]) {
        double back = 0.0;
        for (std::size_t r = 0; r < others.size(); ++r) {
          const int l = partners[r][k];
          back += l >= 0 && component(others[r], m, static_cast<std::size_t>(l)).count(item) > 0;
        }
        shares[m].push_back(back / static_cast<double>(others.size()));
      }
    }
  }
  return shares;
}

Sets random_sets(Index modes, Index components, Index n_items, double density, Rng& rng) {
  Sets sets(static_cast<std::size_t>(modes));
  for (auto& mode : sets) {
    mode.resize(static_cast<std::size_t>(components));
    for (auto& one : mode) {
      const double own = rng.uniform() < 0.2 ? 0.0 : density;  // some are empty
      for (Index item = 0; item < n_items; ++item) {
        if (rng.uniform() < own) one.insert(item);
      }
    }
  }
  return sets;
}

TEST(Stability, AgreesWithPlainLoops) {
  Rng rng(1, 0);
  for (int trial = 0; trial < 400; ++trial) {
    const Index modes = 1 + rng.below(3), n_items = 1 + rng.below(trial % 4 == 0 ? 300 : 9);
    const double density = rng.uniform();
    const Sets kept = random_sets(modes, rng.below(6), n_items, density, rng);
    std::vector<Sets> others;
    std::vector<Roster> rosters;
    for (Index r = 0; r < 1 + rng.below(4); ++r) {
      others.push_back(random_sets(modes, rng.below(6), n_items, density, rng));
      if (rng.uniform() < 0.3 && !kept.empty()) {  // the same components in another order
        others.back() = kept;
        for (auto& mode : others.back()) std::reverse(mode.begin(), mode.end());
      }
      rosters.emplace_back(memberships_of(others.back(), n_items));
      ASSERT_TRUE(rosters.back().is_whole());
    }
    Model model;
    model.memberships = memberships_of(kept, n_items);
    ASSERT_EQ(stability_of(model, rosters), plain_stability(kept, others)) << trial;
  }
}

TEST(Stability, OfComponentsInAnotherOrderIsWhole) {
  const Sets kept{{{0, 1}, {2, 3}, {}}}, same{{{}, {2, 3}, {0, 1}}}, none{{{}, {}}};
  Model model;
  model.memberships = memberships_of(kept, 5);
  const auto of = [&](const std::vector<Sets>& others) {
    std::vector<Roster> rosters;
    for (const Sets& other : others) rosters.emplace_back(memberships_of(other, 5));
    return stability_of(model, rosters);
  };
  using Shares = std::vector<std::vector<double>>;
  EXPECT_EQ(of({same}), (Shares{{1, 1, 1, 1}}));
  EXPECT_EQ(of({same, none}), (Shares{{0.5, 0.5, 0.5, 0.5}}));
  EXPECT_EQ(of({{{{1}}}}), (Shares{{0, 1, 0, 0}}));
  EXPECT_EQ(of({}), Shares{});
}

TEST(Stability, ModesThatAreMissingOrOfAnotherSizeAreEmpty) {
  Model model;
  model.memberships = memberships_of({{{0, 1}}, {{2}}}, 4);
  const std::vector<Roster> others{Roster(memberships_of({{{0, 1}}}, 4)), Roster(),
                                   Roster(memberships_of({{{0, 1}}, {{2}}}, 5))};
  EXPECT_EQ(stability_of(model, others),
            (std::vector<std::vector<double>>{{1.0 / 3.0, 1.0 / 3.0}, {0.0}}));
}

TEST(Roster, TakesMembersInAnyOrderAndLittleRoom) {
  constexpr Index kMany = 100000;
  Membership membership{"rows", std::nullopt, kMany, {}};
  for (Index i = kMany; i-- > 0;) membership.members.push_back({i % 3, i, 1.0});
  membership.members.push_back(membership.members[5]);
  const Roster roster({membership});
  EXPECT_TRUE(roster.is_whole());
  EXPECT_LT(roster.bytes(), kMany + 200);
  Model model;
  membership.members.pop_back();
  model.memberships = {membership};
  const std::vector<std::vector<double>> shares = stability_of(model, std::vector<Roster>{roster});
  EXPECT_EQ(shares[0], std::vector<double>(kMany, 1.0));
}

TEST(Roster, DamageIsNoticedOrHarmless) {
  const Sets sets{{{0, 5, 199}, {}, {3}}, {{1}, {0, 1, 150}}};
  Model model;
  model.memberships = memberships_of(sets, 200);
  Roster roster(memberships_of(sets, 200));
  const std::vector<std::byte> bytes = save_state(roster);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<std::byte> damaged = bytes;
      damaged[at] ^= std::byte(1u << bit);
      Roster read;
      try {
        load_state(read, damaged);
      } catch (const Error&) {
        continue;
      }
      if (read.is_whole()) stability_of(model, std::vector<Roster>{read});
    }
  }
}

// What each restart of the fake method ends with: some items of a small set.
std::vector<Membership> found_by(Index restart) {
  Rng rng(7, static_cast<std::uint64_t>(restart));
  return memberships_of(random_sets(2, 3, 8, 0.5, rng), 8);
}

Result run_restarts(const std::vector<double>& objective,
                    const std::vector<Observer*>& observers = {}) {
  const Plan plan{.objective = [&](const At& at) { return objective[at.restart]; },
                  .memberships = [](const At& at) { return found_by(at.restart); }};
  const MethodInfo info = fake_info(plan);
  const Dataset data = small_data();
  const Options options =
      with(info, {{"restarts", to_text(std::ssize(objective))}, {"tolerance", "0.25"}});
  ThreadPool pool(1);
  return Session(info, data, options, pool).run(observers);
}

TEST(Stability, IsThatOfTheRestartsThatCameToAnEnd) {
  const double failed = std::nan("");
  for (const std::vector<double>& objective :
       {std::vector<double>{1, 2, 3}, {3, 2, 1}, {2, 1, 3}, {failed, 3, failed, 2, 4}, {1, 1}}) {
    const Result result = run_restarts(objective);
    std::vector<Roster> others;
    for (Index r = 0; r < std::ssize(objective); ++r) {
      if (r != result.best_restart && !std::isnan(objective[r])) others.emplace_back(found_by(r));
    }
    Model kept;
    kept.memberships = found_by(result.best_restart);
    ASSERT_EQ(result.stability.size(), 2u);
    EXPECT_EQ(result.stability, stability_of(kept, others));
  }
}

TEST(Stability, NeedsTwoRestarts) {
  const double failed = std::nan("");
  for (const std::vector<double>& objective :
       {std::vector<double>{1}, {failed, 1}, {1, failed}, {failed, failed}}) {
    EXPECT_TRUE(run_restarts(objective).stability.empty());
  }
}

TEST(Stability, OfAStoppedRunComparesWhatIsOver) {
  for (const Index n_over : {1, 2}) {
    Callback stop([&](const Event& event) {
      return event.session.n_over() >= n_over ? Verdict::cancel : Verdict::go_on;
    });
    const Result result = run_restarts({3, 2, 1, 0}, {&stop});
    EXPECT_EQ(result.status, Status::cancelled);
    EXPECT_EQ(result.stability.empty(), n_over == 1);
  }
}

TEST(Stability, CountsRestartsAsLongAsThereIsRoom) {
  constexpr Index kLarge = 600000;  // one fits, two do not
  Membership all{"rows", std::nullopt, kLarge, {}};
  for (Index i = 0; i < kLarge; ++i) all.members.push_back({0, i, 1.0});
  Membership half = all;
  half.members.resize(kLarge / 2);
  const Plan plan{
      .objective = [](const At& at) { return static_cast<double>(at.restart); },
      .memberships =
          [&](const At& at) { return std::vector<Membership>{at.restart == 2 ? half : all}; }};
  const MethodInfo info = fake_info(plan);
  const Dataset data = small_data();
  const Options options = with(info, {{"restarts", "4"}, {"tolerance", "0.5"}});
  EXPECT_LT(roster_room(info, data, options), 2.0 * static_cast<double>(kLarge));
  ThreadPool pool(1);
  const Result result = Session(info, data, options, pool).run({});
  // Restarts 1 and 2 are counted, 3 is not.
  EXPECT_EQ(result.stability[0].front(), 1.0);
  EXPECT_EQ(result.stability[0].back(), 0.5);
  EXPECT_EQ(roster_room(info, data, with(info, {})), 0.0);
}

}  // namespace
}  // namespace gingham
