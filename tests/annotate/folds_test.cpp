#include "annotate/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace gingham::annotate {
namespace {

std::vector<Index> random_labels(Index n, Index n_ones, Rng& rng) {
  std::vector<Index> labels(static_cast<std::size_t>(n));
  for (const Index i : rng.sample(n, n_ones)) labels[static_cast<std::size_t>(i)] = 1;
  return labels;
}

Index ones(const std::vector<Index>& labels, const std::vector<Index>& items) {
  return std::count_if(items.begin(), items.end(),
                       [&](Index i) { return labels[static_cast<std::size_t>(i)] == 1; });
}

void expect_whole(const Split& split, Index n) {
  std::set<Index> all(split.training.begin(), split.training.end());
  all.insert(split.test.begin(), split.test.end());
  EXPECT_EQ(std::ssize(all), n);
  EXPECT_EQ(std::ssize(split.training) + std::ssize(split.test), n);
  EXPECT_TRUE(std::is_sorted(split.training.begin(), split.training.end()));
  EXPECT_TRUE(std::is_sorted(split.test.begin(), split.test.end()));
}

TEST(Folds, TestEveryItemOnceWithEachClassInItsShare) {
  Rng rng(1, 1);
  for (int round = 0; round < 50; ++round) {
    const Index n = 8 + rng.below(60), n_ones = 2 + rng.below(n - 4);
    const std::vector<Index> labels = random_labels(n, n_ones, rng);
    const Index rarer = rarer_count(labels);
    EXPECT_EQ(rarer, std::min(n_ones, n - n_ones));
    const Index count = std::min<Index>(2 + rng.below(4), rarer);
    std::vector<Index> tested;
    for (const Split& split : stratified_folds(labels, count, Rng(7, 7))) {
      expect_whole(split, n);
      tested.insert(tested.end(), split.test.begin(), split.test.end());
      EXPECT_GE(ones(labels, split.test), n_ones / count);
      EXPECT_LE(ones(labels, split.test), (n_ones + count - 1) / count);
      EXPECT_GE(std::ssize(split.test), n / count);
      EXPECT_LE(std::ssize(split.test), (n + count - 1) / count);
    }
    std::sort(tested.begin(), tested.end());
    for (Index i = 0; i < n; ++i) EXPECT_EQ(tested[static_cast<std::size_t>(i)], i);
  }
}

TEST(Cuts, HaveBothClassesOnBothSides) {
  Rng rng(2, 2);
  for (int round = 0; round < 50; ++round) {
    const Index n = 4 + rng.below(60), n_ones = 2 + rng.below(n - 3);
    const std::vector<Index> labels = random_labels(n, n_ones, rng);
    const double fraction = rng.uniform(0.01, 0.99);
    for (const Split& split : stratified_cuts(labels, 3, fraction, Rng(round, 7))) {
      expect_whole(split, n);
      for (const std::vector<Index>* part : {&split.training, &split.test}) {
        EXPECT_GE(ones(labels, *part), 1);
        EXPECT_GE(std::ssize(*part) - ones(labels, *part), 1);
      }
      EXPECT_NEAR(static_cast<double>(split.training.size()), fraction * static_cast<double>(n),
                  2.0);
    }
  }
}

TEST(Folds, DependOnTheSeedAlone) {
  Rng rng(3, 3);
  const std::vector<Index> labels = random_labels(40, 12, rng);
  EXPECT_EQ(stratified_folds(labels, 4, Rng(1, 1))[2].test,
            stratified_folds(labels, 4, Rng(1, 1))[2].test);
  EXPECT_NE(stratified_folds(labels, 4, Rng(1, 1))[2].test,
            stratified_folds(labels, 4, Rng(2, 1))[2].test);
}

}  // namespace
}  // namespace gingham::annotate
