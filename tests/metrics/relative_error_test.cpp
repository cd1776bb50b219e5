#include "gingham/metrics/relative_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

TEST(RelativeSquaredError, IsTheRatioOfTheSums) {
  Rng rng = Rng::named(1, "error");
  for (const double scale : {1.0, 1e-150, 1e150, 1e-300}) {
    std::vector<double> truth(50), estimate(50);
    long double error = 0, size = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const double t = rng.normal(), e = t + 0.1 * rng.normal();
      truth[i] = scale * t;
      estimate[i] = scale * e;
      const long double x = truth[i], y = estimate[i];
      error += (y - x) * (y - x);
      size += x * x;
    }
    EXPECT_NEAR(relative_squared_error(estimate, truth), static_cast<double>(error / size), 1e-14);
  }
}

TEST(RelativeSquaredError, IsDefinedAtZero) {
  const std::vector<double> zero{0, 0}, one{1, 0};
  EXPECT_EQ(relative_squared_error(zero, zero), 0.0);
  EXPECT_EQ(relative_squared_error(one, zero), std::numeric_limits<double>::infinity());
  EXPECT_EQ(relative_squared_error(zero, one), 1.0);
  EXPECT_EQ(relative_squared_error(ConstVec{}, ConstVec{}), 0.0);
}

TEST(RelativeSquaredError, LeavesOutWhatIsMissing) {
  const double missing = std::nan("");
  const std::vector<double> truth{2, missing, 0}, estimate{1, 77, 0}, broken{missing, 1, 0};
  EXPECT_EQ(relative_squared_error(estimate, truth), 0.25);
  EXPECT_TRUE(std::isnan(relative_squared_error(broken, truth)));
  EXPECT_THROW(relative_squared_error(estimate, ConstVec{}), Error);
}

}  // namespace
}  // namespace gingham
