#include "gingham/engine/terms.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gingham {
namespace {

TEST(Terms, TheGapIsTheLargestAndNaNIfOneIsOrNoneWasMeasured) {
  Terms terms;
  EXPECT_TRUE(std::isnan(terms.gap()));
  EXPECT_TRUE(std::isnan(terms.moved));
  terms.gaps = {{"a", 0.1}, {"b", 0.3}, {"c", 0.2}};
  EXPECT_EQ(terms.gap(), 0.3);
  for (std::size_t k = 0; k < 3; ++k) {
    Terms bad = terms;
    bad.gaps[k].value = std::nan("");
    EXPECT_TRUE(std::isnan(bad.gap())) << k;
  }
  terms.loss = 1;
  terms.penalties = {{"p", 2}, {"q", 4}};
  EXPECT_EQ(terms.objective(), 7);
}

}  // namespace
}  // namespace gingham
