// Leading eigenpairs against Eigen's dense solver.
#include "gingham/kernels/symmetric_eigen.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/kernels/products.hpp"
#include "support/dense.hpp"

namespace gingham {
namespace {

Matrix random_symmetric(Index n, Index rank, Rng& rng) {
  Matrix factor(n, rank), a(n, n);
  for (double& x : factor.values()) x = rng.normal();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      double sum = 0.0;
      for (Index r = 0; r < rank; ++r)
        sum += (r % 3 == 2 ? -1.0 : 1.0) * factor(i, r) * factor(j, r);
      a(i, j) = sum;
    }
  }
  return a;
}

SymmetricOperator as_operator(const Matrix& a, Executor& executor) {
  return {.n = a.rows(), .apply = [&](const Matrix& x, Matrix& y) { multiply(a, x, y, executor); }};
}

void expect_leading(const Matrix& a, Index k, const Matrix* start = nullptr) {
  ThreadPool pool(1);
  const Index n = a.rows();
  const Eigenpairs found =
      leading_eigenpairs(as_operator(a, pool), k, Rng::named(1, "eigen"), 1e-10, start);
  const testing::DenseEigenpairs wanted =
      testing::dense_eigenpairs(Eigen::Map<const Eigen::MatrixXd>(a.data(), n, n));
  const double norm = wanted.values.cwiseAbs().maxCoeff();
  EXPECT_TRUE(found.converged) << n << " " << k;
  ASSERT_EQ(static_cast<Index>(found.values.size()), k);
  for (Index i = 0; i < k; ++i) {
    EXPECT_NEAR(found.values[i], wanted.values(n - 1 - i), 1e-9 * norm) << i;
    double squares = 0.0, largest = 0.0;
    for (Index row = 0; row < n; ++row) {
      double product = 0.0;
      for (Index j = 0; j < n; ++j) product += a(row, j) * found.vectors(j, i);
      squares += std::pow(product - found.values[i] * found.vectors(row, i), 2);
      if (std::abs(found.vectors(row, i)) > std::abs(largest)) largest = found.vectors(row, i);
    }
    EXPECT_LE(std::sqrt(squares), 1e-9 * norm);
    EXPECT_GT(largest, 0.0);
    for (Index other = 0; other <= i; ++other) {
      double dot = 0.0;
      for (Index row = 0; row < n; ++row) dot += found.vectors(row, i) * found.vectors(row, other);
      EXPECT_NEAR(dot, other == i ? 1.0 : 0.0, 1e-11);
    }
  }
}

TEST(SymmetricEigen, AgreesWithADenseSolver) {
  Rng rng = Rng::named(2, "symmetric eigen");
  for (const Index n : {1, 2, 5, 40, 97, 150, 230}) {
    for (const Index rank : {1, 4, 60}) {
      const Matrix a = random_symmetric(n, rank, rng);
      for (const Index k : {1, 3, 10}) {
        if (k <= n) expect_leading(a, k);
      }
    }
  }
}

TEST(SymmetricEigen, TakesRepeatedValuesZeroAndTheIdentity) {
  Matrix zero(150, 150), identity(150, 150), twice(150, 150);
  for (Index i = 0; i < 150; ++i) {
    identity(i, i) = 1.0;
    twice(i, i) = i < 5 ? 2.0 : (i % 2 == 0 ? 0.5 : -3.0);
  }
  expect_leading(identity, 4);
  expect_leading(twice, 3);
  expect_leading(twice, 7);
  expect_leading(zero, 2);
}

TEST(SymmetricEigen, AStartChangesTheWayOnly) {
  Rng rng = Rng::named(3, "symmetric eigen");
  const Matrix a = random_symmetric(180, 50, rng);
  ThreadPool pool(1);
  const Eigen::MatrixXd vectors =
      testing::dense_eigenpairs(Eigen::Map<const Eigen::MatrixXd>(a.data(), 180, 180)).vectors;
  Matrix good(180, 3), wrong(180, 3), zeros(180, 3);
  for (Index i = 0; i < 180; ++i) {
    for (Index j = 0; j < 3; ++j) {
      good(i, j) = vectors(i, 179 - j);
      wrong(i, j) = vectors(i, 100 + j);  // eigenvectors, but not the leading ones
    }
  }
  expect_leading(a, 3, &good);
  expect_leading(a, 3, &wrong);
  expect_leading(a, 3, &zeros);
}

// Any k eigenvectors: the largest eigenvalue left out less the smallest taken.
TEST(SymmetricEigen, WhatAnExchangeGainsIsWhatWasLeftOut) {
  Rng rng = Rng::named(4, "symmetric eigen");
  ThreadPool pool(1);
  for (const Index n : {7, 60, 150}) {
    const Matrix a = random_symmetric(n, n / 2, rng);
    const testing::DenseEigenpairs all =
        testing::dense_eigenpairs(Eigen::Map<const Eigen::MatrixXd>(a.data(), n, n));
    for (const Index first : {Index{0}, Index{1}, n / 2, n - 3}) {  // from the largest
      Matrix u(n, 3), au;
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < 3; ++j) u(i, j) = all.vectors(i, n - 1 - first - j);
      }
      multiply(a, u, au, pool);
      const double left_out = first == 0 ? all.values(n - 4) : all.values(n - 1);
      const double expected = std::max(left_out - all.values(n - 3 - first), 0.0);
      EXPECT_NEAR(exchange_gain(as_operator(a, pool), u, au, Rng::named(5, "outside")), expected,
                  1e-9 * all.values.cwiseAbs().maxCoeff())
          << n << " " << first;
    }
  }
  Matrix whole(2, 2), negative(2, 2);
  whole(0, 0) = whole(1, 1) = 1.0;
  EXPECT_EQ(exchange_gain(as_operator(whole, pool), whole, whole, Rng()), 0.0);
  negative(0, 0) = -1.0;
  negative(1, 1) = -3.0;  // all that is outside is negative
  Matrix first(2, 1), product;
  first(0, 0) = 1.0;
  multiply(negative, first, product, pool);
  EXPECT_EQ(exchange_gain(as_operator(negative, pool), first, product, Rng()), 0.0);
}

TEST(SymmetricEigen, RefusesWhatCannotBe) {
  ThreadPool pool(1);
  Matrix a(3, 3);
  EXPECT_THROW(leading_eigenpairs(as_operator(a, pool), 4, Rng(), 1e-8), Error);
  EXPECT_EQ(leading_eigenpairs(as_operator(a, pool), 0, Rng(), 1e-8).vectors.cols(), 0);
  a(1, 1) = std::nan("");
  EXPECT_THROW(leading_eigenpairs(as_operator(a, pool), 1, Rng(), 1e-8), Error);
}

}  // namespace
}  // namespace gingham
