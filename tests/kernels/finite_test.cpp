#include "gingham/kernels/finite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace gingham {
namespace {

TEST(Finite, FindsEachEntryThatIsNot) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kMost = std::numeric_limits<double>::max();
  for (std::size_t n = 0; n < 40; ++n) {
    std::vector<double> x(n, kMost);
    EXPECT_TRUE(is_finite(x));
    EXPECT_TRUE(is_finite_nonnegative(x));
    for (std::size_t j = 0; j < n; ++j) {
      for (const double bad : {kInf, -kInf, std::nan("")}) {
        x[j] = bad;
        EXPECT_FALSE(is_finite(x)) << n << " " << j;
        EXPECT_FALSE(is_finite_nonnegative(x)) << n << " " << j;
      }
      x[j] = -kMost;
      EXPECT_TRUE(is_finite(x));
      EXPECT_FALSE(is_finite_nonnegative(x));
      x[j] = -0.0;
      EXPECT_TRUE(is_finite_nonnegative(x));
      x[j] = 1.0;
    }
  }
}

}  // namespace
}  // namespace gingham
