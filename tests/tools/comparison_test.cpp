#include "gingham/tools/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gingham {
namespace {

bool are_equal(double reported, double recomputed, double floor = 0.0) {
  Comparison compare;
  compare.number("x", reported, recomputed, floor);
  return compare.result.passed();
}

TEST(Comparison, TakesRoundingForEqual) {
  EXPECT_TRUE(are_equal(1.0, 1.0 + 1e-12));
  EXPECT_FALSE(are_equal(1.0, 1.0 + 1e-6));
  EXPECT_TRUE(are_equal(0.0, 1e-12, 1e-10));
  EXPECT_FALSE(are_equal(0.0, 1e-12));
}

TEST(Comparison, WhatIsNotFiniteEqualsItselfAlone) {
  EXPECT_TRUE(are_equal(INFINITY, INFINITY));
  EXPECT_TRUE(are_equal(NAN, NAN));
  for (const double other : std::vector<double>{0.0, 1.0, -1e308, -INFINITY, NAN}) {
    EXPECT_FALSE(are_equal(other, INFINITY)) << other;
    EXPECT_FALSE(are_equal(INFINITY, other)) << other;
  }
  EXPECT_FALSE(are_equal(1.0, NAN));
  EXPECT_FALSE(are_equal(1.0, 2.0, NAN));
}

}  // namespace
}  // namespace gingham
