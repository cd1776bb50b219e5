#include <gtest/gtest.h>

#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/methods/tensor/simulate.hpp"

namespace gingham {
namespace {

Dataset papers_array(const std::string& missing) {
  const Simulator simulator = methods::tensor::simulator();
  Options options(simulator.options);
  options.set("missing", missing);
  return Dataset(simulator.make(options, Rng::named(0, "test")).blocks.front());
}

// A search steps far along the line and the next line begins there; to a small gap it takes many
// such steps, and nothing may get lost on the way.
TEST(TensorLineSearch, EverySearchReachesTheSameMinimumToASmallGap) {
  for (const std::string missing : {"0", "0.3"}) {
    const Dataset data = papers_array(missing);
    for (const std::string balance : {"yes", "no"}) {
      if (balance == "no" && missing != "0") continue;  // slow, and nothing new
      double plain = 0.0;
      for (const std::string search : {"none", "grid", "backtracking", "polynomial", "majorize"}) {
        const Result result = run("tensor", data,
                                  {{"sparsity", "12"},
                                   {"line-search", search},
                                   {"balance", balance},
                                   {"prune", "0"},
                                   {"restarts", "1"},
                                   {"tolerance", "1e-8"},
                                   {"max-iterations", "3000"}});
        EXPECT_EQ(result.status, Status::converged) << search << " " << balance << " " << missing;
        if (search == "none") plain = result.terms.objective();
        EXPECT_NEAR(result.terms.objective(), plain, 1e-9 * plain) << search << " " << balance;
      }
    }
  }
}

// Where the cost has no digits left to fall by, steps that seem to lower it are rounding.
TEST(TensorLineSearch, NoSearchKeepsTheSweepsFromSettling) {
  const Dataset data = papers_array("0");
  const auto iterations = [&](const std::string& search) {
    const Result result = run("tensor", data,
                              {{"sparsity", "12"},
                               {"line-search", search},
                               {"prune", "0"},
                               {"restarts", "1"},
                               {"tolerance", "1e-12"},
                               {"max-iterations", "3000"}});
    EXPECT_EQ(result.status, Status::converged) << search;
    return result.iterations;
  };
  const Index none = iterations("none");
  for (const std::string search : {"grid", "backtracking", "polynomial", "majorize"})
    EXPECT_LE(iterations(search), none) << search;
}

}  // namespace
}  // namespace gingham
