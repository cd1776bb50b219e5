#include "report/grid.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "gingham/base/rng.hpp"
#include "support/arrays.hpp"

namespace gingham::report {
namespace {

const double kMissing = std::numeric_limits<double>::quiet_NaN();

Membership random_membership(Index n, Index components, double share, Rng& rng) {
  Matrix factor(n, components);
  for (double& x : factor.values()) x = rng.uniform() < share ? rng.normal() : 0.0;
  return membership_of("rows", std::nullopt, factor);
}

// What an axis promises, checked item by item.
void check_axis(const Axis& axis, const Membership& membership, Index max_bins) {
  const std::vector<Index> label = strongest(membership);
  ASSERT_LE(axis.bins(), max_bins);
  ASSERT_EQ(axis.bin.size(), label.size());
  std::vector<Index> size(axis.size.size(), 0);
  for (std::size_t i = 0; i < label.size(); ++i) {
    ASSERT_GE(axis.bin[i], 0);
    ++size.at(static_cast<std::size_t>(axis.bin[i]));
    bool inside = false;
    for (const Stretch& segment : axis.segments) {
      if (segment.component == label[i])
        inside = axis.bin[i] >= segment.begin && axis.bin[i] < segment.end;
    }
    ASSERT_TRUE(inside) << "item " << i;
  }
  ASSERT_EQ(size, axis.size);
  std::vector<bool> seen(label.size(), false);
  for (std::size_t place = 0; place < label.size(); ++place) {
    seen[axis.order[place]] = true;
    ASSERT_GE(axis.bin[axis.order[place]], place > 0 ? axis.bin[axis.order[place - 1]] : 0);
  }
  ASSERT_EQ(std::count(seen.begin(), seen.end(), true), std::ssize(seen));
  for (const Index one : size) ASSERT_GT(one, 0);
  Index at = 0;
  for (std::size_t s = 0; s < axis.segments.size(); ++s) {
    ASSERT_EQ(axis.segments[s].begin, at);
    at = axis.segments[s].end;
    if (s > 0 && axis.segments[s].component >= 0) {
      ASSERT_GT(axis.segments[s].component, axis.segments[s - 1].component);
    }
    if (axis.segments[s].component < 0) {
      ASSERT_EQ(s + 1, axis.segments.size());
    }
  }
  ASSERT_EQ(at, axis.bins());
}

TEST(Axis, KeepsComponentsTogetherAndTheRestLast) {
  Rng rng(1, 0);
  for (int k = 0; k < 400; ++k) {
    const Index n = 1 + rng.below(k % 3 == 0 ? 12 : 400), max_bins = 8 + rng.below(150);
    const Membership membership = random_membership(n, 1 + rng.below(4), rng.uniform(), rng);
    check_axis(make_axis(&membership, n, max_bins), membership, max_bins);
  }
}

TEST(Axis, OrdersMembersByValue) {
  const Membership membership{
      "rows", std::nullopt, 5, {{0, 3, 2.0}, {0, 4, -7.0}, {1, 0, 1.0}, {1, 3, 1.0}, {0, 1, 3.0}}};
  const Axis axis = make_axis(&membership, 5, 100);
  EXPECT_EQ(axis.bin, (std::vector<std::int32_t>{3, 0, 4, 2, 1}));  // 3 is in component 1 too
  EXPECT_EQ(axis.n_several, 1);
}

TEST(Axis, TakesItemsAsTheyComeWithoutMembers) {
  const Membership other{"rows", std::nullopt, 7, {}};
  for (const Membership* none : {static_cast<const Membership*>(nullptr), &other}) {
    const Axis axis = make_axis(none, 4, 100);
    EXPECT_EQ(axis.bin, (std::vector<std::int32_t>{0, 1, 2, 3}));
    EXPECT_FALSE(axis.has_components);
  }
}

TEST(Axis, GivesUpOrderingBeforeRoom) {
  std::vector<Index> label(1000);
  for (std::size_t i = 0; i < label.size(); ++i) label[i] = static_cast<Index>(i);
  const Membership membership = membership_of("rows", std::nullopt, label);
  const Axis axis = make_axis(&membership, 1000, 40);
  EXPECT_LE(axis.bins(), 40);
  EXPECT_TRUE(axis.is_crowded);
  EXPECT_FALSE(axis.has_components);
}

TEST(Grid, IsTheMeanOfTheObservedCellsDenseOrSparse) {
  Rng rng(2, 0);
  for (int k = 0; k < 120; ++k) {
    const Index m = 1 + rng.below(40), n = 1 + rng.below(30);
    const double scale = k % 4 == 0 ? 1e150 : k % 4 == 1 ? 1e-150 : 1.0;
    const bool unlisted_missing = k % 2 == 1;
    Matrix dense(m, n);
    std::vector<std::int32_t> row, column;
    std::vector<double> value;
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < n; ++j) {
        const double chance = rng.uniform();
        dense(i, j) = unlisted_missing ? kMissing : 0.0;
        if (chance > 0.4) continue;
        dense(i, j) = chance < 0.1 ? kMissing : chance < 0.15 ? 0.0 : scale * rng.normal();
        row.push_back(static_cast<std::int32_t>(i));
        column.push_back(static_cast<std::int32_t>(j));
        value.push_back(dense(i, j));
      }
    }
    const Membership rows = random_membership(m, 2, 0.3, rng),
                     columns = random_membership(n, 2, 0.3, rng);
    const Axis a = make_axis(&rows, m, 8 + rng.below(20)),
               b = make_axis(&columns, n, 8 + rng.below(20));
    std::map<std::pair<Index, Index>, std::pair<double, double>> naive;
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (std::isnan(dense(i, j))) continue;
        auto& [sum, number] = naive[{a.bin[i], b.bin[j]}];
        sum += dense(i, j);
        number += 1.0;
      }
    }
    const Block one("dense", dense);
    const Block two("sparse",
                    SparseMatrix::from_triplets(m, n, test::to_array(row), test::to_array(column),
                                                test::to_array(value), Duplicates::error),
                    {}, unlisted_missing ? Unlisted::missing : Unlisted::zero);
    for (const Block* block : {&one, &two}) {
      ThreadPool pool(3), one_thread(1);
      const Grid grid = average(*block, a, b, pool);
      const Grid again = average(*block, a, b, one_thread);
      for (std::size_t at = 0; at < grid.mean.size(); ++at)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(grid.mean[at]),
                  std::bit_cast<std::uint64_t>(again.mean[at]));
      for (Index i = 0; i < grid.rows; ++i) {
        for (Index j = 0; j < grid.columns; ++j) {
          const double found = grid.mean[static_cast<std::size_t>(i * grid.columns + j)];
          const auto expected = naive.find({i, j});
          ASSERT_EQ(std::isnan(found), expected == naive.end());
          if (!std::isnan(found)) {
            ASSERT_NEAR(found, expected->second.first / expected->second.second,
                        1e-13 * scale * 10);
          }
        }
      }
    }
  }
}

TEST(Scale, CoversWhatIsThere) {
  const auto scale = [](std::vector<double> mean) {
    const Grid grid{1, static_cast<Index>(mean.size()), std::move(mean)};
    return scale_of({&grid});
  };
  EXPECT_TRUE(scale({-1.0, 2.0}).is_diverging);
  EXPECT_EQ(scale({-1.0, 2.0}).low, -2.0);
  EXPECT_EQ(scale({0.0, 3.0}).low, 0.0);
  EXPECT_EQ(scale({0.0, 3.0}).high, 3.0);
  EXPECT_GE(scale({1000.0, 1001.0}).low, 1000.0);
  EXPECT_TRUE(scale({kMissing, 1.0}).has_missing);
  for (const auto& odd : std::vector<std::vector<double>>{
           {0.0}, {kMissing}, {5.0}, {-5.0}, {5e-324}, {1.7e308, -1.7e308}, {1.7e308}}) {
    const Scale one = scale(odd);
    EXPECT_LT(one.low, one.high);
    const Grid grid{1, static_cast<Index>(odd.size()), odd};
    for (const std::uint8_t level : levels_of(grid, one))
      EXPECT_EQ(level == kMissingLevel, std::isnan(odd[0]));
  }
}

// Bin by bin: is at least half of its items in the component?
TEST(Stretches, AreTheBinsOfWhichHalfBelongs) {
  Rng rng(4, 0);
  for (int k = 0; k < 200; ++k) {
    const Index n = 1 + rng.below(120), components = 1 + rng.below(4);
    const Membership shown = random_membership(n, components, rng.uniform(), rng),
                     ordered = random_membership(n, components, 0.3, rng);
    const Axis axis = make_axis(&ordered, n, k % 2 == 0 ? 200 : 8 + rng.below(30));
    const std::vector<Stretch> found = stretches(axis, shown, components, 10'000);
    for (Index component = 0; component < components; ++component) {
      std::vector<Index> members(axis.size.size(), 0);
      for (const Member& member : shown.members) {
        if (member.component == component) ++members[axis.bin[member.item]];
      }
      for (Index bin = 0; bin < axis.bins(); ++bin) {
        const auto covers = std::count_if(found.begin(), found.end(), [&](const Stretch& one) {
          return one.component == component && one.begin <= bin && bin < one.end;
        });
        const bool expected = members[bin] > 0 && 2 * members[bin] >= axis.size[bin];
        ASSERT_EQ(covers, expected ? 1 : 0) << "bin " << bin;
      }
    }
  }
}

}  // namespace
}  // namespace gingham::report
