// S index, NMI, ARI and accuracy: each against its definition written out over all classes or
// pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/metrics/accuracy.hpp"
#include "gingham/metrics/ari.hpp"
#include "gingham/metrics/nmi.hpp"
#include "gingham/metrics/s_index.hpp"
#include "gingham/metrics/scores.hpp"

namespace gingham {
namespace {

using Labels = std::vector<Index>;

double overlap(const Labels& a, Index x, const Labels& b, Index y) {
  double count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == x && b[i] == y;
  return count;
}
double size_of(const Labels& a, Index x) { return overlap(a, x, a, x); }
std::set<Index> classes(const Labels& a) { return {a.begin(), a.end()}; }

double naive_s_index(const Labels& a, const Labels& b) {
  double total = 0, sum = 0;
  for (const Index x : classes(a)) {
    for (const Index y : classes(b)) {
      const double largest = std::max(overlap(a, x, b, y) / size_of(b, y),   // P_ij
                                      overlap(a, x, b, y) / size_of(a, x));  // P_ji
      const double u = largest > 0 ? std::min(size_of(a, x), size_of(b, y)) : 0;
      total += u;
      sum += u * largest * (1 - largest);
    }
  }
  return 1 - 4 * sum / total;
}

double naive_nmi(const Labels& a, const Labels& b) {
  const auto n = static_cast<double>(a.size());
  double information = 0, entropy_a = 0, entropy_b = 0;
  for (const Index x : classes(a)) entropy_a -= size_of(a, x) / n * std::log(size_of(a, x) / n);
  for (const Index y : classes(b)) entropy_b -= size_of(b, y) / n * std::log(size_of(b, y) / n);
  for (const Index x : classes(a)) {
    for (const Index y : classes(b)) {
      const double p = overlap(a, x, b, y) / n;
      if (p > 0) information += p * std::log(p / (size_of(a, x) / n * size_of(b, y) / n));
    }
  }
  return information / std::sqrt(entropy_a * entropy_b);
}

// From the pairs of items: together in both, in one, in neither.
double naive_ari(const Labels& a, const Labels& b) {
  double both = 0, only_a = 0, only_b = 0, neither = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool in_a = a[i] == a[j], in_b = b[i] == b[j];
      (in_a ? (in_b ? both : only_a) : (in_b ? only_b : neither)) += 1;
    }
  }
  return 2 * (both * neither - only_a * only_b) /
         ((both + only_a) * (only_a + neither) + (both + only_b) * (only_b + neither));
}

double naive_accuracy(const Labels& found, const Labels& truth) {
  const std::set<Index> true_names = classes(truth), found_names = classes(found);
  Labels names(true_names.begin(), true_names.end());
  while (names.size() < found_names.size()) names.push_back(1000 + std::ssize(names));  // no class
  double best = 0;
  std::sort(names.begin(), names.end());
  do {
    double right = 0;
    std::size_t next = 0;
    for (const Index x : found_names) right += overlap(found, x, truth, names[next++]);
    best = std::max(best, right);
  } while (std::next_permutation(names.begin(), names.end()));
  return best / static_cast<double>(found.size());
}

Labels random_labels(Index n, Index k, Rng& rng) {
  Labels labels;
  for (Index i = 0; i < n; ++i) labels.push_back(rng.below(k) - 1);
  return labels;
}

TEST(LabelScores, AgreeWithTheirDefinitions) {
  Rng rng = Rng::named(1, "labels");
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 2 + rng.below(30);
    const Labels a = random_labels(n, 2 + rng.below(4), rng),
                 b = random_labels(n, 1 + rng.below(5), rng);
    ASSERT_NEAR(s_index(a, b), naive_s_index(a, b), 1e-13);
    ASSERT_NEAR(accuracy(a, b), naive_accuracy(a, b), 1e-13);
    ASSERT_NEAR(accuracy(b, a), naive_accuracy(b, a), 1e-13);
    if (classes(a).size() > 1 && classes(b).size() > 1) {
      ASSERT_NEAR(nmi(a, b), naive_nmi(a, b), 1e-13);
      const double expected = naive_ari(a, b);
      ASSERT_NEAR(ari(a, b), std::isnan(expected) ? 1.0 : expected, 1e-12);
    }
  }
}

TEST(LabelScores, OneWorkedByHand) {
  const Labels a{0, 0, 0, 1, 1, 1}, b{0, 0, 1, 1, 1, 1};
  // Intersections 2, 1, 0, 3; sizes 3, 3 and 2, 4. X = 1, 1/3, -, 1; U = 2, 3, 0, 3.
  EXPECT_NEAR(s_index(a, b), 1 - 4 * (3.0 / 8) * (1.0 / 3) * (2.0 / 3), 1e-15);
  // Pairs: 1 + 0 + 3 = 4 together; A = 6, B = 1 + 6 = 7, all 15, E = 42/15.
  EXPECT_NEAR(ari(a, b), (4 - 2.8) / (6.5 - 2.8), 1e-15);
  EXPECT_NEAR(accuracy(a, b), 5.0 / 6, 1e-15);
  const double information =
      std::log(2.0) / 3 + std::log(0.5) / 6 + std::log(1.5) / 2;  // p/(pq): 2, 1/2, 3/2
  const double h_a = std::log(2.0), h_b = std::log(3.0) / 3 + std::log(1.5) * 2 / 3;
  EXPECT_NEAR(nmi(a, b), information / std::sqrt(h_a * h_b), 1e-15);
}

TEST(LabelScores, AreOneForTheSamePartitionUnderOtherNames) {
  Rng rng = Rng::named(2, "renamed");
  for (int trial = 0; trial < 100; ++trial) {
    const Labels a = random_labels(1 + rng.below(200), 1 + rng.below(9), rng);
    Labels b = a;
    for (Index& label : b) label = 1000000007 * (label + 3) % 1000003 - 500;
    for (const auto& [name, value] : score_labels(a, b).values) {
      ASSERT_NEAR(value, 1.0, 1e-14) << name;
    }
  }
}

TEST(LabelScores, DoNotDependOnNamesOrOrder) {
  Rng rng = Rng::named(3, "invariance");
  for (int trial = 0; trial < 50; ++trial) {
    const Index n = 40;
    const Labels a = random_labels(n, 4, rng), b = random_labels(n, 5, rng);
    const std::vector<Index> order = rng.permutation(n);
    Labels c, d;
    for (const Index i : order) {
      c.push_back(-7 * a[i]);
      d.push_back(b[i] * b[i] * b[i] + 12);
    }
    const Scores one = score_labels(a, b), two = score_labels(c, d), back = score_labels(b, a);
    for (std::size_t s = 0; s < one.values.size(); ++s) {
      ASSERT_NEAR(one.values[s].second, two.values[s].second, 1e-13);
      ASSERT_NEAR(one.values[s].second, back.values[s].second, 1e-13);
    }
  }
}

TEST(LabelScores, AreDefinedForSingleClasses) {
  const Labels one{3, 3, 3, 3}, two{0, 0, 1, 1}, apart{0, 1, 2, 3};
  EXPECT_EQ(nmi(one, one), 1.0);
  EXPECT_EQ(nmi(one, two), 0.0);
  EXPECT_EQ(nmi(two, one), 0.0);
  EXPECT_EQ(nmi(apart, apart), 1.0);
  EXPECT_EQ(ari(one, one), 1.0);
  EXPECT_EQ(ari(one, two), 0.0);
  EXPECT_EQ(ari(one, apart), 0.0);
  EXPECT_EQ(ari(apart, apart), 1.0);
  EXPECT_EQ(s_index(one, two), 1.0);  // every class lies inside the other partition's
  EXPECT_EQ(accuracy(one, two), 0.5);
  EXPECT_EQ(accuracy(one, apart), 0.25);
  const Labels lone{-1};
  for (const auto& [name, value] : score_labels(lone, lone).values) EXPECT_EQ(value, 1.0) << name;
}

TEST(LabelScores, MinusOneIsAClassOfItsOwn) {
  const Labels a{-1, -1, 0, 0}, b{0, 0, -1, -1};
  for (const auto& [name, value] : score_labels(a, b).values)
    EXPECT_NEAR(value, 1.0, 1e-15) << name;
  EXPECT_EQ(accuracy(Labels{-1, -1, -1, 0}, Labels{0, 1, 2, 3}), 0.5);
}

TEST(LabelScores, RefuseUnequalLengthsAndNothing) {
  const Labels a{0, 1}, b{0}, none;
  for (const auto& metric : {s_index, nmi, ari, accuracy}) {
    for (const auto& [x, y] : {std::pair{a, b}, std::pair{none, none}}) {
      try {
        metric(x, y);
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
      }
    }
  }
}

TEST(LabelScores, AccuracyRefusesWhatAreNoClasses) {
  Labels apart(5000);
  std::iota(apart.begin(), apart.end(), 0);
  EXPECT_THROW(accuracy(apart, apart), Error);
  EXPECT_EQ(accuracy(apart, Labels(5000, 1)), 1.0 / 5000);
}

TEST(Scores, ComeInTheOrderPromised) {
  const Labels a{0, 0, 1}, b{1, 1, 1};
  const Scores scores = score_labels(a, b);
  std::vector<std::string> names;
  for (const auto& [name, value] : scores.values) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"s_index", "nmi", "ari", "accuracy"}));
  EXPECT_EQ(scores.at("nmi"), 0.0);
  EXPECT_THROW(scores.at("rand"), Error);
}

TEST(Scores, TextLabelsAreNumberedAsTheyAppear) {
  EXPECT_EQ(encode_labels({"cat", "-1", "dog", "cat", "", "-1", "dog"}),
            (Labels{0, -1, 1, 0, 2, -1, 1}));
  EXPECT_EQ(encode_labels({"-1"}), (Labels{-1}));
  EXPECT_TRUE(encode_labels({}).empty());
}

}  // namespace
}  // namespace gingham
