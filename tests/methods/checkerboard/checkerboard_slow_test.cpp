// Random matrices of all kinds through every combination of options: whatever comes out verifies.
#include <gtest/gtest.h>

#include "gingham/tools/verify.hpp"
#include "methods/checkerboard/oracle.hpp"

namespace gingham {
namespace {

using testing::all_kinds;
using testing::Kind;
using testing::least_loss;
using testing::random_positive;

Matrix random_matrix(Index rows, Index columns, int kind, bool positive, Rng& rng) {
  Matrix x(rows, columns);
  const double level = kind == 5 ? 1e5 : 0.0;
  for (double& value : x.values()) {
    value = rng.normal();
    if (kind == 1) value = std::round(value);                  // ties and zeros
    if (kind == 2) value = rng.uniform() < 0.7 ? 0.0 : value;  // mostly zero
    if (kind == 3) value *= 1e8;
    if (kind == 4) value *= 1e-8;
    value += level;
    if (positive) value = std::abs(value);
  }
  if (kind == 6) {  // few different rows and columns
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j)
        x(i, j) = static_cast<double>((1 + i % 3) * (1 + j % 2)) + (i % 2 == j % 2 ? 0.3 : 0.0);
    }
  }
  if (rng.uniform() < 0.05) x = Matrix(rows, columns);
  return x;
}

TEST(CheckerboardAtRandom, WhateverComesOutVerifies) {
  Rng rng = Rng::named(1, "random boards");
  const std::vector<Kind> kinds = all_kinds();
  Index n_converged = 0, n_runs = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const Kind& kind = kinds[rng.below(static_cast<Index>(kinds.size()))];
    const int values = static_cast<int>(rng.below(7));
    const bool alone = kind.method == "kmeans-coclustering";
    const bool may_miss = kind.method == "bregman" && !kind.margins();
    const double holes = may_miss && rng.uniform() < 0.4 ? 0.6 * rng.uniform() : 0.0;
    const bool sparse = !alone && rng.uniform() < 0.4;
    const Unlisted unlisted = may_miss && rng.uniform() < 0.5 ? Unlisted::missing : Unlisted::zero;
    Matrix x = random_matrix(1 + rng.below(16), 1 + rng.below(14), values, !kind.squares(), rng);
    for (double& value : x.values()) value = rng.uniform() < holes ? std::nan("") : value;
    const Dataset data(
        sparse ? Block("X", SparseMatrix::from_dense(x), std::vector<Labels>{}, unlisted)
               : Block("X", x));
    const std::vector<Setting> settings =
        kind.settings({{"row-clusters", Index{1 + rng.below(5)}},
                       {"column-clusters", Index{1 + rng.below(5)}},
                       {"restarts", Index{1 + rng.below(3)}},
                       {"seed", Index{trial}},
                       {"max-iterations", rng.uniform() < 0.2 ? 2 : 300}});
    std::string what = "trial " + std::to_string(trial) + " " + kind.method + " values " +
                       std::to_string(values) + (sparse ? " sparse" : " dense");
    for (const Setting& one : settings) what += " " + one.name + "=" + one.text;
    SCOPED_TRACE(what);
    try {
      const Result result = run(kind.method, data, settings);
      EXPECT_NE(result.status, Status::numerical_failure);
      const Verification verification = verify_result(data, result);
      EXPECT_TRUE(verification.passed())
          << (verification.passed() ? "" : verification.differences[0]);
      for (std::size_t i = 1; i < result.trace.size() && !alone; ++i) {
        const double before = result.trace[i - 1].objective;
        EXPECT_LE(result.trace[i].objective, before * (1 + 1e-9)) << "iteration " << i;
      }
      ++n_runs;
      n_converged += result.status == Status::converged ? 1 : 0;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input) << error.what();  // all zero, or nothing observed
    }
  }
  EXPECT_GT(n_runs, 5000);
  EXPECT_GT(n_converged, n_runs * 9 / 10);
}

TEST(CheckerboardAtRandom, TheBestOfAllLabelingsIsFoundFromFewStarts) {
  Rng rng = Rng::named(2, "brute force");
  for (const Kind& kind : testing::descending_kinds()) {
    int reached = 0;
    const int n_trials = 40;
    for (int trial = 0; trial < n_trials; ++trial) {
      const Matrix x = random_positive(6, 5, rng, trial % 2 == 1);
      const double least = least_loss(kind, x, 2, 3);
      const double found =
          run(kind.method, Dataset(x),
              kind.settings({{"row-clusters", 2}, {"column-clusters", 3}, {"restarts", 20}}))
              .terms.objective();
      EXPECT_GE(found, least * (1 - 1e-9) - 1e-12);
      reached += found <= least * (1 + 1e-9) + 1e-12 ? 1 : 0;
    }
    EXPECT_GE(reached, n_trials / 2) << kind.text();
    RecordProperty(kind.text(), reached);
  }
}

}  // namespace
}  // namespace gingham
