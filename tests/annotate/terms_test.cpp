#include "annotate/terms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "annotate/annotate.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/io/write.hpp"
#include "io/temporary_folder.hpp"

namespace gingham::annotate {
namespace {

using TermLists = std::vector<std::vector<std::string>>;

Matrix noise(Index n, Index p, Rng& rng) {
  Matrix x(n, p);
  for (double& value : x.values()) value = rng.normal();
  return x;
}

TEST(Terms, AFeatureThatTellsIsFound) {
  Rng rng(1, 1);
  Matrix x = noise(60, 8, rng);
  TermLists terms(60);
  for (Index i = 0; i < 60; ++i) {
    if (i % 3 != 0) continue;
    terms[static_cast<std::size_t>(i)] = {"tells"};
    x(i, 4) += 20.0;
  }
  ThreadPool executor(2);
  const TermScores scores = score_terms(x, terms, {}, executor);
  ASSERT_EQ(scores.terms.size(), 1u);
  EXPECT_EQ(scores.terms[0].n_bags, 20);
  EXPECT_GT(scores.terms[0].mean().auc, 0.97);
  EXPECT_GT(scores.terms[0].mean().accuracy, 0.9);
}

// With many more features than bags anything that leaks from test to training would show.
TEST(Terms, NoiseIsNotLearned) {
  Rng rng(2, 2);
  double sum = 0.0;
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    const Matrix x = noise(60, 150, rng);
    TermLists terms(60);
    for (const Index i : rng.sample(60, 24)) terms[static_cast<std::size_t>(i)] = {"t"};
    ThreadPool executor(1);
    sum += score_terms(x, terms, {.seed = static_cast<std::uint64_t>(round)}, executor)
               .weighted_mean()
               .auc;
  }
  EXPECT_NEAR(sum / kRounds, 0.5, 0.09);  // three deviations
}

TermLists some_terms(Index n, Rng& rng) {
  TermLists terms(static_cast<std::size_t>(n));
  for (auto& own : terms) {
    if (rng.uniform() < 0.6) own.push_back("common");
    if (rng.uniform() < 0.3) own.push_back("rare");
  }
  terms[3].push_back("single");
  return terms;
}

TEST(Terms, EveryNumberFollowsFromTheDecisions) {
  Rng rng(3, 3);
  const Matrix x = noise(50, 6, rng);
  const TermLists terms = some_terms(50, rng);
  ThreadPool executor(2);
  const TermScores scores = score_terms(x, terms, {.folds = 4}, executor);
  ASSERT_EQ(scores.terms.size(), 2u);
  EXPECT_EQ(scores.terms[0].term, "common");
  ASSERT_EQ(scores.left_out.size(), 1u);
  EXPECT_NE(scores.left_out[0].find("single"), std::string::npos);
  double weighted = 0.0, total = 0.0;
  for (const TermScore& term : scores.terms) {
    std::map<Index, int> tested;
    double sum = 0.0, squares = 0.0;
    for (const FoldScore& fold : term.folds) {
      double pairs = 0.0, wins = 0.0, right = 0.0, hits = 0.0, n_ones = 0.0;
      for (const Decision& a : fold.decisions) {
        ++tested[a.bag];
        const auto& own = terms[static_cast<std::size_t>(a.bag)];
        EXPECT_EQ(a.truth, std::find(own.begin(), own.end(), term.term) != own.end());
        right += a.truth == (a.value > 0.0) ? 1.0 : 0.0;
        n_ones += a.truth ? 1.0 : 0.0;
        hits += a.truth && a.value > 0.0 ? 1.0 : 0.0;
        for (const Decision& b : fold.decisions) {
          if (!a.truth || b.truth) continue;
          ++pairs;
          wins += a.value > b.value ? 1.0 : a.value == b.value ? 0.5 : 0.0;
        }
      }
      const double n = static_cast<double>(fold.decisions.size());
      EXPECT_NEAR(fold.measures.auc, wins / pairs, 1e-12);
      EXPECT_NEAR(fold.measures.accuracy, right / n, 1e-12);
      EXPECT_NEAR(fold.measures.sensitivity, hits / n_ones, 1e-12);
      EXPECT_NEAR(fold.measures.specificity, (right - hits) / (n - n_ones), 1e-12);
      sum += fold.measures.auc;
    }
    EXPECT_EQ(tested.size(), 50u);
    EXPECT_NEAR(term.mean().auc, sum / 4.0, 1e-12);
    for (const FoldScore& fold : term.folds) squares += std::pow(fold.measures.auc - sum / 4.0, 2);
    EXPECT_NEAR(term.deviation().auc, std::sqrt(squares / 3.0), 1e-12);
    weighted += term.mean().auc * static_cast<double>(term.n_bags);
    total += static_cast<double>(term.n_bags);
  }
  EXPECT_NEAR(scores.weighted_mean().auc, weighted / total, 1e-12);
}

TEST(Terms, TheMostFrequentAreTakenAndTiesGoByName) {
  Rng rng(4, 4);
  const Matrix x = noise(12, 2, rng);
  TermLists terms(12);
  for (std::size_t i = 0; i < 4; ++i) {
    terms[i] = {"b"};
    terms[i + 4] = {"a", "c"};
    if (i < 2) terms[i].push_back("d");
  }
  terms[11] = {"c"};
  ThreadPool executor(1);
  const TermScores scores = score_terms(x, terms, {.top_terms = 3, .folds = 2}, executor);
  ASSERT_EQ(scores.terms.size(), 3u);
  EXPECT_EQ(scores.terms[0].term, "c");
  EXPECT_EQ(scores.terms[1].term, "a");
  EXPECT_EQ(scores.terms[2].term, "b");
}

TEST(Terms, FewBagsMeanFewerFoldsAndCutsHaveTheirShare) {
  Rng rng(5, 5);
  const Matrix x = noise(30, 2, rng);
  TermLists terms(30);
  for (std::size_t i = 0; i < 3; ++i) terms[i] = {"t"};
  ThreadPool executor(1);
  EXPECT_EQ(score_terms(x, terms, {}, executor).terms[0].folds.size(), 3u);
  const TermScores cut =
      score_terms(x, terms, {.folds = 7, .cost = 0.5, .train_fraction = 0.6}, executor);
  ASSERT_EQ(cut.terms[0].folds.size(), 7u);
  for (const FoldScore& fold : cut.terms[0].folds) {
    EXPECT_EQ(fold.cost, 0.5);
    EXPECT_EQ(fold.decisions.size(), 12u);
  }
}

TEST(Terms, NothingToLearnIsAnError) {
  Rng rng(6, 6);
  const Matrix x = noise(4, 2, rng);
  ThreadPool executor(1);
  EXPECT_THROW(score_terms(x, TermLists(4), {}, executor), Error);
  EXPECT_THROW(score_terms(x, {{"a"}, {"a"}, {"a"}, {"a"}}, {}, executor), Error);
}

TEST(Annotate, WritesTheSameFilesForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  Rng rng(7, 7);
  std::filesystem::create_directory(folder / "pooled");
  Matrix x = noise(40, 5, rng);
  const TermLists terms = some_terms(40, rng);
  std::string lines = "bag\tterms\n";
  for (std::size_t b = 0; b < 40; ++b) {
    lines += "bag_" + std::to_string(b) + "\t";
    for (const std::string& term : terms[b]) lines += term + ",";
    lines += "\n";
  }
  folder.write("pooled/pool.json", "{}\n");
  folder.write("pooled/terms.tsv", lines);
  write_block(Block("x", SparseMatrix::from_dense(x)), folder / "pooled/pooled.npz");
  for (const int threads : {1, 2})
    annotate({.pooled = folder / "pooled",
              .threads = threads,
              .output = folder / ("out_" + std::to_string(threads))});
  for (const std::string file : {"annotate.json", "scores.tsv", "decisions.tsv"}) {
    const std::string one = TemporaryFolder::read(folder / ("out_1/" + file));
    EXPECT_FALSE(one.empty());
    EXPECT_EQ(one, TemporaryFolder::read(folder / ("out_2/" + file)));
  }
  folder.write("pooled/terms.tsv", "bag\tterms\na\tb\n");
  EXPECT_THROW(annotate({.pooled = folder / "pooled", .output = folder / "no"}), Error);
  EXPECT_THROW(annotate({.pooled = folder.path(), .output = folder / "no"}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "no"));
}

}  // namespace
}  // namespace gingham::annotate
