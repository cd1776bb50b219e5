// Random views of all kinds through the methods that group their rows, with random options:
// whatever comes out verifies, and more strictly than for data whose scale the loss has.
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"

namespace gingham {
namespace {

template <std::size_t n>
const char* any_of(const char* const (&words)[n], Rng& rng) {
  return words[rng.below(static_cast<Index>(n))];
}

// Groups with noise of a kind, and what makes trouble: constant columns, zero rows, equal rows.
Matrix random_view(Index rows, Index columns, Rng& rng) {
  const int kind = static_cast<int>(rng.below(7));
  Matrix centers(3, columns), x(rows, columns);
  for (double& value : centers.values()) value = 2.0 * rng.normal();
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      double& cell = x(i, j);
      cell = centers(i % 3, j) + rng.normal();
      if (kind == 1) cell = std::round(cell);                  // ties and zeros
      if (kind == 2) cell = rng.uniform() < 0.7 ? 0.0 : cell;  // mostly zero
      if (kind == 3) cell *= 1e8;
      if (kind == 4) cell *= 1e-8;
      if (kind == 5) cell += 1e5;
      if (kind == 6) cell = centers(i % 2, j);  // two different rows
    }
  }
  if (rng.uniform() < 0.2) {
    const Index column = rng.below(columns);
    for (Index i = 0; i < rows; ++i) x(i, column) = 2.5;
  }
  if (rng.uniform() < 0.2) {
    for (double& value : x.row(rng.below(rows))) value = 0.0;
  }
  if (rng.uniform() < 0.2) {
    const Index from = rng.below(rows), to = rng.below(rows);
    std::copy(x.row(from).begin(), x.row(from).end(), x.row(to).begin());
  }
  return rng.uniform() < 0.03 ? Matrix(rows, columns) : x;
}

Dataset random_views(Rng& rng) {
  const Index rows = rng.uniform() < 0.15 ? 97 + rng.below(40) : 1 + rng.below(20);
  std::vector<Block> blocks;
  for (Index v = 0, n_views = 1 + rng.below(3); v < n_views; ++v) {
    const Matrix x = random_view(rows, 1 + rng.below(7), rng);
    const std::string name = "view " + std::to_string(v);
    if (rng.uniform() < 0.4) {
      blocks.emplace_back(name, SparseMatrix::from_dense(x));
    } else {
      blocks.emplace_back(name, x);
    }
  }
  return Dataset(std::move(blocks));
}

std::vector<Setting> random_settings(const std::string& method, Index rows, Rng& rng) {
  const char* const scales[] = {"none", "center", "standardize", "unit", "rows"};
  const char* const widths[] = {"auto", "auto", "50%", "300%", "1", "1e-3", "1e4"};
  const char* const lambdas[] = {"0", "0.01", "0.3", "1", "1000"};
  const char* const penalties[] = {"0", "0.5%", "0.1%", "20%", "100%", "1", "1e-6"};
  const char* const ridges[] = {"0", "0.1", "1e-6", "10"};
  const Index most = std::min<Index>(rows + 2, 9);
  std::vector<Setting> settings{
      {"clusters", 1 + rng.below(most)}, {"starts", 1 + rng.below(4)},
      {"restarts", 1 + rng.below(2)},    {"seed", rng.below(1000)},
      {"scale", any_of(scales, rng)},    {"max-iterations", rng.uniform() < 0.2 ? 2 : 500}};
  if (method == "mvcca") {
    settings.push_back({"dimensions", rng.below(5)});
    settings.push_back({"components", 1 + rng.below(8)});
    settings.push_back({"ridge", any_of(ridges, rng)});
  } else if (method == "mvfl") {
    settings.push_back({"view-sparsity", any_of(penalties, rng)});
    settings.push_back({"feature-sparsity", any_of(penalties, rng)});
  } else {
    settings.push_back({"kernel", rng.uniform() < 0.3 ? "linear" : "gaussian"});
    settings.push_back({"width", any_of(widths, rng)});
  }
  if (method == "coregularized") {
    settings.push_back({"form", rng.uniform() < 0.4 ? "centroid" : "pairwise"});
    settings.push_back({"lambda", any_of(lambdas, rng)});
  }
  return settings;
}

// Objectives of these methods do not grow with the data, so neither may their rounding.
void expect_recomputed(const Dataset& data, const Result& result) {
  const MethodInfo& info = find_method(result.method);
  const Recomputed found = info.recompute(data, result.options, result.model);
  EXPECT_NEAR(result.terms.loss, found.terms.loss, 1e-8 * (1.0 + std::abs(found.terms.loss)));
  for (std::size_t i = 0; i < result.terms.penalties.size(); ++i) {
    const double value = found.terms.penalties[i].value;
    EXPECT_NEAR(result.terms.penalties[i].value, value, 1e-8 * (1.0 + std::abs(value)));
  }
  for (std::size_t v = 0; v < found.used.size(); ++v) {
    for (std::size_t i = 0; i < found.used[v].values.size(); ++i) {
      const double value = found.used[v].values[i];
      EXPECT_NEAR(result.model.used[v].values[i], value, 1e-9 * value);
    }
  }
}

class CompanionAtRandom : public ::testing::TestWithParam<std::string> {};

TEST_P(CompanionAtRandom, WhateverComesOutVerifies) {
  Rng rng = Rng::named(3, "random views");
  const MethodInfo& info = find_method(GetParam());
  Index n_converged = 0;
  const Index n_runs = info.traits.descent || info.name == "cotrained" ? 300 : 1500;
  for (Index trial = 0; trial < n_runs; ++trial) {
    const Dataset data = random_views(rng);
    const std::vector<Setting> settings = random_settings(info.name, data.block(0).shape()[0], rng);
    std::string what = "trial " + std::to_string(trial);
    for (const Block& block : data.blocks())
      what += " " + shape_text(block.shape()) + (block.is_sparse() ? "s" : "");
    for (const Setting& one : settings) what += " " + one.name + "=" + one.text;
    SCOPED_TRACE(what);
    const Result result = run(info.name, data, settings);
    EXPECT_NE(result.status, Status::numerical_failure);
    const Verification verification = verify_result(data, result);
    EXPECT_TRUE(verification.passed())
        << (verification.passed() ? "" : verification.differences[0]);
    expect_recomputed(data, result);
    for (std::size_t i = 1; info.traits.descent && i < result.trace.size(); ++i) {
      if (result.trace[i].component != result.trace[i - 1].component) continue;
      EXPECT_LE(result.trace[i].objective,
                result.trace[i - 1].objective + 1e-10 * (1.0 + result.trace[i - 1].objective));
    }
    n_converged += result.status == Status::converged ? 1 : 0;
  }
  EXPECT_GT(n_converged, n_runs * 6 / 10);
}

INSTANTIATE_TEST_SUITE_P(Each, CompanionAtRandom,
                         ::testing::Values("kernel-sum", "kernel-product", "coregularized",
                                           "cotrained", "mvcca", "mvfl"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace gingham
