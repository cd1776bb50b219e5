#include "gingham/kernels/block_lanczos.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/dense.hpp"
#include "support/shuffled_executor.hpp"

namespace gingham {
namespace {

using Dense = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;

Dense dense(const Matrix& m) { return Eigen::Map<const RowMajor>(m.data(), m.rows(), m.cols()); }

Matrix matrix(const Dense& a) {
  Matrix m(a.rows(), a.cols());
  Eigen::Map<RowMajor>(m.data(), a.rows(), a.cols()) = a;
  return m;
}

SquaredOperator operator_of(const Dense& a) {
  const bool is_wide = a.cols() > a.rows();
  const double size = a.size() > 0 ? a.cwiseAbs().maxCoeff() : 0.0;
  return {.rows = a.rows(),
          .cols = a.cols(),
          .size = size,
          .squared =
              [&a, is_wide](const Matrix& x, double factor, Matrix& y) {
                const Dense scaled = factor * a;
                y = matrix(is_wide ? Dense(scaled * (scaled.transpose() * dense(x)))
                                   : Dense(scaled.transpose() * (scaled * dense(x))));
              },
          .across =
              [&a, is_wide](const Matrix& x, Matrix& y) {
                y = matrix(is_wide ? Dense(a.transpose() * dense(x)) : Dense(a * dense(x)));
              }};
}

Dense random_dense(Index rows, Index cols, Rng& rng) {
  return Dense::NullaryExpr(rows, cols, [&] { return rng.normal(); });
}

// A matrix with the given singular values and random singular vectors.
Dense with_values(Index rows, Index cols, const std::vector<double>& s, Rng& rng) {
  const auto count = static_cast<Index>(s.size());
  const testing::DenseSvd some = testing::dense_svd(random_dense(rows, cols, rng));
  const Eigen::Map<const Eigen::VectorXd> values(s.data(), count);
  return some.u.leftCols(count) * values.asDiagonal() * some.v.leftCols(count).transpose();
}

// What the header promises, where the search has all the time it wants.
void check(const Dense& a, Index k, LanczosRules rules, std::uint64_t seed) {
  ThreadPool pool(1);
  const Svd svd = leading_triplets(operator_of(a), k, Rng::named(seed, "svd"), rules, pool);
  ASSERT_TRUE(svd.converged);
  const Dense u = dense(svd.u), v = dense(svd.v);
  ASSERT_EQ(u.rows(), a.rows());
  ASSERT_EQ(v.rows(), a.cols());
  const double scale = a.cwiseAbs().maxCoeff();
  const Dense scaled = scale > 0.0 ? Dense(a / scale) : a;
  const Eigen::VectorXd expected = testing::dense_singular_values(scaled);
  const double s1 = expected(0);
  for (Index i = 0; i < k; ++i) {
    if (!(expected(i) > 1e-6 * s1)) {
      ASSERT_LE(svd.s[i], 1e-6 * s1 * scale);
      continue;
    }
    const double s = svd.s[i] / scale;
    ASSERT_NEAR(s, expected(i), 1e-9 * s1) << "value " << i << " of " << k;
    ASSERT_LE((scaled * v.col(i) - s * u.col(i)).norm(), 1e-8 * s1) << i;
    ASSERT_LE((scaled.transpose() * u.col(i) - s * v.col(i)).norm(), 1e-8 * s1) << i;
    ASSERT_NEAR(u.col(i).norm(), 1.0, 1e-12);
    ASSERT_NEAR(v.col(i).norm(), 1.0, 1e-9);
    Index where = 0;
    v.col(i).cwiseAbs().maxCoeff(&where);
    ASSERT_GT(v(where, i), 0.0);
    for (Index j = 0; j < i; ++j) ASSERT_LE(std::abs(v.col(i).dot(v.col(j))), 1e-8);
  }
}

TEST(BlockLanczos, AgreesWithAFullDecomposition) {
  Rng rng = Rng::named(1, "shapes");
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const Index rows = 1 + rng.below(60), cols = 1 + rng.below(60);
    check(random_dense(rows, cols, rng), 1 + rng.below(std::min(rows, cols)),
          {.tolerance = 1e-9, .width = 1 + rng.below(12)}, trial);
  }
}

TEST(BlockLanczos, RestartsOnLargerMatrices) {
  Rng rng = Rng::named(2, "larger");
  std::vector<double> s;
  for (int i = 0; i < 150; ++i) s.push_back(std::pow(0.93, i));
  for (const Index k : {1, 2, 5}) {
    check(with_values(200, 150, s, rng), k, {.tolerance = 1e-9, .width = k + 3}, 3);
    check(with_values(150, 200, s, rng), k, {.tolerance = 1e-9, .width = k}, 4);
  }
}

TEST(BlockLanczos, FindsRepeatedValuesUpToTheWidth) {
  Rng rng = Rng::named(3, "repeated");
  std::vector<double> s{5, 5, 5, 3, 3};
  for (int i = 0; i < 95; ++i) s.push_back(2.0 - 0.02 * i);
  const Dense a = with_values(130, 110, s, rng);
  for (const Index k : {2, 3, 4, 5}) check(a, k, {.tolerance = 1e-9, .width = 6}, 1);
  check(Dense::Identity(90, 90), 4, {.tolerance = 1e-9, .width = 4}, 1);
  check(Dense::Identity(5, 9), 5, {.tolerance = 1e-9, .width = 1}, 1);
}

TEST(BlockLanczos, GivesZerosBeyondTheRank) {
  Rng rng = Rng::named(5, "rank");
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const Index rank = rng.below(4), rows = 5 + rng.below(200), cols = 5 + rng.below(200);
    std::vector<double> s;
    for (Index i = 0; i < rank; ++i) s.push_back(4.0 - static_cast<double>(i));
    const Dense a = with_values(rows, cols, s, rng);
    check(a, 5, {.tolerance = 1e-9, .width = 6}, trial);
    ThreadPool pool(1);
    const Svd svd =
        leading_triplets(operator_of(a), 5, Rng(), {.tolerance = 1e-9, .width = 6}, pool);
    for (Index i = rank; i < 5; ++i) {
      ASSERT_EQ(svd.s[i], 0.0);
      ASSERT_TRUE(dense(svd.u).col(i).isZero(0.0));
      ASSERT_TRUE(dense(svd.v).col(i).isZero(0.0));
    }
  }
}

TEST(BlockLanczos, CopesWithTheSmallestShapes) {
  check(Dense::Constant(1, 1, -3.0), 1, {.tolerance = 1e-9}, 1);
  check(Dense::Zero(7, 4), 4, {.tolerance = 1e-9, .width = 3}, 1);
  Rng rng = Rng::named(6, "thin");
  for (const Index n : {2, 3, 100}) {
    check(random_dense(1, n, rng), 1, {.tolerance = 1e-9, .width = 4}, 1);
    check(random_dense(n, 1, rng), 1, {.tolerance = 1e-9, .width = 4}, 1);
    check(random_dense(n, 2, rng), 2, {.tolerance = 1e-9, .width = 1}, 1);
  }
  ThreadPool pool(1);
  const Dense empty(0, 5);
  EXPECT_TRUE(leading_triplets(operator_of(empty), 0, Rng(), {}, pool).converged);
}

TEST(BlockLanczos, DoesNotDependOnTheScale) {
  Rng rng = Rng::named(8, "scale");
  const Dense a = random_dense(70, 90, rng);
  ThreadPool pool(1);
  const LanczosRules rules{.tolerance = 1e-9, .width = 5};
  const Svd plain = leading_triplets(operator_of(a), 4, Rng::named(1, "x"), rules, pool);
  for (const int exponent : {-600, -40, 40, 600}) {
    const Dense b = a * std::ldexp(1.0, exponent);
    const Svd scaled = leading_triplets(operator_of(b), 4, Rng::named(1, "x"), rules, pool);
    for (Index i = 0; i < 4; ++i) EXPECT_EQ(scaled.s[i], std::ldexp(plain.s[i], exponent));
    EXPECT_TRUE(std::ranges::equal(scaled.v.values(), plain.v.values()));
  }
}

// Each product is used for as much as it can be: the leading value is never below what power
// steps from the same panel would reach, and a budget is kept.
TEST(BlockLanczos, StopsWhenTheProductsAreUsed) {
  Rng rng = Rng::named(9, "budget");
  const Dense a = random_dense(400, 300, rng);
  Index products = 0;
  SquaredOperator counted = operator_of(a);
  counted.squared = [&, plain = counted.squared](const Matrix& x, double factor, Matrix& y) {
    ++products;
    plain(x, factor, y);
  };
  ThreadPool pool(1);
  double before = 0.0;
  for (const Index most : {1, 2, 3, 5, 8, 20}) {
    products = 0;
    const Svd svd = leading_triplets(counted, 2, Rng::named(1, "x"),
                                     {.tolerance = 1e-12, .width = 4, .most = most}, pool);
    EXPECT_EQ(products, most);
    EXPECT_FALSE(svd.converged);
    EXPECT_GE(svd.s[0], before * (1.0 - 1e-9));
    before = svd.s[0];
  }
  EXPECT_GT(before, 0.95 * testing::dense_singular_values(a)(0));
}

TEST(BlockLanczos, BeginsFromGivenVectors) {
  Rng rng = Rng::named(10, "start");
  std::vector<double> s;
  for (int i = 0; i < 200; ++i) s.push_back(1.0 / (1.0 + 0.05 * i));
  const Dense a = with_values(300, 220, s, rng);
  ThreadPool pool(1);
  const LanczosRules exact{.tolerance = 1e-10, .width = 6};
  const Svd found = leading_triplets(operator_of(a), 3, Rng::named(1, "x"), exact, pool);
  const Svd again = leading_triplets(operator_of(a), 3, Rng::named(1, "x"),
                                     {.tolerance = 1e-8, .width = 6, .most = 1}, pool, &found.v);
  EXPECT_TRUE(again.converged);
  const Matrix nothing(220, 3);  // replaced
  const Svd other = leading_triplets(operator_of(a), 3, Rng::named(1, "x"), exact, pool, &nothing);
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(other.s[i], found.s[i], 1e-10);
}

TEST(BlockLanczos, JudgesOnlyTheTripletsItIsAskedTo) {
  Rng rng = Rng::named(12, "judged");
  std::vector<double> s{10.0};
  for (int i = 0; i < 200; ++i) s.push_back(1.0 - 1e-4 * i);
  const Dense a = with_values(300, 220, s, rng);
  ThreadPool pool(1);
  const LanczosRules rules{.tolerance = 1e-6, .width = 4, .most = 12, .judged = 1};
  const Svd svd = leading_triplets(operator_of(a), 4, Rng::named(1, "x"), rules, pool);
  EXPECT_TRUE(svd.converged);
  EXPECT_NEAR(svd.s[0], 10.0, 1e-6);
}

TEST(BlockLanczos, LeavesOutTheOtherSideWhereNobodyAsks) {
  Rng rng = Rng::named(13, "one side");
  const Dense a = random_dense(30, 200, rng);
  ThreadPool pool(1);
  const LanczosRules rules{.tolerance = 1e-10, .width = 4};
  const Svd both = leading_triplets(operator_of(a), 3, Rng::named(1, "x"), rules, pool);
  SquaredOperator own = operator_of(a);
  own.across = nullptr;
  const Svd one = leading_triplets(own, 3, Rng::named(1, "x"), rules, pool);
  EXPECT_EQ(one.v.size(), 0);
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(one.s[i], both.s[i], 1e-12 * both.s[0]);
    EXPECT_NEAR(std::abs(dense(one.u).col(i).dot(dense(both.u).col(i))), 1.0, 1e-12);
    Index where = 0;
    dense(one.u).col(i).cwiseAbs().maxCoeff(&where);
    EXPECT_GT(one.u(where, i), 0.0);
  }
}

TEST(BlockLanczos, GivesTheSameBitsForAnyExecutor) {
  Rng rng = Rng::named(11, "bits");
  const Dense a = random_dense(5000, 40, rng);
  ThreadPool one(1), three(3);
  testing::ShuffledExecutor shuffled(1);
  const LanczosRules rules{.tolerance = 1e-6, .width = 8, .most = 6};
  const Svd first = leading_triplets(operator_of(a), 3, Rng::named(1, "x"), rules, one);
  for (Executor* executor : {static_cast<Executor*>(&three), static_cast<Executor*>(&shuffled)}) {
    const Svd other = leading_triplets(operator_of(a), 3, Rng::named(1, "x"), rules, *executor);
    EXPECT_EQ(first.s, other.s);
    EXPECT_TRUE(std::ranges::equal(first.u.values(), other.u.values()));
    EXPECT_TRUE(std::ranges::equal(first.v.values(), other.v.values()));
  }
}

TEST(BlockLanczos, RefusesWhatIsNotPossible) {
  const Dense a = Dense::Ones(3, 4);
  ThreadPool pool(1);
  EXPECT_THROW(leading_triplets(operator_of(a), 4, Rng(), {}, pool), Error);
  EXPECT_THROW(leading_triplets(operator_of(a), -1, Rng(), {}, pool), Error);
  Dense bad = a;
  bad(1, 1) = std::numeric_limits<double>::quiet_NaN();
  SquaredOperator products = operator_of(bad);
  products.size = 1.0;
  EXPECT_THROW(leading_triplets(products, 1, Rng(), {}, pool), Error);
}

}  // namespace
}  // namespace gingham
