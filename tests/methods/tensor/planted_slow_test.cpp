// Many seeds of what planted_test.cpp and tensor_test.cpp look at once.
#include <gtest/gtest.h>

#include "methods/tensor/planted.hpp"

namespace gingham {
namespace {

using testing::expect_verified;
using testing::scores;
using testing::simulated;

TEST(TensorPlantedOften, ThePapersArrayIsTakenApart) {
  for (const char* const sparsity : {"12", "20", "auto"}) {
    double planted = 0.0, all = 0.0;
    for (std::uint64_t seed = 10; seed < 30; ++seed) {
      SCOPED_TRACE(std::string("seed ") + std::to_string(seed) + " sparsity " + sparsity);
      const Simulation made = simulated({}, seed);
      const Dataset data(made.blocks[0]);
      const Result result = run("tensor", data, {{"clusters", 3}, {"sparsity", sparsity}});
      EXPECT_EQ(result.status, Status::converged);
      const CellScores found = scores(result, made, 3);
      planted += found.planted / 20.0;
      all += found.all / 20.0;
      expect_verified(data, result);
    }
    EXPECT_GE(planted, 0.99) << sparsity;
    EXPECT_GE(all, 0.999) << sparsity;
  }
}

TEST(TensorPlantedOften, StorageAndOrderDoNotMatterToTheBestOfTheRestarts) {
  Rng rng = Rng::named(1, "orders");
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const bool is_signed = seed % 3 == 0;
    const Simulation made = simulated({{"size", seed % 2 == 0 ? "20,16,10" : "24,20,1"},
                                       {"clusters", "3"},
                                       {"place", "random"},
                                       {"block", seed % 2 == 0 ? "4" : "4,4,1"},
                                       {"signed", is_signed ? "yes" : "no"},
                                       {"noise-level", "0.4"}},
                                      seed);
    const Tensor& x = *made.blocks[0].dense_tensor();
    std::vector<std::vector<Index>> order;
    for (const Index size : x.shape()) order.push_back(rng.permutation(size));
    const Tensor turned = testing::permuted(x, order);
    const std::vector<Setting> settings{{"clusters", 3},
                                        {"sparsity", 2},
                                        {"signed", is_signed},
                                        {"tolerance", 1e-10},
                                        {"max-iterations", 5000}};
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Result one = run("tensor", Dataset(testing::dense_block(x)), settings);
    EXPECT_EQ(scores(one, made, 3).all, 1.0);
    testing::expect_same_fit(one, run("tensor", Dataset(testing::dense_block(turned)), settings),
                             1e-6, order);
    testing::expect_same_fit(
        one, run("tensor", Dataset(testing::sparse_block(turned, Unlisted::zero)), settings), 1e-6,
        order);
  }
}

}  // namespace
}  // namespace gingham
