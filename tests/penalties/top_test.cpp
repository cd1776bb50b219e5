#include "gingham/penalties/members/top.hpp"

#include <gtest/gtest.h>

namespace gingham {
namespace {

// Gains are squares of b: their order is that of |b| also where they leave the range of numbers.
TEST(TopK, TheStrongestStayWhateverTheirSize) {
  for (const double unit : {1.0, 1e-200, 1e155, 1e300}) {
    const std::vector<double> b{unit, -4.0 * unit, 2.0 * unit, 3.0 * unit};
    std::vector<double> z(4);
    TopK(2).minimise(b, 1.0, z);
    EXPECT_EQ(z, (std::vector<double>{0.0, b[1], 0.0, b[3]})) << unit;
    TopK(2, {.low = 0.0}).minimise(b, 1.0, z);
    EXPECT_EQ(z, (std::vector<double>{0.0, 0.0, b[2], b[3]})) << unit;
  }
  // Large ones beside others that gain little, but something.
  const std::vector<double> b{1e-3, 1e160, -2.0, 1e-4};
  std::vector<double> z(4);
  TopK(3, {.l1 = 5e-4}).minimise(b, 1.0, z);
  EXPECT_EQ(z[1], 1e160);
  EXPECT_LT(z[2], 0.0);
  EXPECT_GT(z[0], 0.0);
  EXPECT_EQ(z[3], 0.0);
}

}  // namespace
}  // namespace gingham
