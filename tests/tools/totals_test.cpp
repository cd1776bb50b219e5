#include "gingham/tools/totals.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gingham {
namespace {

TEST(Totals, WhatIsExplainedIsTheModelsAndNotTheSumOfShares) {
  std::vector<Result> results(2);
  results[0].model.components = {{1.0, 0.7}, {1.0, 0.6}};
  results[0].model.explained = 0.9;
  results[1].model.explained = 0.5;
  EXPECT_EQ(totals_of(std::span(results).first(1)).explained, 0.9);
  EXPECT_NEAR(totals_of(results).explained, 0.7, 1e-15);
  results[1].model.explained = std::nan("");
  EXPECT_TRUE(std::isnan(totals_of(results).explained));
}

}  // namespace
}  // namespace gingham
