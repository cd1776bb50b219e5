#include "gingham/metrics/consensus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

// The cells themselves, one by one.
std::set<std::pair<Index, Index>> cells(const CoCluster& cluster) {
  std::set<std::pair<Index, Index>> all;
  for (const Index i : cluster.modes[0]) {
    for (const Index j : cluster.modes[1]) all.emplace(i, j);
  }
  return all;
}

double naive_jaccard(const CoCluster& a, const CoCluster& b) {
  const auto of_a = cells(a), of_b = cells(b);
  auto either = of_a;
  either.insert(of_b.begin(), of_b.end());
  const double shared = static_cast<double>(of_a.size() + of_b.size() - either.size());
  return either.empty() ? 0.0 : shared / static_cast<double>(either.size());
}

double naive_consensus(std::vector<CoCluster> a, std::vector<CoCluster> b) {
  if (a.size() > b.size()) std::swap(a, b);
  std::vector<std::size_t> order(b.size());
  std::iota(order.begin(), order.end(), 0u);
  double best = 0;
  do {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += naive_jaccard(a[i], b[order[i]]);
    best = std::max(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best / static_cast<double>(b.size());
}

std::vector<Index> some(Index n, Rng& rng) {
  std::vector<Index> items;
  for (Index i = 0; i < n; ++i) {
    if (rng.below(2) == 0) items.push_back(i);
  }
  if (!items.empty() && rng.below(3) == 0) items.push_back(items[0]);  // named twice
  return items;
}

TEST(Consensus, AgreesWithCountingCells) {
  Rng rng = Rng::named(1, "consensus");
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<CoCluster> a, b;
    for (Index c = rng.below(4) + 1; c > 0; --c) a.push_back({{some(6, rng), some(5, rng)}});
    for (Index c = rng.below(4) + 1; c > 0; --c) b.push_back({{some(6, rng), some(5, rng)}});
    ASSERT_NEAR(jaccard(a[0], b[0]), naive_jaccard(a[0], b[0]), 1e-15);
    ASSERT_NEAR(consensus_score(a, b), naive_consensus(a, b), 1e-13);
    ASSERT_NEAR(consensus_score(b, a), naive_consensus(a, b), 1e-13);
  }
}

TEST(Consensus, OfEqualSetsInAnotherOrderIsOne) {
  const CoCluster x{{{0, 1, 2}, {4, 5}}}, y{{{2, 3}, {5, 6, 7}}};  // overlapping
  EXPECT_EQ(consensus_score({x, y}, {y, x}), 1.0);
  EXPECT_EQ(consensus_score({x, y}, {x}), 0.5);
}

TEST(Consensus, WorksForThreeModes) {
  const CoCluster a{{{0, 1}, {0, 1}, {0, 1}}}, b{{{1, 2}, {0, 1}, {1}}};
  EXPECT_DOUBLE_EQ(jaccard(a, b), 2.0 / (8 + 4 - 2));
  EXPECT_THROW(jaccard(a, CoCluster{{{0}, {1}}}), Error);
}

TEST(Consensus, IsDefinedWhereThereIsNothing) {
  const CoCluster nothing{{{}, {1, 2}}}, something{{{0}, {0}}};
  EXPECT_EQ(consensus_score({}, {}), 1.0);
  EXPECT_EQ(consensus_score({something}, {}), 0.0);
  EXPECT_EQ(jaccard(nothing, nothing), 0.0);
  EXPECT_EQ(consensus_score({nothing}, {something}), 0.0);
}

}  // namespace
}  // namespace gingham
