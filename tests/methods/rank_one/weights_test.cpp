// The weights of a term over time against brute force: no change of them lowers the objective.
#include "gingham/methods/rank_one/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"

namespace gingham::methods::rank_one {
namespace {

WeightProblem random_problem(Index t, Index n, double cost, double scale, Rng& rng) {
  WeightProblem problem;
  for (Index i = 0; i < t; ++i) {
    problem.curvature.push_back(rng.uniform() < 0.1 ? 0.0 : 0.2 + rng.uniform());
    problem.gain.push_back(scale * (rng.uniform() < 0.2 ? -rng.uniform() : 3.0 * rng.uniform()));
    if (problem.curvature.back() == 0.0) problem.gain.back() = -scale * rng.uniform();
  }
  for (Index i = 0; i + 1 < t; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double now = rng.normal();
      const double next = rng.uniform() < 0.3 ? now : rng.normal();
      problem.edges.push_back({i, next, now, scale * cost});
    }
  }
  return problem;
}

// Tries moves of every run of weights, by many sizes, and returns the best decrease.
double best_decrease(const WeightProblem& problem, const std::vector<double>& s) {
  double size = 0.0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (problem.curvature[i] > 0.0) {
      size = std::max(size, problem.gain[i] / problem.curvature[i]);
    }
  }
  const double here = problem.value(s);
  double best = 0.0;
  for (std::size_t from = 0; from < s.size(); ++from) {
    for (std::size_t to = from; to < s.size(); ++to) {
      for (double step = 1.0; step > 1e-7; step *= 0.3) {
        for (const double sign : {-1.0, 1.0}) {
          for (const bool relative : {false, true}) {
            std::vector<double> moved = s;
            for (std::size_t i = from; i <= to; ++i) {
              moved[i] = std::max(0.0, moved[i] + sign * step * (relative ? moved[i] : size));
            }
            best = std::max(best, here - problem.value(moved));
          }
        }
      }
    }
  }
  return size > 0.0 ? best / (size * size) : best;
}

TEST(Weights, NothingNearIsBetter) {
  Rng rng = Rng::named(1, "weights");
  for (int trial = 0; trial < 400; ++trial) {
    const double scale = std::pow(10.0, 200.0 * rng.uniform() - 100.0);
    const double cost = std::pow(10.0, 4.0 * rng.uniform() - 3.0);
    const WeightProblem problem =
        random_problem(1 + rng.below(8), 1 + rng.below(12), cost, scale, rng);
    const Weights weights = solve_weights(problem);
    EXPECT_LE(weights.gap, 1e-12) << "trial " << trial;
    EXPECT_LE(best_decrease(problem, weights.s), 1e-11) << "trial " << trial;
  }
}

// Where there is a closed form the general solver finds it.
TEST(Weights, AgreeWithTheClosedForms) {
  Rng rng = Rng::named(2, "weights");
  for (int trial = 0; trial < 200; ++trial) {
    const Index t = 2 + rng.below(7), n = 1 + rng.below(6);
    WeightProblem problem = random_problem(t, 0, 1.0, 1.0, rng);
    for (double& curvature : problem.curvature) curvature = std::max(curvature, 0.1);
    const std::vector<double> apart = separate_weights(problem).s;
    const std::vector<double> alone = solve_weights(problem).s;
    for (Index i = 0; i < t; ++i) EXPECT_NEAR(alone[i], apart[i], 1e-9);

    const double gamma = std::pow(10.0, 3.0 * rng.uniform() - 2.0);
    double cost = 0.0;
    for (Index j = 0; j < n; ++j) {
      const double entry = rng.normal();
      cost += gamma * std::abs(entry);
      for (Index i = 0; i + 1 < t; ++i) problem.edges.push_back({i, entry, entry, gamma});
    }
    const std::vector<double> chained = chained_weights(problem, cost).s;
    const std::vector<double> general = solve_weights(problem).s;
    for (Index i = 0; i < t; ++i) EXPECT_NEAR(general[i], chained[i], 1e-6);
    EXPECT_NEAR(problem.value(general), problem.value(chained), 1e-11);
  }
}

TEST(Weights, AreZeroAtATimeWithoutVectors) {
  const WeightProblem problem{
      {1.0, 0.0, 1.0}, {2.0, 0.0, 3.0}, {{0, 0.0, 0.5, 1.0}, {1, 0.7, 0.0, 1.0}}};
  const Weights weights = solve_weights(problem);
  EXPECT_EQ(weights.s[1], 0.0);
  EXPECT_NEAR(weights.s[0], 1.5, 1e-9);
  EXPECT_NEAR(weights.s[2], 2.3, 1e-9);
}

TEST(Weights, AreZeroWhereNothingIsGained) {
  WeightProblem problem{{1.0, 1.0}, {-1.0, -0.5}, {{0, 1.0, 0.5, 2.0}}};
  EXPECT_EQ(solve_weights(problem).s, (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(tied_weights(problem).s, (std::vector<double>{0.0, 0.0}));
}

}  // namespace
}  // namespace gingham::methods::rank_one
