#include "gingham/metrics/cell_classification.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "gingham/base/rng.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham {
namespace {

using Clusters = std::vector<CoCluster>;

bool covers(const CoCluster& cluster, const std::vector<Index>& cell) {
  for (std::size_t m = 0; m < cell.size(); ++m) {
    const auto& items = cluster.modes[m];
    if (std::find(items.begin(), items.end(), cell[m]) == items.end()) return false;
  }
  return true;
}

std::vector<std::vector<Index>> all_cells(const Shape& sizes) {
  std::vector<std::vector<Index>> cells{{}};
  for (const Index size : sizes) {
    std::vector<std::vector<Index>> longer;
    for (const auto& cell : cells) {
      for (Index i = 0; i < size; ++i) {
        longer.push_back(cell);
        longer.back().push_back(i);
      }
    }
    cells = std::move(longer);
  }
  return cells;
}

double shared(const CoCluster& a, const CoCluster& b, const Shape& sizes) {
  double count = 0;
  for (const auto& cell : all_cells(sizes)) count += covers(a, cell) && covers(b, cell) ? 1 : 0;
  return count;
}

// Every cell looked at, for a given matching: partner[f] is the planted one of found f, or -1.
CellScores naive_scores(const Clusters& found, const Clusters& truth, const Shape& sizes,
                        const std::vector<Index>& partner, Unmatched unmatched) {
  double count[2] = {}, right[2] = {};
  for (const auto& cell : all_cells(sizes)) {
    std::set<Index> claimed, planted;
    for (std::size_t t = 0; t < truth.size(); ++t) {
      if (covers(truth[t], cell)) planted.insert(static_cast<Index>(t));
    }
    for (std::size_t f = 0; f < found.size(); ++f) {
      if (!covers(found[f], cell)) continue;
      if (partner[f] >= 0) claimed.insert(partner[f]);
      if (partner[f] < 0 && unmatched == Unmatched::wrong)
        claimed.insert(-1 - static_cast<Index>(f));
    }
    ++count[planted.empty()];
    right[planted.empty()] += claimed == planted ? 1 : 0;
  }
  return {(right[0] + right[1]) / (count[0] + count[1]), right[0] / count[0], right[1] / count[1]};
}

// The scores of every matching that shares the most cells: which of them is taken is not promised.
std::vector<CellScores> allowed_scores(const Clusters& found, const Clusters& truth,
                                       const Shape& sizes, Unmatched unmatched) {
  Matrix common(std::ssize(found), std::ssize(truth));
  for (Index f = 0; f < common.rows(); ++f) {
    for (Index t = 0; t < common.cols(); ++t) common(f, t) = shared(found[f], truth[t], sizes);
  }
  // slots[f]: a planted one, or beyond their number: none.
  std::vector<Index> slots(found.size() + truth.size());
  std::iota(slots.begin(), slots.end(), 0);
  double best = -1;
  std::set<std::vector<Index>> matchings;
  do {
    double total = 0;
    std::vector<Index> partner(found.size(), -1);
    for (std::size_t f = 0; f < found.size(); ++f) {
      if (slots[f] >= std::ssize(truth)) continue;
      total += common(static_cast<Index>(f), slots[f]);
      if (common(static_cast<Index>(f), slots[f]) > 0) partner[f] = slots[f];
    }
    if (total > best) matchings.clear();
    best = std::max(best, total);
    if (total == best) matchings.insert(partner);
  } while (std::next_permutation(slots.begin(), slots.end()));
  std::vector<CellScores> scores;
  for (const auto& partner : matchings)
    scores.push_back(naive_scores(found, truth, sizes, partner, unmatched));
  return scores;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-14;
}

void expect_allowed(const CellScores& scores, const std::vector<CellScores>& allowed) {
  const bool is_allowed = std::any_of(allowed.begin(), allowed.end(), [&](const CellScores& other) {
    return same(scores.all, other.all) && same(scores.planted, other.planted) &&
           same(scores.background, other.background);
  });
  EXPECT_TRUE(is_allowed) << scores.all << " " << scores.planted << " " << scores.background
                          << ", expected e.g. " << allowed[0].all << " " << allowed[0].planted
                          << " " << allowed[0].background;
}

std::vector<Index> some(Index n, Rng& rng) {
  std::vector<Index> items;
  const Index odds = rng.below(3) + 2;
  for (Index i = 0; i < n; ++i) {
    if (rng.below(odds) == 0) items.push_back(i);
  }
  if (!items.empty() && rng.below(3) == 0) items.push_back(items[0]);  // named twice
  return items;
}

Clusters random_clusters(Index count, const Shape& sizes, Rng& rng) {
  Clusters clusters(static_cast<std::size_t>(count));
  for (CoCluster& cluster : clusters) {
    for (const Index size : sizes) cluster.modes.push_back(some(size, rng));
  }
  return clusters;
}

// Each item in one of `count` groups per mode.
Clusters random_partition(Index count, const Shape& sizes, Rng& rng) {
  Clusters groups(static_cast<std::size_t>(count),
                  CoCluster{std::vector<std::vector<Index>>(sizes.size())});
  for (std::size_t m = 0; m < sizes.size(); ++m) {
    for (Index i = 0; i < sizes[m]; ++i) groups[rng.below(count)].modes[m].push_back(i);
  }
  return groups;
}

TEST(CellClassification, AgreesWithLookingAtEveryCell) {
  Rng rng = Rng::named(1, "cells");
  for (int trial = 0; trial < 150; ++trial) {
    Shape sizes;
    for (Index modes = rng.below(3) + 2; modes > 0; --modes) sizes.push_back(rng.below(4) + 1);
    const Clusters truth = random_clusters(rng.below(4), sizes, rng);
    Clusters found = random_clusters(rng.below(4), sizes, rng);
    if (!truth.empty() && rng.below(2) == 0) found.push_back(truth[0]);
    for (const Unmatched unmatched : {Unmatched::wrong, Unmatched::background}) {
      expect_allowed(classify_cells(found, truth, sizes, unmatched),
                     allowed_scores(found, truth, sizes, unmatched));
    }
  }
}

TEST(CellClassification, OfTheTruthItselfIsPerfect) {
  Rng rng = Rng::named(2, "cells");
  for (int trial = 0; trial < 50; ++trial) {
    const Shape sizes{30, 20, 10};
    Clusters truth = random_clusters(5, sizes, rng);
    Clusters found = truth;
    std::reverse(found.begin(), found.end());
    EXPECT_EQ(classify_cells(found, truth, sizes, Unmatched::wrong).all, 1.0);
  }
}

TEST(CellClassification, KnowsAPartition) {
  const Shape sizes{3, 2};
  EXPECT_TRUE(is_partition({{{{0, 2}, {1}}}, {{{1}, {0, 0}}}}, sizes));
  EXPECT_FALSE(is_partition({{{{0, 2}, {1}}}, {{{1, 2}, {0}}}}, sizes));  // row 2 twice
  EXPECT_FALSE(is_partition({{{{0, 2}, {1}}}, {{{1}, {}}}}, sizes));      // column 0 nowhere
  EXPECT_FALSE(is_partition({}, sizes));
}

TEST(CellClassification, TheNoiseOfAPartitionIsBackground) {
  // Two blocks planted; the third group of the partition holds what is in neither.
  const Clusters truth{{{{0, 1}, {0, 1}}}, {{{2, 3}, {2, 3}}}};
  Clusters found = truth;
  found.push_back({{{4, 5, 6}, {4, 5}}});
  const Shape sizes{7, 6};
  ASSERT_TRUE(is_partition(found, sizes));
  EXPECT_EQ(classify_cells(found, truth, sizes, Unmatched::background).all, 1.0);
  const CellScores strict = classify_cells(found, truth, sizes, Unmatched::wrong);
  EXPECT_EQ(strict.planted, 1.0);
  EXPECT_DOUBLE_EQ(strict.background, 1.0 - 6.0 / (42 - 8));
}

TEST(CellClassification, ACheckerboardIsAllPairsOfGroups) {
  Rng rng = Rng::named(3, "cells");
  for (int trial = 0; trial < 60; ++trial) {
    const Shape sizes{6, 5};
    const Clusters truth = random_clusters(rng.below(3) + 1, sizes, rng);
    const Clusters groups = random_partition(rng.below(2) + 1, sizes, rng);
    Clusters every;
    for (const CoCluster& rows : groups) {
      for (const CoCluster& columns : groups) every.push_back({{rows.modes[0], columns.modes[1]}});
    }
    expect_allowed(classify_cells(checkerboard(groups, truth), truth, sizes, Unmatched::background),
                   allowed_scores(every, truth, sizes, Unmatched::background));
  }
}

TEST(CellClassification, CountsCellsThatCannotBeEnumerated) {
  const Index n = 1'000'000;
  std::vector<Index> half(static_cast<std::size_t>(n / 2)), tenth(static_cast<std::size_t>(n / 10));
  std::iota(half.begin(), half.end(), 0);
  std::iota(tenth.begin(), tenth.end(), 0);
  const CellScores scores =
      classify_cells({{{tenth, half, half}}}, {{{half, half, half}}}, {n, n, n}, Unmatched::wrong);
  EXPECT_DOUBLE_EQ(scores.planted, 0.2);
  EXPECT_EQ(scores.background, 1.0);
  EXPECT_DOUBLE_EQ(scores.all, 1.0 - 0.8 / 8);
}

TEST(CellClassification, TakesManyOverlappingCoclusters) {
  Rng rng = Rng::named(4, "cells");
  const Shape sizes{2000, 1500};
  Clusters truth(300);
  for (CoCluster& cluster : truth) {
    for (const Index size : sizes) {
      auto& items = cluster.modes.emplace_back();
      for (int i = 0; i < 40; ++i) items.push_back(rng.below(size));
    }
  }
  const CellScores scores = classify_cells(truth, truth, sizes, Unmatched::wrong);
  EXPECT_EQ(scores.all, 1.0);
  EXPECT_EQ(scores.planted, 1.0);
}

TEST(CellClassification, RefusesWhatDoesNotFit) {
  const Clusters wide{{{{0}, {5}}}}, flat{{{{0}}}};
  EXPECT_THROW(classify_cells(wide, {}, {3, 5}, Unmatched::wrong), Error);
  EXPECT_THROW(classify_cells({}, flat, {3, 5}, Unmatched::wrong), Error);
  EXPECT_TRUE(std::isnan(classify_cells({}, {}, {3, 5}, Unmatched::wrong).planted));
  EXPECT_EQ(classify_cells({}, {}, {3, 5}, Unmatched::wrong).all, 1.0);
}

}  // namespace
}  // namespace gingham
