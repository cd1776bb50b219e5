// AUC and the confusion rates.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/metrics/auc.hpp"
#include "gingham/metrics/confusion.hpp"

namespace gingham {
namespace {

double naive_auc(const std::vector<double>& scores, const std::vector<Index>& labels) {
  double wins = 0, pairs = 0;
  for (std::size_t p = 0; p < scores.size(); ++p) {
    for (std::size_t q = 0; q < scores.size(); ++q) {
      if (labels[p] != 1 || labels[q] == 1) continue;
      pairs += 1;
      wins += scores[p] > scores[q] ? 1.0 : scores[p] == scores[q] ? 0.5 : 0.0;
    }
  }
  return wins / pairs;
}

TEST(Auc, IsTheShareOfPairsInTheRightOrder) {
  Rng rng = Rng::named(1, "auc");
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> scores{0.0, 1.0};
    std::vector<Index> labels{0, 1};
    for (Index i = rng.below(30); i > 0; --i) {
      scores.push_back(trial % 2 == 0 ? rng.normal() : static_cast<double>(rng.below(4)));
      labels.push_back(rng.below(3));
    }
    ASSERT_NEAR(auc(scores, labels), naive_auc(scores, labels), 1e-14);
    std::vector<double> turned = scores, cubed = scores;
    for (double& s : turned) s = -s;
    for (double& s : cubed) s = s * s * s * 1e100;  // any rising map keeps it
    ASSERT_NEAR(auc(turned, labels), 1.0 - auc(scores, labels), 1e-14);
    ASSERT_EQ(auc(cubed, labels), auc(scores, labels));
  }
}

TEST(Auc, TiesAndInfinitiesCountAsTheyShould) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(auc(std::vector<double>{5, 5, 5}, std::vector<Index>{1, 0, 0}), 0.5);
  EXPECT_EQ(auc(std::vector<double>{-inf, inf}, std::vector<Index>{0, 1}), 1.0);
  EXPECT_EQ(auc(std::vector<double>{0.0, -0.0}, std::vector<Index>{0, 1}), 0.5);
  EXPECT_EQ(auc(std::vector<double>{1, 2}, std::vector<Index>{7, -1}, 7), 0.0);
}

TEST(Auc, RefusesWhatItCannotRank) {
  const std::vector<double> scores{1, 2};
  EXPECT_THROW(auc(scores, std::vector<Index>{1}), Error);
  EXPECT_THROW(auc(scores, std::vector<Index>{1, 1}), Error);
  EXPECT_THROW(auc(scores, std::vector<Index>{0, 0}), Error);
  EXPECT_THROW(auc(std::vector<double>{}, std::vector<Index>{}), Error);
  const std::vector<double> bad{1, std::nan("")};
  EXPECT_THROW(auc(bad, std::vector<Index>{0, 1}), Error);
}

TEST(Confusion, CountsAndRates) {
  const std::vector<Index> found{1, 1, 1, 0, 0, 0, 5}, truth{1, 1, 0, 1, 0, -1, 0};
  const Confusion counts = confusion(found, truth);
  EXPECT_EQ(counts.true_positives, 2);
  EXPECT_EQ(counts.false_positives, 1);
  EXPECT_EQ(counts.false_negatives, 1);
  EXPECT_EQ(counts.true_negatives, 3);
  EXPECT_DOUBLE_EQ(counts.sensitivity(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(counts.specificity(), 3.0 / 4);
  EXPECT_DOUBLE_EQ(counts.balanced_accuracy(), (2.0 / 3 + 3.0 / 4) / 2);
}

TEST(Confusion, ARateOfNothingIsNotANumber) {
  const std::vector<Index> all{1, 1};
  const Confusion counts = confusion(all, all);
  EXPECT_EQ(counts.sensitivity(), 1.0);
  EXPECT_TRUE(std::isnan(counts.specificity()));
  EXPECT_TRUE(std::isnan(counts.balanced_accuracy()));
  EXPECT_THROW(confusion(all, std::vector<Index>{1}), Error);
}

}  // namespace
}  // namespace gingham
