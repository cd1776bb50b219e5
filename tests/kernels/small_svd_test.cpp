#include "gingham/kernels/small_svd.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

double row_dot(const Matrix& a, Index i, const Matrix& b, Index j) {
  double sum = 0;
  for (Index t = 0; t < a.cols(); ++t) sum += a(i, t) * b(j, t);
  return sum;
}

// B = P S Q^T entry by entry, P and Q orthonormal, S falling: that is all there is to a
// decomposition.
void check(const Matrix& transposed) {
  const SmallSvd svd = small_svd(transposed);
  const Index n = transposed.rows();
  double size = 0;
  for (const double x : transposed.values()) size = std::max(size, std::abs(x));
  for (Index i = 0; i < n; ++i) {
    if (i > 0) {
      ASSERT_LE(svd.s[i], svd.s[i - 1]);
    }
    ASSERT_GE(svd.s[i], 0.0);
    for (Index j = 0; j < n; ++j) {
      ASSERT_NEAR(row_dot(svd.p, i, svd.p, j), i == j, 1e-13);
      ASSERT_NEAR(row_dot(svd.q, i, svd.q, j), i == j, 1e-13);
      double entry = 0;
      for (Index t = 0; t < n; ++t) entry += svd.p(t, i) * svd.s[t] * svd.q(t, j);
      ASSERT_NEAR(entry, transposed(j, i), 1e-14 * size * static_cast<double>(n));
    }
  }
}

TEST(SmallSvd, PutsTheMatrixTogetherAgain) {
  Rng rng = Rng::named(1, "small");
  for (int trial = 0; trial < 100; ++trial) {
    const Index n = 1 + rng.below(30);
    Matrix b(n, n);
    for (double& x : b.values()) x = rng.normal();
    check(b);
    for (double& x : b.values()) x = rng.below(3) == 0 ? rng.normal() : 0.0;  // often singular
    check(b);
    for (Index i = 0; i < b.rows(); ++i) {
      for (Index j = 0; j < i; ++j) b(j, i) = 0.0;
    }
    check(b);
  }
}

TEST(SmallSvd, CopesWithZerosAndRepeatedValues) {
  check(Matrix(0, 0));
  check(Matrix(5, 5));
  Matrix b(6, 6);
  for (Index i = 0; i < 6; ++i) b(i, i) = -2.0;
  check(b);
  b(3, 3) = 0.0;
  check(b);
  for (double& x : b.values()) x = 1.0;  // rank one
  check(b);
}

TEST(SmallSvd, KeepsTheDigitsOfSmallValues) {
  Matrix b(2, 2);  // columns (1, 0) and (1, 1e-12): the product of the values is the determinant
  b(0, 0) = 1.0;
  b(1, 0) = 1.0;
  b(1, 1) = 1e-12;
  const SmallSvd svd = small_svd(b);
  EXPECT_NEAR(svd.s[0] * svd.s[1], 1e-12, 1e-26);
}

}  // namespace
}  // namespace gingham
