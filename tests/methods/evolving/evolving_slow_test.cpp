// Random series of all kinds through every combination of options: whatever comes out verifies.
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

Matrix random_matrix(Index rows, Index columns, int kind, Rng& rng) {
  Matrix x(rows, columns);
  for (double& value : x.values()) {
    value = rng.normal();
    if (kind == 1) value = std::round(value);                            // ties and zeros
    if (kind == 2) value = rng.uniform() < 0.7 ? 0.0 : std::abs(value);  // mostly zero
    if (kind == 3) value *= 1e8;
    if (kind == 4) value *= 1e-8;
  }
  if (rng.uniform() < 0.1) x = Matrix(rows, columns);
  return x;
}

TEST(EvolvingAtRandom, WhateverComesOutVerifies) {
  Rng rng = Rng::named(1, "random series");
  const char* const fusions[] = {"0", "5%", "50%", "0.3", "max", "1e9"};
  const char* const sparsities[] = {"auto", "0", "10%", "60%", "0.5", "1e9"};
  Index n_converged = 0, n_runs = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Index times = 1 + rng.below(5), columns = 1 + rng.below(12);
    const bool even = rng.uniform() < 0.5;
    const int kind = static_cast<int>(rng.below(5));
    const double holes = rng.uniform() < 0.4 ? 0.6 * rng.uniform() : 0.0;
    const bool sparse = rng.uniform() < 0.3;
    const Unlisted unlisted = rng.uniform() < 0.5 ? Unlisted::zero : Unlisted::missing;
    const Index rows = 1 + rng.below(14);
    std::vector<Block> blocks;
    for (Index i = 0; i < times; ++i) {
      Matrix x = random_matrix(even ? rows : 1 + rng.below(14), columns, kind, rng);
      for (double& value : x.values()) value = rng.uniform() < holes ? std::nan("") : value;
      if (sparse) {
        blocks.emplace_back("sparse", SparseMatrix::from_dense(x), std::vector<Labels>{}, unlisted);
      } else {
        blocks.emplace_back("dense", x);
      }
    }
    const Dataset data(std::move(blocks));
    const std::vector<Setting> settings{{"clusters", Index{1 + rng.below(3)}},
                                        {"row-sparsity", sparsities[rng.below(6)]},
                                        {"column-sparsity", sparsities[rng.below(6)]},
                                        {"row-fusion", even ? fusions[rng.below(6)] : "0"},
                                        {"column-fusion", fusions[rng.below(6)]},
                                        {"restarts", Index{1 + rng.below(3)}},
                                        {"max-iterations", rng.uniform() < 0.2 ? 3 : 300}};
    std::string what = "trial " + std::to_string(trial);
    for (const Setting& one : settings) what += " " + one.name + "=" + one.text;
    SCOPED_TRACE(what);
    const Result result = run("evolving", data, settings);
    EXPECT_NE(result.status, Status::numerical_failure);
    const Verification verification = verify_result(data, result);
    EXPECT_TRUE(verification.passed())
        << (verification.passed() ? "" : verification.differences[0]);
    ++n_runs;
    n_converged += result.status == Status::converged ? 1 : 0;
  }
  EXPECT_GT(n_converged, n_runs * 9 / 10);
}

}  // namespace
}  // namespace gingham
