#include "gingham/methods/rank_one/worth.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gingham/base/rng.hpp"

namespace gingham::methods::rank_one {
namespace {

WorthProblem random_problem(std::size_t n, Rng& rng) {
  WorthProblem problem{{}, Matrix(static_cast<Index>(n), static_cast<Index>(n)), 0.0};
  for (std::size_t k = 0; k < n; ++k) {
    problem.own.push_back(rng.normal());
    for (std::size_t l = 0; l < k; ++l) {
      const double both = rng.normal();
      problem.shared(static_cast<Index>(k), static_cast<Index>(l)) = both;
      problem.shared(static_cast<Index>(l), static_cast<Index>(k)) = both;
    }
  }
  return problem;
}

double plain_value(const WorthProblem& problem, const std::vector<bool>& in) {
  double total = 0.0;
  for (std::size_t k = 0; k < in.size(); ++k) {
    if (!in[k]) continue;
    total += problem.own[k];
    for (std::size_t l = 0; l < k; ++l) {
      if (in[l]) total += problem.shared(static_cast<Index>(k), static_cast<Index>(l));
    }
  }
  return total;
}

TEST(Worth, NoSingleChangeAndNoEmptyModelIsBetter) {
  Rng rng = Rng::named(1, "worth");
  for (int trial = 0; trial < 500; ++trial) {
    const WorthProblem problem = random_problem(1 + static_cast<std::size_t>(rng.below(7)), rng);
    std::vector<bool> in = worth_keeping(problem);
    const double value = plain_value(problem, in);
    EXPECT_NEAR(problem.value(in), value, 1e-12);
    EXPECT_LE(value, 1e-12);
    EXPECT_LE(value, plain_value(problem, std::vector<bool>(in.size(), true)) + 1e-12);
    const bool is_empty = std::find(in.begin(), in.end(), true) == in.end();
    for (std::size_t k = 0; k < in.size() && !is_empty; ++k) {
      in[k] = !in[k];
      EXPECT_GE(plain_value(problem, in), value - 1e-12);
      in[k] = !in[k];
    }
  }
}

TEST(Worth, DifferencesOfRoundingChangeNothing) {
  WorthProblem problem{{-1.0, 1e-14}, Matrix(2, 2), 1e-12};
  EXPECT_EQ(worth_keeping(problem), (std::vector<bool>{true, true}));
  problem.own[1] = 1e-11;
  EXPECT_EQ(worth_keeping(problem), (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace gingham::methods::rank_one
