#include "gingham/kernels/vector_ops.hpp"

#include "kernels/support.hpp"

namespace gingham {
namespace {

using test::expect_sum;
using test::random_vector;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(VectorOps, SumsAgreeWithPlainLoops) {
  Rng rng = Rng::named(1, "vectors");
  for (const Index n : {0, 1, 2, 7, 8, 9, 31, 32, 33, 40, 63, 64, 100, 1001}) {
    const std::vector<double> x = random_vector(n, rng), y = random_vector(n, rng);
    long double product = 0, product_size = 0, plain = 0, absolute = 0, squares = 0;
    double largest = 0;
    for (Index i = 0; i < n; ++i) {
      const long double xi = x[i];
      product += xi * y[i];
      product_size += std::fabs(xi * y[i]);
      plain += xi;
      absolute += std::fabs(xi);
      squares += xi * xi;
      largest = std::max(largest, std::fabs(x[i]));
    }
    expect_sum(dot(x, y), product, product_size, n);
    expect_sum(sum(x), plain, absolute, n);
    expect_sum(sum_abs(x), absolute, absolute, n);
    expect_sum(sum_squares(x), squares, squares, n);
    expect_sum(norm2(x), std::sqrt(squares), std::sqrt(squares), n);
    EXPECT_EQ(max_abs(x), largest);
  }
}

TEST(VectorOps, NormHoldsAtAllScales) {
  Rng rng = Rng::named(2, "scales");
  for (const Index n : {1, 3, 8, 50, 333}) {
    const std::vector<double> x = random_vector(n, rng);
    for (const int exponent :
         {-1070, -1040, -1000, -600, -500, -450, -10, 0, 400, 500, 520, 900, 1010}) {
      std::vector<double> scaled = x;
      long double squares = 0;
      for (double& value : scaled) {
        value = std::ldexp(value, exponent);
        squares += static_cast<long double>(value) * value;
      }
      const double expected = static_cast<double>(std::sqrt(squares));
      EXPECT_NEAR(norm2(scaled), expected,
                  1e-14 * expected + std::numeric_limits<double>::denorm_min());
    }
  }
  EXPECT_DOUBLE_EQ(norm2(std::vector<double>{3e150, 4e150}), 5e150);
  EXPECT_DOUBLE_EQ(norm2(std::vector<double>{3e-150, 4e-150}), 5e-150);
  EXPECT_DOUBLE_EQ(norm2(std::vector<double>{3e-170, 4e-170}), 5e-170);
  EXPECT_DOUBLE_EQ(norm2(std::vector<double>{1e-200, 1.0}), 1.0);
}

TEST(VectorOps, SpecialValuesComeThrough) {
  const double nan = std::nan("");
  EXPECT_EQ(norm2({}), 0.0);
  EXPECT_EQ(norm2(std::vector<double>(20, 0.0)), 0.0);
  EXPECT_EQ(norm2(std::vector<double>{1.0, -kInfinity}), kInfinity);
  EXPECT_TRUE(std::isnan(norm2(std::vector<double>{1.0, nan, 1e200})));
  EXPECT_TRUE(std::isnan(norm2(std::vector<double>{nan})));
  EXPECT_TRUE(std::isnan(max_abs(std::vector<double>{1.0, nan, 2.0})));
  EXPECT_TRUE(std::isnan(sum_abs(std::vector<double>(9, nan))));
  EXPECT_EQ(sum_abs(std::vector<double>(9, -kInfinity)), kInfinity);
}

TEST(VectorOps, AxpyAndScaleAreElementwise) {
  Rng rng = Rng::named(3, "axpy");
  for (const Index n : {0, 1, 7, 8, 65}) {
    const std::vector<double> x = random_vector(n, rng), y = random_vector(n, rng);
    std::vector<double> z = y;
    axpy(0.3, x, z);
    for (Index i = 0; i < n; ++i) {
      expect_sum(z[i], y[i] + 0.3L * x[i], std::fabs(y[i]) + std::fabs(x[i]), 1);
    }
    scale(-2.0, z);
    std::vector<double> w = y;
    axpy(0.3, x, w);
    for (Index i = 0; i < n; ++i) EXPECT_EQ(z[i], -2.0 * w[i]);
  }
}

TEST(VectorOps, RefusesDifferentSizes) {
  std::vector<double> x(3), y(4);
  EXPECT_THROW(dot(x, y), Error);
  EXPECT_THROW(axpy(1.0, x, y), Error);
}

TEST(VectorOps, SquaredDistanceIsTheSumOfSquaredDifferences) {
  Rng rng = Rng::named(1, "distance");
  for (Index n = 0; n < 100; ++n) {
    std::vector<double> x(static_cast<std::size_t>(n)), y(x.size());
    long double expected = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = rng.normal();
      y[i] = rng.normal();
      expected += (static_cast<long double>(x[i]) - y[i]) * (static_cast<long double>(x[i]) - y[i]);
    }
    EXPECT_NEAR(squared_distance(x, y), static_cast<double>(expected),
                1e-13 * static_cast<double>(expected));
  }
}

}  // namespace
}  // namespace gingham
