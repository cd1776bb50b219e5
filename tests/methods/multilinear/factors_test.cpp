#include "gingham/methods/multilinear/factors.hpp"

#include "gingham/alternation/alternation.hpp"

#include <gtest/gtest.h>

#include "methods/multilinear/oracle.hpp"

namespace gingham::methods::multilinear {
namespace {

using testing::model_at;
using testing::naive_penalty;
using testing::Real;

double length1(const Matrix& factor, Index k) {
  double sum = 0.0;
  for (Index i = 0; i < factor.rows(); ++i) sum += std::abs(factor(i, k));
  return sum;
}

bool is_zero(const Factors& factors, Index k) {
  bool found = factors.weights[k] == 0.0;
  for (const Matrix& mode : factors.modes) found = found || largest_in_column(mode, k) == 0.0;
  return found;
}

// Other scales and weights of the same model within the bounds; nothing where the draw is outside.
std::optional<Factors> rescaled(const Problem& problem, Index first, const Factors& from,
                                double spread, Rng& rng) {
  Factors factors = from;
  for (Index k = first; k < factors.n_components(); ++k) {
    if (is_zero(factors, k)) continue;
    double product = 1.0;
    for (Index n = 0; n < factors.n_modes(); ++n) {
      const bool is_last = n + 1 == factors.n_modes();
      double scale = std::exp(spread * rng.normal());
      if (problem.fixed_weights && is_last) scale = 1.0 / product;
      if (problem.fixed_weights && factors.modes[n].rows() == 1) scale = 1.0;
      product *= scale;
      for (Index i = 0; i < factors.modes[n].rows(); ++i) {
        double& a = factors.modes[n](i, k);
        a *= scale;
        if (a < problem.low || a > problem.high) return std::nullopt;
      }
    }
    if (problem.fixed_weights && std::abs(product - 1.0) > 1e-9) return std::nullopt;
    if (!problem.fixed_weights) factors.weights[k] /= product;
    if (factors.weights[k] > problem.weight_cap * (1.0 + 1e-12)) return std::nullopt;
  }
  return factors;
}

struct Balanced {
  testing::Cells cells;
  Problem problem;
  Factors before;
  Index first = 0;
};

Balanced random_factors_and_problem(Rng& rng) {
  Balanced made;
  const Shape shape = testing::random_shape(rng, 5);
  const bool is_signed = rng.uniform() < 0.5;
  made.cells = testing::cells_of(testing::random_tensor(shape, 0, is_signed, rng));
  made.problem = testing::random_problem(made.cells, is_signed, rng);
  made.before = testing::random_point(made.problem, shape, 1 + rng.below(3), rng);
  if (rng.uniform() < 0.2) made.before.weights[0] = 0.0;
  if (rng.uniform() < 0.3) made.first = rng.below(made.before.n_components());
  return made;
}

TEST(Balance, TheModelStaysAndNoOtherScalesAreCheaper) {
  Rng rng = Rng::named(1, "balance");
  int n_compared = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const Balanced made = random_factors_and_problem(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + shape_text(made.cells.shape));
    Factors after = made.before;
    const Matrix scales = balancing_scales(made.problem, made.first, made.before);
    balance(made.problem, made.first, after);
    for (const std::vector<Index>& at : made.cells.at) {
      double size = 0.0;
      for (Index k = 0; k < after.n_components(); ++k) {
        size += static_cast<double>(
            std::abs(made.before.weights[k] * testing::product_at(made.before, at, k)));
      }
      EXPECT_NEAR(static_cast<double>(model_at(after, at)),
                  static_cast<double>(model_at(made.before, at)), 1e-13 * size);
    }
    const auto cost = static_cast<double>(naive_penalty(made.problem, after)),
               was = static_cast<double>(naive_penalty(made.problem, made.before));
    EXPECT_LE(cost, was * (1.0 + 1e-13));
    for (int draw = 0; draw < 30; ++draw) {
      const bool is_near = draw % 2 == 0;
      const std::optional<Factors> other = rescaled(
          made.problem, made.first, is_near ? after : made.before, is_near ? 0.02 : 0.5, rng);
      if (!other) continue;
      ++n_compared;
      EXPECT_LE(cost, static_cast<double>(naive_penalty(made.problem, *other)) * (1.0 + 1e-9));
    }
    for (Index k = 0; k < after.n_components(); ++k) {
      const bool stays = k < made.first || is_zero(made.before, k) || !made.problem.is_penalised();
      for (Index n = 0; n < after.n_modes(); ++n) {
        EXPECT_TRUE(!stays || scales(n, k) == 1.0);
        for (Index i = 0; i < after.modes[n].rows(); ++i) {
          const double a = after.modes[n](i, k), from = made.before.modes[n](i, k);
          EXPECT_GE(a, made.problem.low);
          EXPECT_LE(a, made.problem.high);
          EXPECT_NEAR(a, from * scales(n, k), 1e-14 * std::abs(a));
        }
      }
      const bool is_free = !stays && !made.problem.fixed_weights;
      EXPECT_EQ(after.weights[k], is_free ? made.problem.weight_cap : made.before.weights[k]);
    }
  }
  EXPECT_GT(n_compared, 3000);
}

// Claim 3 of the paper: without a box the penalties of all modes are equal at the optimum.
TEST(Balance, WithoutABoxEveryModeCostsTheSame) {
  Rng rng = Rng::named(2, "balance");
  for (int trial = 0; trial < 300; ++trial) {
    Balanced made = random_factors_and_problem(rng);
    if (!made.problem.fixed_weights || !made.problem.is_penalised()) continue;
    Factors after = made.before;
    balance(made.problem, 0, after);
    for (Index k = 0; k < after.n_components(); ++k) {
      if (is_zero(after, k)) continue;
      std::vector<double> costs;
      for (Index n = 0; n < after.n_modes(); ++n) {
        if (after.modes[n].rows() == 1) continue;
        costs.push_back(made.problem.lambda[n] * length1(after.modes[n], k));
      }
      for (const double cost : costs) EXPECT_NEAR(cost, costs[0], 1e-12 * costs[0]);
    }
  }
}

TEST(Balance, AModeWithoutAPenaltyIsAsLargeAsItMayBe) {
  Rng rng = Rng::named(3, "balance");
  Problem problem{.lambda = {1.0, 0.0, 2.0}, .weight_cap = 10.0};
  for (int trial = 0; trial < 50; ++trial) {
    Factors factors = testing::random_point(problem, {4, 5, 3}, 2, rng);
    balance(problem, 0, factors);
    for (Index k = 0; k < 2; ++k) {
      if (is_zero(factors, k)) continue;
      EXPECT_NEAR(largest_in_column(factors.modes[1], k), 1.0, 1e-14);
      const double one = length1(factors.modes[0], k), other = 2.0 * length1(factors.modes[2], k);
      const bool is_capped = largest_in_column(factors.modes[0], k) > 1.0 - 1e-12 ||
                             largest_in_column(factors.modes[2], k) > 1.0 - 1e-12;
      EXPECT_TRUE(is_capped || std::abs(one - other) < 1e-12 * one);
    }
  }
}

TEST(Factors, ColumnsAreCutAddedAndReordered) {
  Rng rng = Rng::named(4, "columns");
  const Problem problem{.lambda = {1.0, 1.0}, .weight_cap = 2.0};
  const Factors factors = testing::random_point(problem, {4, 3}, 3, rng);
  const Factors turned = reordered(factors, {2, 0, 1});
  const Factors longer = resized(factors, 5), shorter = resized(factors, 2);
  const Matrix rest = alternation::columns_from(factors.modes[0], 1);
  EXPECT_EQ(longer.weights, (std::vector<double>{factors.weights[0], factors.weights[1],
                                                 factors.weights[2], 0.0, 0.0}));
  EXPECT_EQ(shorter.n_components(), 2);
  for (Index n = 0; n < 2; ++n) {
    EXPECT_EQ(column(turned.modes[n], 0), column(factors.modes[n], 2));
    EXPECT_EQ(column(turned.modes[n], 1), column(factors.modes[n], 0));
    EXPECT_EQ(column(longer.modes[n], 2), column(factors.modes[n], 2));
    EXPECT_EQ(largest_in_column(longer.modes[n], 4), 0.0);
    EXPECT_EQ(column(shorter.modes[n], 1), column(factors.modes[n], 1));
  }
  EXPECT_EQ(turned.weights[1], factors.weights[0]);
  EXPECT_EQ(column(rest, 1), column(factors.modes[0], 2));
  EXPECT_EQ(level(factors, 1), factors.weights[1] * largest_in_column(factors.modes[0], 1) *
                                   largest_in_column(factors.modes[1], 1));
}

}  // namespace
}  // namespace gingham::methods::multilinear
