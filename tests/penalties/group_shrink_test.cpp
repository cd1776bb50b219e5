#include "gingham/penalties/group_shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

using Values = std::vector<double>;
using Real = long double;

struct Case {
  Values point, curvature;
  double weight = 0.0;
};

// Ties, zeros, negative entries, curvature that is equal, spread or partly missing, weights from
// nothing to too much, any scale.
Case random_case(Rng& rng, int trial) {
  const std::size_t n = static_cast<std::size_t>(1 + rng.below(trial % 50 == 0 ? 300 : 20));
  const double scale = trial % 2 == 0 ? 1.0 : std::pow(10.0, rng.uniform(-100.0, 100.0));
  const double unit = trial % 4 < 2 ? 1.0 : std::pow(10.0, rng.uniform(-50.0, 50.0));
  Case made{Values(n), Values(n, unit)};
  Real size = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double x = rng.normal();
    if (trial % 5 == 1) x = static_cast<double>(rng.below(4)) - 1.0;
    if (trial % 5 == 2) x = std::exp(8.0 * rng.normal());
    if (trial % 5 == 3) x = 1.0;
    made.point[j] = scale * x;
    if (trial % 3 == 1) made.curvature[j] = unit * std::exp(3.0 * rng.normal());
    if (trial % 3 == 2 && rng.below(3) == 0) made.curvature[j] = 0.0;
    size = std::max(size, static_cast<Real>(made.curvature[j]) * std::fabs(made.point[j]));
  }
  made.weight = static_cast<double>(size) * std::exp(2.0 * rng.normal());
  if (rng.below(10) == 0) made.weight = 0.0;
  if (rng.below(20) == 0) made.weight = std::numeric_limits<double>::infinity();
  return made;
}

// Optimality by plain loops; z as found, length as returned.
void expect_l2(const Case& c, const Values& z, double length) {
  Real squares = 0, pull = 0, steepest = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    squares += static_cast<Real>(z[j]) * z[j];
    const Real own = static_cast<Real>(c.curvature[j]) * std::max(c.point[j], 0.0);
    pull += own * own;
    steepest = std::max(steepest, own);
  }
  const Real norm = std::sqrt(squares);
  ASSERT_NEAR(static_cast<double>(norm), length, 1e-13 * static_cast<double>(norm));
  if (norm == 0) {
    ASSERT_LE(std::sqrt(pull), c.weight * (1 + 1e-14L));
    return;
  }
  for (std::size_t j = 0; j < z.size(); ++j) {
    if (c.curvature[j] == 0.0 || c.point[j] <= 0.0) {
      ASSERT_EQ(z[j], 0.0);
      continue;
    }
    const Real gradient =
        static_cast<Real>(c.curvature[j]) * (static_cast<Real>(z[j]) - c.point[j]) +
        c.weight * (z[j] / norm);
    ASSERT_LE(std::fabs(gradient), 1e-13L * steepest) << j;
    ASSERT_GE(z[j], 0.0);
  }
}

void expect_linf(const Case& c, const Values& z, double tau) {
  Real pull = 0, covered = 0, removed = 0, lost = 0;
  double largest = 0.0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    const Real d = c.curvature[j];
    const double p = d > 0 ? std::max(c.point[j], 0.0) : 0.0;
    pull += d * p;
    removed += d * (static_cast<Real>(p) - z[j]);
    if (p > z[j]) covered += d * p;
    if (p == z[j] && z[j] == tau) lost += d * p;  // what is cut off may be too little to show
    ASSERT_EQ(z[j], std::min(p, tau)) << j;
    largest = std::max(largest, z[j]);
  }
  ASSERT_EQ(largest, tau);
  if (tau == 0.0) {
    ASSERT_LE(pull, c.weight * (1 + 1e-13L));
  } else {
    ASSERT_LE(std::fabs(removed - c.weight), 1e-13L * (covered + c.weight) + 1e-15L * lost);
  }
}

TEST(GroupShrink, MeetsTheOptimalityConditions) {
  Rng rng = Rng::named(1, "group shrink");
  for (int trial = 0; trial < 30000; ++trial) {
    const Case c = random_case(rng, trial);
    Values scratch(2 * c.point.size(), -7.0);
    Values z = c.point;
    const double length = shrink_l2_weighted(z, c.curvature, c.weight, scratch);
    ASSERT_NO_FATAL_FAILURE(expect_l2(c, z, length)) << trial;
    z = c.point;
    const double tau = shrink_linf_weighted(z, c.curvature, c.weight);
    ASSERT_NO_FATAL_FAILURE(expect_linf(c, z, tau)) << trial;
    Case plain = c;
    std::fill(plain.curvature.begin(), plain.curvature.end(), 1.0);
    plain.weight /= *std::max_element(c.curvature.begin(), c.curvature.end()) + 1e-300;
    z = c.point;
    const double plain_length = shrink_l2(z, plain.weight);
    ASSERT_NO_FATAL_FAILURE(expect_l2(plain, z, plain_length)) << trial;
    z = c.point;
    const double plain_tau = shrink_linf(z, plain.weight);
    ASSERT_NO_FATAL_FAILURE(expect_linf(plain, z, plain_tau)) << trial;
  }
}

// Curvature that grows faster than the gaps below the largest entry: the search for the cut takes
// them away one by one.
TEST(GroupShrink, FindsTheCutWhereItIsHardest) {
  for (const double weight : {1e-12, 1e-3, 1.0, 1e6}) {
    Case c{{1.0}, {1.0}, weight};
    for (int i = 0; i < 53; ++i) {
      c.point.push_back(1.0 - std::ldexp(1.0, i - 53));
      c.curvature.push_back(std::ldexp(1.0, 2 * i));
    }
    Values z = c.point;
    const double weighted = shrink_linf_weighted(z, c.curvature, weight);
    expect_linf(c, z, weighted);
    EXPECT_GT(weighted, 0.0);
    c.curvature.assign(c.point.size(), 1.0);
    z = c.point;
    const double plain = shrink_linf(z, weight);
    expect_linf(c, z, plain);
  }
}

TEST(GroupShrink, RefusesWhatIsNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), infinity}) {
    for (const std::size_t at : {0u, 9u}) {
      Values scratch(20), p(10, 1.0), ones(10, 1.0), d(10, 1.0);
      p[at] = d[at] = bad;
      Values z = p;
      EXPECT_THROW(shrink_l2(z, 1.0), Error);
      EXPECT_THROW(shrink_linf(z = p, 1.0), Error);
      EXPECT_THROW(shrink_l2_weighted(z = p, ones, 1.0, scratch), Error);
      EXPECT_THROW(shrink_linf_weighted(z = p, ones, 1.0), Error);
      EXPECT_THROW(shrink_l2_weighted(z = ones, d, 1.0, scratch), Error);
      EXPECT_THROW(shrink_linf_weighted(z = ones, d, 1.0), Error);
    }
  }
  Values empty, scratch;
  EXPECT_EQ(shrink_l2(empty, 1.0), 0.0);
  EXPECT_EQ(shrink_linf(empty, 0.0), 0.0);
  EXPECT_EQ(shrink_l2_weighted(empty, empty, 0.0, scratch), 0.0);
  EXPECT_EQ(shrink_linf_weighted(empty, empty, 0.0), 0.0);
}

}  // namespace
}  // namespace gingham
