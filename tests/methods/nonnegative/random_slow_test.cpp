// Random problems of all kinds through combinations of options: whatever comes out verifies, and no
// objective rises.
#include "methods/nonnegative/random_problems.hpp"

namespace gingham {
namespace {

TEST(NmfAtRandom, WhateverComesOutVerifies) {
  Rng rng = Rng::named(12, "random problems");
  Index n_refused = 0, n_long = 0, n_converged = 0;
  constexpr int kTrials = 550;
  for (int trial = 0; trial < kTrials; ++trial) {
    const testing::RandomProblem problem = testing::random_problem(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + problem.text());
    const Options options = testing::options_of(problem.method, problem.settings, problem.lines);
    try {
      const Result result = testing::fit(problem.method, problem.data, options);
      const bool is_long = options.integer("max-iterations") > 3;
      n_long += is_long ? 1 : 0;
      n_converged += is_long && result.status == Status::converged ? 1 : 0;
    } catch (const Error& error) {
      // Scales that nothing holds are refused by name.
      EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
      EXPECT_EQ(error.where(), "--alpha") << error.what();
      ++n_refused;
    }
  }
  EXPECT_LT(n_refused, kTrials / 4);
  EXPECT_GT(n_converged, n_long * 7 / 10);
}

}  // namespace
}  // namespace gingham
