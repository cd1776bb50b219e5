#include "gingham/kernels/l1_ball.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

using Values = std::vector<double>;

double sum_abs(const Values& v) {
  double sum = 0.0;
  for (const double x : v) sum += std::abs(x);
  return sum;
}

// The textbook way: sort, then the last j at which the threshold stays below the j-th entry.
double tau_by_sorting(Values x, double radius) {
  std::sort(x.begin(), x.end(), std::greater<>());
  double sum = 0.0;
  double tau = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    sum += x[j];
    const double candidate = (sum - radius) / static_cast<double>(j + 1);
    if (candidate < x[j]) tau = candidate;
  }
  return tau;
}

Values random_values(Rng& rng, Index n, int kind, double scale) {
  Values x(static_cast<std::size_t>(n));
  for (double& value : x) {
    value = rng.normal();
    if (kind == 1) value = static_cast<double>(rng.below(4));
    if (kind == 2) value = 1.0;
    if (kind == 3) value = rng.below(2) == 0 ? 0.0 : value;
    value *= scale;
  }
  return x;
}

TEST(L1Ball, AgreesWithSorting) {
  Rng rng = Rng::named(1, "l1 ball");
  for (int k = 0; k < 20000; ++k) {
    const double scale = k % 2 == 0 ? 1.0 : std::pow(10.0, rng.uniform(-150.0, 150.0));
    const Values x = random_values(rng, 1 + rng.below(30), k % 5, scale);
    const double radius = scale * std::exp(2.0 * rng.normal());
    Values size(x), projected(x);
    for (double& value : size) value = std::abs(value);
    const double tau = sum_abs(x) > radius ? tau_by_sorting(size, radius) : 0.0;
    project_l1_ball(projected, radius);
    const double largest = *std::max_element(size.begin(), size.end());
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double expected = std::copysign(std::max(size[j] - tau, 0.0), x[j]);
      ASSERT_NEAR(projected[j], expected, 1e-13 * (largest + radius));
    }
    ASSERT_LE(sum_abs(projected), radius * (1 + 1e-14));
    Values simplex(x);
    project_simplex(simplex, radius);
    ASSERT_NEAR(sum_abs(simplex), radius, 1e-14 * radius);
    const double simplex_tau = tau_by_sorting(x, radius);
    for (std::size_t j = 0; j < x.size(); ++j) {
      ASSERT_NEAR(simplex[j], std::max(x[j] - simplex_tau, 0.0), 1e-13 * (largest + radius));
    }
    Values nonneg(x);
    project_l1_ball_nonneg(nonneg, radius);
    ASSERT_LE(sum_abs(nonneg), radius * (1 + 1e-14));
    double positive = 0.0;
    for (const double value : x) positive += std::max(value, 0.0);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double expected = positive > radius ? simplex[j] : std::max(x[j], 0.0);
      ASSERT_NEAR(nonneg[j], expected, 1e-14 * (largest + radius));
    }
  }
}

TEST(L1Ball, WeightedThresholdSolvesItsEquation) {
  Rng rng = Rng::named(2, "l1 ball");
  for (int k = 0; k < 20000; ++k) {
    const Values x = random_values(rng, 1 + rng.below(20), k % 5, 1.0);
    Values d(x.size());
    for (double& value : d) value = rng.below(4) == 0 ? 0.0 : std::exp(3.0 * rng.normal());
    if (*std::max_element(d.begin(), d.end()) == 0.0) d[0] = 1.0;
    const double radius = std::exp(2.0 * rng.normal());
    const L1Threshold found = l1_threshold(x, d, radius);
    double filled = 0.0;
    double covered = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      filled += d[j] * std::max(found.depth - (found.largest - x[j]), 0.0);
      if (found.depth > found.largest - x[j]) covered += d[j] * found.depth;
    }
    ASSERT_NEAR(filled, radius, 1e-14 * covered);
  }
}

TEST(L1Ball, KeepsAPointInsideAndSurvivesATinyRadius) {
  Values inside{0.25, -0.5, 0.0};
  project_l1_ball(inside, 0.75);
  EXPECT_EQ(inside, (Values{0.25, -0.5, 0.0}));
  Values far{1e20, -1e20, 3.0};
  project_l1_ball(far, 1.0);
  EXPECT_EQ(far, (Values{0.5, -0.5, 0.0}));
  Values none{1.0, -2.0};
  project_l1_ball(none, 0.0);
  EXPECT_EQ(none, (Values{0.0, 0.0}));
  Values empty;
  project_l1_ball(empty, 1.0);
  project_l1_ball_nonneg(empty, 1.0);
}

TEST(L1Ball, RefusesWhatMakesNoSense) {
  Values nan{1.0, std::nan("")};
  EXPECT_THROW(project_l1_ball(nan, 1.0), Error);
  EXPECT_THROW(project_l1_ball_nonneg(nan, 1.0), Error);
  EXPECT_THROW(project_simplex(nan, 1.0), Error);
  Values fine{1.0, 2.0};
  EXPECT_THROW(project_l1_ball(fine, -1.0), Error);
  EXPECT_THROW(project_l1_ball(fine, std::nan("")), Error);
  Values empty;
  EXPECT_THROW(project_simplex(empty, 1.0), Error);
  EXPECT_THROW(l1_threshold(fine, Values{0.0, 0.0}, 1.0), Error);
  EXPECT_THROW(l1_threshold(fine, Values{-1.0, 1.0}, 1.0), Error);
  EXPECT_THROW(l1_threshold(fine, Values{1.0}, 1.0), Error);
}

// Sorted, reversed and constant inputs are where a bad choice of pivots would take quadratic time.
TEST(L1Ball, TakesLinearTimeOnSortedInputs) {
  const std::size_t n = 1000000;
  Values rising(n), falling(n), constant(n, 1.0);
  for (std::size_t j = 0; j < n; ++j) rising[j] = falling[n - 1 - j] = static_cast<double>(j);
  for (Values* x : {&rising, &falling, &constant}) {
    project_l1_ball(*x, 10.0);
    EXPECT_NEAR(sum_abs(*x), 10.0, 1e-9);
  }
}

}  // namespace
}  // namespace gingham
