// Projections onto the part of a ball with z >= 0, by their optimality conditions.
#include "gingham/penalties/members/ball.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

using Values = std::vector<double>;
using Real = long double;

// d (z - p) + mu z = 0 with one mu >= 0, which is 0 inside.
void expect_projection(const Values& point, const Values& d, double radius, const Values& z,
                       double length) {
  Real squares = 0, top = 0, bottom = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    squares += static_cast<Real>(z[j] / radius) * (z[j] / radius);
    ASSERT_GE(z[j], 0.0);
    if (d[j] == 0.0 || point[j] <= 0.0) {
      ASSERT_EQ(z[j], 0.0);
      continue;
    }
    top += static_cast<Real>(d[j]) * (static_cast<Real>(point[j]) - z[j]) * (z[j] / radius);
    bottom += static_cast<Real>(z[j]) * (z[j] / radius);
  }
  const Real norm = std::sqrt(squares);
  ASSERT_NEAR(length / radius, static_cast<double>(norm), 1e-14);
  ASSERT_LE(norm, 1 + 1e-15L);
  const Real mu = norm < 1 - 1e-13L ? 0 : top / bottom;
  ASSERT_GE(mu, -1e-13L);
  Real size = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    size = std::max(size, static_cast<Real>(d[j]) * std::max(point[j], 0.0));
  }
  for (std::size_t j = 0; j < z.size(); ++j) {
    if (d[j] == 0.0 || point[j] <= 0.0) continue;
    const Real off = static_cast<Real>(d[j]) * (static_cast<Real>(z[j]) - point[j]) + mu * z[j];
    ASSERT_LE(std::fabs(off), 1e-13L * size) << j;
  }
}

TEST(NonnegBall, ProjectionsMeetTheOptimalityConditions) {
  Rng rng = Rng::named(1, "ball");
  for (int trial = 0; trial < 20000; ++trial) {
    const std::size_t n = static_cast<std::size_t>(1 + rng.below(20));
    const double scale = trial % 2 == 0 ? 1.0 : std::pow(10.0, rng.uniform(-100.0, 100.0));
    const double unit = trial % 4 < 2 ? 1.0 : std::pow(10.0, rng.uniform(-100.0, 100.0));
    Values point(n), d(n, unit), ones(n, 1.0);
    for (std::size_t j = 0; j < n; ++j) {
      point[j] = scale * (trial % 5 == 0 ? static_cast<double>(rng.below(3)) : rng.normal());
      if (trial % 3 > 0) d[j] *= std::exp((trial % 3 == 1 ? 1.0 : 8.0) * rng.normal());
      if (trial % 7 == 0 && rng.below(3) == 0) d[j] = 0.0;
    }
    const double radius = scale * std::exp((trial % 6 == 0 ? 10.0 : 2.0) * rng.normal());
    Values z = point;
    const double weighted = project_nonneg_ball_weighted(z, d, radius);
    ASSERT_NO_FATAL_FAILURE(expect_projection(point, d, radius, z, weighted)) << trial;
    z = point;
    const double plain = project_nonneg_ball(z, radius);
    ASSERT_NO_FATAL_FAILURE(expect_projection(point, ones, radius, z, plain)) << trial;
  }
}

TEST(NonnegBall, HandlesTheEdges) {
  Values z{3.0, -5.0, 4.0};
  EXPECT_EQ(project_nonneg_ball(z, 1.0), 1.0);
  EXPECT_NEAR(z[0], 0.6, 1e-15);
  EXPECT_EQ(z[1], 0.0);
  Values negative{-1.0, -2.0};
  EXPECT_EQ(project_nonneg_ball(negative, 1.0), 0.0);
  EXPECT_EQ(negative, (Values{0.0, 0.0}));
  Values huge{1e308, 1e308, 1e308, 1e308};
  project_nonneg_ball(huge, 1.0);
  EXPECT_NEAR(huge[3], 0.5, 1e-15);
  Values bad{std::nan("")}, one{1.0};
  EXPECT_THROW(project_nonneg_ball(bad, 1.0), Error);
  EXPECT_THROW(project_nonneg_ball_weighted(bad, one, 1.0), Error);
  EXPECT_THROW(project_nonneg_ball_weighted(one, bad, 1.0), Error);
  Values empty;
  EXPECT_EQ(project_nonneg_ball_weighted(empty, empty, 1.0), 0.0);
}

}  // namespace
}  // namespace gingham
