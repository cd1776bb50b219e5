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

double filled(const Values& x, const L1Threshold& found) {
  double sum = 0.0;
  for (const double one : x) sum += std::max(found.depth - (found.largest - one), 0.0);
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
    const L1Threshold found = l1_threshold(x, radius);
    const double largest = *std::max_element(x.begin(), x.end()), tau = tau_by_sorting(x, radius);
    ASSERT_EQ(found.largest, largest);
    ASSERT_NEAR(found.tau(), tau, 1e-13 * (std::abs(largest) + radius));
    ASSERT_NEAR(filled(x, found), radius, 1e-14 * radius);
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
    double sum = 0.0;
    double covered = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum += d[j] * std::max(found.depth - (found.largest - x[j]), 0.0);
      if (found.depth > found.largest - x[j]) covered += d[j] * found.depth;
    }
    ASSERT_NEAR(sum, radius, 1e-14 * covered);
  }
}

TEST(L1Ball, SurvivesATinyRadius) {
  const Values far{1e20, 1e20, 3.0}, two{1.0, 2.0};
  EXPECT_EQ(l1_threshold(far, 1.0).depth, 0.5);
  EXPECT_EQ(l1_threshold(two, 0.0).depth, 0.0);
}

TEST(L1Ball, RefusesWhatMakesNoSense) {
  Values nan{1.0, std::nan("")};
  EXPECT_THROW(l1_threshold(nan, 1.0), Error);
  Values fine{1.0, 2.0};
  EXPECT_THROW(l1_threshold(fine, -1.0), Error);
  EXPECT_THROW(l1_threshold(fine, std::nan("")), Error);
  EXPECT_THROW(l1_threshold(Values{}, 1.0), Error);
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
    EXPECT_NEAR(filled(*x, l1_threshold(*x, 10.0)), 10.0, 1e-9);
  }
}

}  // namespace
}  // namespace gingham
