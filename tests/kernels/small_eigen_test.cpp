#include "gingham/kernels/small_eigen.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

Matrix random(Index rows, Index columns, Rng& rng) {
  Matrix x(rows, columns);
  for (double& value : x.values()) value = rng.normal();
  return x;
}

Matrix product(const Matrix& a, const Matrix& b, bool transpose_b) {
  Matrix c(a.rows(), transpose_b ? b.rows() : b.cols());
  for (Index i = 0; i < c.rows(); ++i) {
    for (Index j = 0; j < c.cols(); ++j) {
      for (Index k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * (transpose_b ? b(j, k) : b(k, j));
    }
  }
  return c;
}

// Columns are orthonormal, and A v = theta v for falling theta.
void expect_eigenvectors(const Matrix& a, const Matrix& v, const std::vector<double>& values) {
  const Matrix av = product(a, v, false);
  double last = INFINITY;
  for (Index k = 0; k < v.cols(); ++k) {
    double theta = 0.0;
    for (Index i = 0; i < v.rows(); ++i) theta += v(i, k) * av(i, k);
    EXPECT_LE(theta, last + 1e-10);
    last = theta;
    EXPECT_NEAR(values[static_cast<std::size_t>(k)], theta, 1e-10);
    for (Index i = 0; i < v.rows(); ++i) EXPECT_NEAR(av(i, k), theta * v(i, k), 1e-10);
    for (Index l = 0; l <= k; ++l) {
      double inner = 0.0;
      for (Index i = 0; i < v.rows(); ++i) inner += v(i, k) * v(i, l);
      EXPECT_NEAR(inner, k == l ? 1.0 : 0.0, 1e-12);
    }
  }
}

TEST(SmallEigen, AllPairsOfRandomMatrices) {
  Rng rng = Rng::named(1, "small eigen");
  for (const Index n : {1, 2, 5, 12}) {
    const Matrix x = random(n, n, rng);
    const SmallEigen found = small_eigenpairs(x);
    Matrix symmetric(n, n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) symmetric(i, j) = 0.5 * (x(i, j) + x(j, i));
    }
    ASSERT_EQ(std::ssize(found.values), n);
    expect_eigenvectors(symmetric, found.vectors, found.values);
  }
  EXPECT_EQ(small_eigenpairs(Matrix(0, 0)).values.size(), 0U);
}

TEST(SmallEigen, LeadingVectorsOfASymmetricProduct) {
  Rng rng = Rng::named(2, "small eigen");
  const Matrix a = random(14, 3, rng), b = random(14, 3, rng);
  Matrix both(14, 6), s(14, 14);
  const Matrix ab = product(a, b, true);
  for (Index i = 0; i < 14; ++i) {
    for (Index j = 0; j < 3; ++j) {
      both(i, j) = a(i, j);
      both(i, 3 + j) = b(i, j);
    }
    for (Index j = 0; j < 14; ++j) s(i, j) = 0.5 * (ab(i, j) + ab(j, i));
  }
  const SmallEigen whole = small_eigenpairs(s);
  const Matrix found = low_rank_eigenvectors(both, 2);
  ASSERT_EQ(found.cols(), 2);
  const std::vector<double> leading(whole.values.begin(), whole.values.begin() + 2);
  expect_eigenvectors(s, found, leading);
  EXPECT_EQ(low_rank_eigenvectors(both, 6).rows(), 0);  // three of six values are negative
}

}  // namespace
}  // namespace gingham
