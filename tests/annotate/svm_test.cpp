#include "annotate/svm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gingham/base/rng.hpp"

namespace gingham::annotate {
namespace {

struct Problem {
  Matrix x;
  std::vector<Index> labels, items;
};

Problem random_problem(Index n, Index p, Rng& rng) {
  Problem made{Matrix(n, p), {}, {}};
  for (double& value : made.x.values()) value = rng.normal();
  for (Index i = 0; i < n; ++i) {
    made.labels.push_back(i == 0 ? 1 : i == 1 ? 0 : made.x(i, 0) + rng.normal() > 0.5 ? 1 : 0);
    made.items.push_back(i);
  }
  return made;
}

// The length of the objective's gradient over that at zero, by plain loops.
double relative_gradient(const Problem& problem, const Classifier& found, double cost) {
  const Index n = std::ssize(problem.items), p = problem.x.cols();
  double n_ones = 0.0;
  for (const Index i : problem.items)
    n_ones += static_cast<double>(problem.labels[static_cast<std::size_t>(i)]);
  std::vector<double> mean(static_cast<std::size_t>(p)), deviation(static_cast<std::size_t>(p));
  for (std::size_t j = 0; j < mean.size(); ++j) {
    for (const Index i : problem.items)
      mean[j] += problem.x(i, static_cast<Index>(j)) / static_cast<double>(n);
    for (const Index i : problem.items)
      deviation[j] +=
          std::pow(problem.x(i, static_cast<Index>(j)) - mean[j], 2) / static_cast<double>(n);
    deviation[j] = std::sqrt(deviation[j]);
  }
  // In standardized units: w_j * deviation_j, and the bias at the mean.
  std::vector<double> w(static_cast<std::size_t>(p) + 1);
  w[mean.size()] = found.bias;
  for (std::size_t j = 0; j < mean.size(); ++j) {
    w[j] = found.weights[j] * deviation[j];
    w[mean.size()] += found.weights[j] * mean[j];
  }
  std::vector<double> here = w, zero(w.size());
  for (const Index i : problem.items) {
    const double y = problem.labels[static_cast<std::size_t>(i)] == 1 ? 1.0 : -1.0;
    const double weight =
        static_cast<double>(n) / (2.0 * (y > 0 ? n_ones : static_cast<double>(n) - n_ones));
    std::vector<double> z(w.size(), 1.0);
    double value = 0.0;
    for (std::size_t j = 0; j < mean.size(); ++j)
      z[j] =
          deviation[j] > 0.0 ? (problem.x(i, static_cast<Index>(j)) - mean[j]) / deviation[j] : 0.0;
    for (std::size_t j = 0; j < w.size(); ++j) value += w[j] * z[j];
    for (std::size_t j = 0; j < w.size(); ++j) {
      here[j] -= 2.0 * cost * weight * std::max(0.0, 1.0 - y * value) * y * z[j];
      zero[j] -= 2.0 * cost * weight * y * z[j];
    }
  }
  return std::sqrt(std::inner_product(here.begin(), here.end(), here.begin(), 0.0) /
                   std::inner_product(zero.begin(), zero.end(), zero.begin(), 0.0));
}

TEST(Svm, SolvesTheWeightedStandardizedProblem) {
  Rng rng(1, 2);
  for (const double cost : {1e-4, 1e-2, 1.0}) {
    for (int round = 0; round < 10; ++round) {
      const Problem problem = random_problem(12 + rng.below(50), 1 + rng.below(20), rng);
      const Classifier found = Machine(problem.x, problem.labels, problem.items).train(cost);
      EXPECT_LT(relative_gradient(problem, found, cost), 1e-2);
    }
  }
}

TEST(Svm, DecisionsDoNotDependOnUnitsOrOnConstantFeatures) {
  Rng rng(3, 4);
  const Problem problem = random_problem(40, 5, rng);
  Matrix other(40, 6);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 5; ++j)
      other(i, j) = 1e3 * static_cast<double>(j + 1) +
                    std::pow(10.0, static_cast<double>(j)) * problem.x(i, j);
    other(i, 5) = 0.1;
  }
  const Classifier one = Machine(problem.x, problem.labels, problem.items).train(0.1);
  const Classifier two = Machine(other, problem.labels, problem.items).train(0.1);
  EXPECT_EQ(two.weights[5], 0.0);
  for (Index i = 0; i < 40; ++i)
    EXPECT_NEAR(one.decide(problem.x.row(i)), two.decide(other.row(i)), 1e-6);
}

TEST(Svm, TheFirstItemsClassDoesNotMatter) {
  Rng rng(5, 6);
  Problem problem = random_problem(30, 4, rng);
  const Classifier one = Machine(problem.x, problem.labels, problem.items).train(0.1);
  std::reverse(problem.items.begin(), problem.items.end());
  const Classifier two = Machine(problem.x, problem.labels, problem.items).train(0.1);
  for (Index i = 0; i < 30; ++i)
    EXPECT_NEAR(one.decide(problem.x.row(i)), two.decide(problem.x.row(i)), 1e-2);
  for (Index& label : problem.labels) label = 1 - label;
  const Classifier turned = Machine(problem.x, problem.labels, problem.items).train(0.1);
  for (Index i = 0; i < 30; ++i)
    EXPECT_NEAR(turned.decide(problem.x.row(i)), -two.decide(problem.x.row(i)), 1e-2);
}

TEST(Svm, LearnsFromTheItemsAlone) {
  Rng rng(7, 8);
  Problem problem = random_problem(30, 4, rng);
  problem.items.resize(20);
  const Classifier one = Machine(problem.x, problem.labels, problem.items).train(0.1);
  for (Index i = 20; i < 30; ++i) {
    problem.labels[static_cast<std::size_t>(i)] = 1;
    for (Index j = 0; j < 4; ++j) problem.x(i, j) = 1e6;
  }
  const Classifier two = Machine(problem.x, problem.labels, problem.items).train(0.1);
  EXPECT_EQ(one.weights, two.weights);
  EXPECT_EQ(one.bias, two.bias);
}

TEST(Svm, WhereItBeginsDoesNotMatterMuch) {
  Rng rng(10, 10);
  for (int round = 0; round < 10; ++round) {
    const Problem problem = random_problem(40, 6, rng);
    Machine machine(problem.x, problem.labels, problem.items);
    for (const double cost : {1e-4, 1e-2, 1.0, 1e-3}) {
      const Classifier found = machine.train(cost);
      EXPECT_LT(relative_gradient(problem, found, cost), 1e-2);
    }
  }
}

TEST(Svm, NeedsBothClasses) {
  Rng rng(9, 9);
  Problem problem = random_problem(10, 2, rng);
  std::fill(problem.labels.begin(), problem.labels.end(), 1);
  EXPECT_THROW(Machine(problem.x, problem.labels, problem.items).train(1.0), Error);
}

TEST(Svm, AllFeaturesConstantDecidesForNoOne) {
  const Matrix x(6, 3);
  const std::vector<Index> labels{1, 0, 0, 0, 0, 0}, items{0, 1, 2, 3, 4, 5};
  const Classifier found = Machine(x, labels, items).train(1.0);
  EXPECT_NEAR(found.bias, 0.0, 1e-9);  // the classes weigh the same
}

}  // namespace
}  // namespace gingham::annotate
