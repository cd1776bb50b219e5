#include "gingham/kernels/truncated_svd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/dense.hpp"

namespace gingham {
namespace {

using Dense = Eigen::MatrixXd;
using Map = Eigen::Map<const Eigen::VectorXd>;

LinearOperator operator_of(const Dense& a) {
  return {.rows = a.rows(),
          .cols = a.cols(),
          .apply =
              [&a](ConstVec x, Vec y) {
                Eigen::Map<Eigen::VectorXd>(y.data(), a.rows()) = a * Map(x.data(), a.cols());
              },
          .apply_transposed =
              [&a](ConstVec x, Vec y) {
                Eigen::Map<Eigen::VectorXd>(y.data(), a.cols()) =
                    a.transpose() * Map(x.data(), a.rows());
              }};
}

Dense dense(const Matrix& m) {
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(m.data(), m.rows(),
                                                                          m.cols());
}

Dense random_dense(Index rows, Index cols, Rng& rng) {
  return Dense::NullaryExpr(rows, cols, [&] { return rng.normal(); });
}

// Orthonormal columns, by Gram and Schmidt, twice.
Dense random_basis(Index rows, Index count, Rng& rng) {
  Dense basis = random_dense(rows, count, rng);
  for (Index i = 0; i < count; ++i) {
    for (Index t = 0; t < 2 * i; ++t) {
      basis.col(i) -= basis.col(t % i).dot(basis.col(i)) * basis.col(t % i);
    }
    basis.col(i).normalize();
  }
  return basis;
}

// A matrix with the given singular values and random singular vectors.
Dense with_values(Index rows, Index cols, const std::vector<double>& s, Rng& rng) {
  const Index count = static_cast<Index>(s.size());
  const Dense u = random_basis(rows, count, rng), v = random_basis(cols, count, rng);
  return u * Map(s.data(), count).asDiagonal() * v.transpose();
}

// Everything the header promises, on a matrix small enough for a full decomposition.
void check(const Dense& a, Index k, std::uint64_t seed, double tolerance = 1e-12) {
  const Svd svd = truncated_svd(operator_of(a), k, Rng::named(seed, "svd"), tolerance);
  ASSERT_TRUE(svd.converged);
  const Dense u = dense(svd.u), v = dense(svd.v);
  ASSERT_EQ(u.rows(), a.rows());
  ASSERT_EQ(v.rows(), a.cols());
  ASSERT_EQ(u.cols(), k);
  ASSERT_EQ(v.cols(), k);
  const double scale = a.cwiseAbs().maxCoeff();
  const Dense scaled = scale > 0.0 ? Dense(a / scale) : a;
  const Eigen::VectorXd expected = testing::dense_singular_values(scaled);
  const double s1 = expected(0);
  for (Index i = 0; i < k; ++i) {
    const double s = scale > 0.0 ? svd.s[i] / scale : svd.s[i];
    ASSERT_NEAR(s, expected(i), 1e-11 * s1) << "value " << i;
    ASSERT_LE((scaled * v.col(i) - s * u.col(i)).norm(), 2 * tolerance * s1) << i;
    ASSERT_LE((scaled.transpose() * u.col(i) - s * v.col(i)).norm(), 2 * tolerance * s1) << i;
    Index where = 0;
    v.col(i).cwiseAbs().maxCoeff(&where);
    ASSERT_GT(v(where, i), 0.0);
    ASSERT_LE(svd.s[i], svd.s[std::max<Index>(i, 1) - 1]);
  }
  ASSERT_LE((u.transpose() * u - Dense::Identity(k, k)).norm(), 1e-12);
  ASSERT_LE((v.transpose() * v - Dense::Identity(k, k)).norm(), 1e-12);
}

TEST(TruncatedSvd, AgreesWithAFullDecomposition) {
  Rng rng = Rng::named(1, "shapes");
  for (std::uint64_t trial = 0; trial < 150; ++trial) {
    const Index rows = 1 + rng.below(60), cols = 1 + rng.below(60);
    check(random_dense(rows, cols, rng), 1 + rng.below(std::min(rows, cols)), trial);
  }
}

TEST(TruncatedSvd, RestartsOnLargerMatrices) {
  Rng rng = Rng::named(2, "larger");
  for (const Index k : {1, 2, 5, 10}) {
    std::vector<double> s;
    for (int i = 0; i < 150; ++i) s.push_back(std::pow(0.93, i));
    check(with_values(200, 150, s, rng), k, 3);
    check(with_values(150, 200, s, rng), k, 4);
  }
  check(random_dense(300, 200, rng), 3, 5);  // no gaps: many cycles
}

TEST(TruncatedSvd, FindsRepeatedValuesAsOftenAsTheyOccur) {
  Rng rng = Rng::named(3, "repeated");
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    std::vector<double> s{5, 5, 5, 3, 3};
    for (int i = 0; i < 95; ++i) s.push_back(2.0 - 0.02 * i);
    const Dense a = with_values(130, 110, s, rng);
    for (const Index k : {2, 3, 4, 5, 6}) check(a, k, trial);
  }
  check(Dense::Identity(90, 90), 4, 1);
  check(Dense::Identity(5, 9), 5, 1);
}

TEST(TruncatedSvd, FindsAllComponentsOfABlockDiagonalMatrix) {
  Dense a = Dense::Zero(160, 120);
  for (Index b = 0; b < 4; ++b) a.block(40 * b, 30 * b, 40, 30).setConstant(1.0);
  check(a, 4, 1);
  check(a, 7, 1);
}

TEST(TruncatedSvd, CompletesABasisWhereTheRankIsTooSmall) {
  Rng rng = Rng::named(5, "rank");
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const Index rank = rng.below(4), rows = 5 + rng.below(90), cols = 5 + rng.below(90);
    std::vector<double> s;
    for (Index i = 0; i < rank; ++i) s.push_back(1.0 + static_cast<double>(i));
    check(with_values(rows, cols, s, rng), 5, trial);
  }
}

TEST(TruncatedSvd, CopesWithTheSmallestShapes) {
  check(Dense::Constant(1, 1, -3.0), 1, 1);
  check(Dense::Zero(1, 1), 1, 1);
  check(Dense::Zero(7, 4), 4, 1);
  check(Dense::Zero(200, 300), 3, 1);
  Rng rng = Rng::named(6, "thin");
  for (const Index n : {2, 3, 100}) {
    check(random_dense(1, n, rng), 1, 1);
    check(random_dense(n, 1, rng), 1, 1);
    check(random_dense(n, 2, rng), 2, 1);
  }
  const Dense empty(0, 5);
  const Svd none = truncated_svd(operator_of(empty), 0, Rng(), 1e-12);
  EXPECT_TRUE(none.converged);
  EXPECT_EQ(none.v.rows(), 5);
}

TEST(TruncatedSvd, FindsARankOneMatrixExactly) {
  Rng rng = Rng::named(7, "one");
  for (const Index n : {3, 50, 400}) {
    const Dense a = random_dense(n, 1, rng) * random_dense(1, n + 7, rng);
    check(a, 1, 1);
    check(a, 3, 2);
  }
}

TEST(TruncatedSvd, DoesNotDependOnTheScale) {
  Rng rng = Rng::named(8, "scale");
  const Dense a = random_dense(120, 80, rng);
  const Svd plain = truncated_svd(operator_of(a), 4, Rng::named(1, "x"));
  for (const int exponent : {-500, 500}) {  // about 1e-150 and 1e150
    const double factor = std::ldexp(1.0, exponent);
    const Dense b = a * factor;
    const Svd scaled = truncated_svd(operator_of(b), 4, Rng::named(1, "x"));
    for (Index i = 0; i < 4; ++i) EXPECT_EQ(scaled.s[i], plain.s[i] * factor);
    EXPECT_TRUE(std::ranges::equal(scaled.u.values(), plain.u.values()));
    EXPECT_TRUE(std::ranges::equal(scaled.v.values(), plain.v.values()));
  }
  check(a * 1e-150, 3, 1);
  check(a * 1e150, 3, 1);
}

TEST(TruncatedSvd, WorksOnADeflatedOperator) {
  Rng rng = Rng::named(9, "deflated");
  const Dense a = random_dense(90, 70, rng);
  const Svd first = truncated_svd(operator_of(a), 2, Rng::named(1, "x"));
  const Dense u = dense(first.u), v = dense(first.v);
  const Eigen::VectorXd s = Map(first.s.data(), 2);
  const LinearOperator rest{.rows = a.rows(),
                            .cols = a.cols(),
                            .apply =
                                [&](ConstVec x, Vec y) {
                                  const Map in(x.data(), a.cols());
                                  Eigen::Map<Eigen::VectorXd>(y.data(), a.rows()) =
                                      a * in - u * (s.asDiagonal() * (v.transpose() * in));
                                },
                            .apply_transposed =
                                [&](ConstVec x, Vec y) {
                                  const Map in(x.data(), a.rows());
                                  Eigen::Map<Eigen::VectorXd>(y.data(), a.cols()) =
                                      a.transpose() * in -
                                      v * (s.asDiagonal() * (u.transpose() * in));
                                }};
  const Svd next = truncated_svd(rest, 3, Rng::named(1, "y"));
  const Eigen::VectorXd expected = testing::dense_singular_values(a);
  EXPECT_TRUE(next.converged);
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(next.s[i], expected(i + 2), 1e-11 * expected(0));
}

TEST(TruncatedSvd, AnswersAnUnreachableToleranceHonestly) {
  Rng rng = Rng::named(10, "noise");
  const Dense a = random_dense(150, 120, rng);
  Rng noise = Rng::named(11, "noise");
  LinearOperator noisy = operator_of(a);
  noisy.apply = [&](ConstVec x, Vec y) {
    Eigen::Map<Eigen::VectorXd>(y.data(), a.rows()) = a * Map(x.data(), a.cols());
    for (double& value : y) value += 1e-9 * noise.normal();
  };
  const Svd svd = truncated_svd(noisy, 2, Rng::named(1, "x"));
  const Eigen::VectorXd expected = testing::dense_singular_values(a);
  for (Index i = 0; i < 2; ++i) EXPECT_NEAR(svd.s[i], expected(i), 1e-6);
}

TEST(TruncatedSvd, IsTheSameEveryTime) {
  Rng rng = Rng::named(12, "same");
  const Dense a = random_dense(100, 60, rng);
  const Svd one = truncated_svd(operator_of(a), 5, Rng::named(1, "x"));
  const Svd two = truncated_svd(operator_of(a), 5, Rng::named(1, "x"));
  EXPECT_TRUE(std::ranges::equal(one.u.values(), two.u.values()));
  EXPECT_EQ(one.s, two.s);
}

TEST(TruncatedSvd, RefusesWhatMakesNoSense) {
  const Dense a = Dense::Ones(3, 4);
  EXPECT_THROW(truncated_svd(operator_of(a), 4, Rng()), Error);
  EXPECT_THROW(truncated_svd(operator_of(a), -1, Rng()), Error);
  const Dense bad = Dense::Constant(3, 4, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(truncated_svd(operator_of(bad), 1, Rng()), Error);
}

}  // namespace
}  // namespace gingham
