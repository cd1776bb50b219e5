// Random arrays of all kinds through combinations of options: whatever comes out verifies.
#include <gtest/gtest.h>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/tensor/random_data.hpp"

namespace gingham {
namespace {

Block random_block(Rng& rng) {
  const int kind = static_cast<int>(rng.below(5));
  Tensor x = testing::random_tensor(testing::random_shape(rng), kind, rng.uniform() < 0.5, rng);
  if (rng.uniform() < 0.05) x = Tensor(x.shape());
  const double holes = rng.uniform() < 0.4 ? rng.uniform() : 0.0;
  for (double& cell : x.values()) cell = rng.uniform() < holes ? std::nan("") : cell;
  const bool as_matrix = rng.uniform() < 0.5;
  if (rng.uniform() < 0.5) return testing::dense_block(x, as_matrix);
  return testing::sparse_block(x, rng.uniform() < 0.5 ? Unlisted::zero : Unlisted::missing,
                               as_matrix);
}

TEST(TensorAtRandom, WhateverComesOutVerifies) {
  Rng rng = Rng::named(7, "random tensors");
  const char* const sparsities[] = {"auto", "0", "1%", "10%", "0.5", "1e12", "paper", "100%"};
  const char* const searches[] = {"none", "grid", "backtracking", "polynomial", "majorize"};
  const char* const prunes[] = {"auto", "0", "10%", "0.5"};
  const char* const starts[] = {"parafac", "svd", "random"};
  Index n_converged = 0, n_runs = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Dataset data(random_block(rng));
    const bool is_parafac = rng.uniform() < 0.1;
    std::vector<Setting> settings{{"restarts", Index{1 + rng.below(3)}},
                                  {"max-iterations", rng.uniform() < 0.2 ? 3 : 2000}};
    if (is_parafac) {
      settings.push_back({"rank", Index{1 + rng.below(4)}});
      settings.push_back({"start", starts[1 + rng.below(2)]});
    } else {
      settings.push_back({"clusters", Index{1 + rng.below(4)}});
      settings.push_back({"sparsity", sparsities[rng.below(8)]});
      settings.push_back({"expect", "2"});
      settings.push_back({"signed", rng.uniform() < 0.4});
      settings.push_back({"strategy", rng.uniform() < 0.3 ? "deflation" : "joint"});
      settings.push_back({"line-search", searches[rng.below(5)]});
      settings.push_back({"prune", prunes[rng.below(4)]});
      settings.push_back({"start", starts[rng.below(3)]});
      settings.push_back({"model", rng.uniform() < 0.2 ? "plain" : "box"});
      settings.push_back({"balance", rng.uniform() < 0.1 ? "no" : "yes"});
    }
    std::string what = "trial " + std::to_string(trial) + " " + shape_text(data.block(0).shape()) +
                       (data.block(0).is_sparse() ? " sparse" : "");
    for (const Setting& one : settings) what += " " + one.name + "=" + one.text;
    SCOPED_TRACE(what);
    double squares = 0.0;
    for_each_entry(data.block(0), [&](std::span<const Index>, double x) {
      squares += std::isnan(x) ? 0.0 : x * x;
    });
    const Result result = run(is_parafac ? "parafac" : "tensor", data, settings);
    EXPECT_NE(result.status, Status::numerical_failure);
    const Verification verification = verify_result(data, result);
    EXPECT_TRUE(verification.passed())
        << (verification.passed() ? "" : verification.differences[0]);
    for (std::size_t i = 1; i < result.trace.size(); ++i) {
      if (result.trace[i].component != result.trace[i - 1].component) continue;
      EXPECT_LE(result.trace[i].objective,
                result.trace[i - 1].objective * (1 + 1e-10) + 1e-10 * squares);
    }
    ++n_runs;
    n_converged += result.status == Status::converged ? 1 : 0;
  }
  EXPECT_GT(n_converged, n_runs * 7 / 10);
}

}  // namespace
}  // namespace gingham
