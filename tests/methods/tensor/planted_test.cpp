// The paper's array and others with planted co-clusters: what was put in comes out.
#include <gtest/gtest.h>

#include "methods/tensor/planted.hpp"

namespace gingham {
namespace {

using testing::expect_verified;
using testing::scores;
using testing::simulated;

// 80 x 80 x 8, three blocks of which two overlap, a tenth of the cells noisy.
TEST(TensorPlanted, ThePapersArrayIsTakenApart) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    const Simulation made = simulated({}, seed);
    const Dataset data(made.blocks[0]);
    for (const char* const sparsity : {"12", "20", "auto"}) {
      SCOPED_TRACE(std::string("seed ") + std::to_string(seed) + " sparsity " + sparsity);
      const Result result = run("tensor", data, {{"clusters", 3}, {"sparsity", sparsity}});
      EXPECT_EQ(result.status, Status::converged);
      const CellScores found = scores(result, made, 3);
      EXPECT_GE(found.planted, 0.99);
      EXPECT_GE(found.all, 0.999);
      expect_verified(data, result);
    }
  }
}

// Members of a co-cluster in a mode.
std::vector<Index> items(const std::vector<Membership>& memberships, Index mode, Index component) {
  std::vector<Index> found;
  for (const Member& member : memberships[mode].members) {
    if (member.component == component) found.push_back(member.item);
  }
  return found;
}

TEST(TensorPlanted, OverlappingBlocksAreSeparated) {
  const Simulation made = simulated({{"noise", "none"}}, 0);
  const Dataset data(made.blocks[0]);
  const Result result = run("tensor", data, {{"clusters", 3}, {"sparsity", 12}});
  // Levels 4, 4 and 2: the weakest is the second block, with items of its own and shared ones.
  EXPECT_EQ(scores(result, made, 3).all, 1.0);
  EXPECT_EQ(items(result.model.memberships, 0, 2), items(made.memberships, 0, 1));
  EXPECT_EQ(items(result.model.memberships, 1, 2), items(made.memberships, 1, 1));
  EXPECT_EQ(items(result.model.memberships, 2, 2), items(made.memberships, 2, 1));
  const std::vector<double>& levels = result.vector("levels");
  EXPECT_NEAR(levels[2], 2.0, 1.0);
  EXPECT_NEAR(levels[0], 4.0, 1.0);
}

TEST(TensorPlanted, DeflationFindsBlocksThatDoNotOverlap) {
  for (const char* const sparsity : {"6", "auto"}) {
    const Simulation made = simulated({{"size", "40,30,10"},
                                       {"clusters", "3"},
                                       {"place", "random"},
                                       {"block", "5"},
                                       {"noise-level", "0.5"}},
                                      1);
    const Dataset data(made.blocks[0]);
    const Result result =
        run("tensor", data,
            {{"clusters", 3}, {"sparsity", sparsity}, {"strategy", "deflation"}, {"restarts", 2}});
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_GE(scores(result, made, 3).planted, 0.98) << sparsity;
    expect_verified(data, result);
  }
}

TEST(TensorPlanted, DeflationStopsWhereNothingIsWorthItsMembers) {
  const Simulation made = simulated({{"size", "20,18,6"},
                                     {"clusters", "2"},
                                     {"place", "random"},
                                     {"block", "4"},
                                     {"noise", "none"}},
                                    2);
  const Dataset data(made.blocks[0]);
  const Result result =
      run("tensor", data,
          {{"clusters", 5}, {"sparsity", 3}, {"strategy", "deflation"}, {"restarts", 1}});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(std::ssize(result.vector("levels")), 5);
  EXPECT_GT(result.vector("levels")[1], 0.0);
  EXPECT_EQ(result.vector("levels")[4], 0.0);
  expect_verified(data, result);
}

TEST(TensorPlanted, SignedBlocksAreFoundWithTheirSigns) {
  for (const char* const sparsity : {"5", "auto"}) {
    const Simulation made = simulated({{"size", "30,25,8"},
                                       {"clusters", "2"},
                                       {"place", "random"},
                                       {"block", "6"},
                                       {"signed", "yes"},
                                       {"noise-level", "0.5"}},
                                      3);
    const Dataset data(made.blocks[0]);
    const Result result =
        run("tensor", data, {{"clusters", 2}, {"sparsity", sparsity}, {"signed", true}});
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_EQ(scores(result, made, 2).all, 1.0) << sparsity;
    expect_verified(data, result);
    // The signs of a found co-cluster's cells are those of the data.
    const Tensor& x = *made.blocks[0].dense_tensor();
    for (Index k = 0; k < 2; ++k) {
      for (const Index i : items(result.model.memberships, 0, k)) {
        for (const Index j : items(result.model.memberships, 1, k)) {
          for (const Index t : items(result.model.memberships, 2, k)) {
            const double model = result.matrix("mode_0")(i, k) * result.matrix("mode_1")(j, k) *
                                 result.matrix("mode_2")(t, k);
            EXPECT_GT(model * x.data()[(i * 25 + j) * 8 + t], 0.0);
          }
        }
      }
    }
  }
}

TEST(TensorPlanted, MissingCellsDoNotHideABlock) {
  const Simulation made = simulated({{"size", "30,25,8"},
                                     {"clusters", "2"},
                                     {"place", "random"},
                                     {"block", "6"},
                                     {"missing", "0.4"},
                                     {"noise-level", "0.3"}},
                                    4);
  const Dataset data(made.blocks[0]);
  for (const char* const sparsity : {"4", "auto"}) {
    const Result result = run("tensor", data, {{"clusters", 2}, {"sparsity", sparsity}});
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_EQ(scores(result, made, 2).all, 1.0) << sparsity;
    expect_verified(data, result);
  }
}

// With the paper's two extremes: no penalty is least squares in the box, and the more it costs the
// fewer members there are.
TEST(TensorPlanted, MembersFallAsSparsityGrows) {
  const Simulation made = simulated({{"size", "20,18,6"},
                                     {"clusters", "2"},
                                     {"place", "random"},
                                     {"block", "4"},
                                     {"noise", "dense"},
                                     {"noise-level", "0.5"}},
                                    5);
  const Dataset data(made.blocks[0]);
  std::size_t before = 1000;
  double loss = 0.0;
  for (const char* const sparsity : {"0", "1", "4", "30", "10000"}) {
    const Result result =
        run("tensor", data, {{"clusters", 2}, {"sparsity", sparsity}, {"prune", 0}});
    std::size_t members = 0;
    for (const Membership& mode : result.model.memberships) members += mode.members.size();
    EXPECT_LE(members, before) << sparsity;
    EXPECT_GE(result.terms.loss, loss * (1.0 - 1e-9));
    before = members;
    loss = result.terms.loss;
  }
  EXPECT_EQ(before, 0u);
}

}  // namespace
}  // namespace gingham
