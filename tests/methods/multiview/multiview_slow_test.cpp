// Random views of all kinds through combinations of options: whatever comes out verifies.
#include <gtest/gtest.h>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/multiview/random_views.hpp"

namespace gingham {
namespace {

TEST(MultiviewAtRandom, WhateverComesOutVerifies) {
  Rng rng = Rng::named(11, "random views");
  const char* const sizes[] = {"auto", "1", "2", "5", "30%", "50%", "100%"};
  const char* const scales[] = {"none", "center", "standardize", "unit", "rows"};
  const char* const signs[] = {"auto", "one", "any"};
  const char* const starts[] = {"pca", "ones", "random"};
  Index n_converged = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Dataset data = testing::random_views(rng);
    std::vector<Setting> settings{{"clusters", Index{1 + rng.below(4)}},
                                  {"rows", sizes[rng.below(7)]},
                                  {"columns", sizes[rng.below(7)]},
                                  {"scale", scales[rng.below(5)]},
                                  {"sign", signs[rng.below(3)]},
                                  {"start", starts[rng.below(3)]},
                                  {"starts", Index{1 + rng.below(3)}},
                                  {"restarts", Index{1 + rng.below(2)}},
                                  {"solver", rng.uniform() < 0.4 ? "palm" : "exact"},
                                  {"palm", rng.uniform() < 0.2 ? "literal" : "rescaled"},
                                  {"gamma", rng.uniform() < 0.7 ? 1.01 : 1.01 + rng.uniform()},
                                  {"next", rng.uniform() < 0.3 ? "deflate" : "exclude"},
                                  {"refine", rng.uniform() < 0.2 ? "no" : "yes"},
                                  {"swaps", Index{rng.below(4)}},
                                  {"max-iterations", rng.uniform() < 0.1 ? 3 : 2000}};
    if (rng.uniform() < 0.3) {
      std::string weights;
      for (Index k = 0; k < data.size(); ++k) {
        weights += (k > 0 ? "," : "") + std::to_string(0.1 + 3.0 * rng.uniform());
      }
      settings.push_back({"weights", weights});
    }
    std::string what = "trial " + std::to_string(trial);
    for (const Block& block : data.blocks()) {
      what += " " + shape_text(block.shape()) + (block.is_sparse() ? "s" : "") +
              (block.has_missing() ? "?" : "");
    }
    for (const Setting& one : settings) what += " --" + one.name + " " + one.text;
    SCOPED_TRACE(what);
    const Result result = run("multiview", data, settings);
    EXPECT_NE(result.status, Status::numerical_failure);  // also said when the loss rises
    const Verification verification = verify_result(data, result);
    EXPECT_TRUE(verification.passed())
        << (verification.passed() ? "" : verification.differences[0]);
    n_converged += result.status == Status::converged ? 1 : 0;
  }
  EXPECT_GT(n_converged, kTrials * 8 / 10);
}

}  // namespace
}  // namespace gingham
