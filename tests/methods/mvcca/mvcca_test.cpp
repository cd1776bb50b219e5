// The canonical subspace against dense generalised eigenproblems.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/views/planted_views.hpp"
#include "support/dense.hpp"

namespace gingham {
namespace {

using Dense = Eigen::MatrixXd;
using testing::dense_solve;
using testing::planted_views;

Dense standardized(const Block& block) {
  const Matrix& x = *block.dense_matrix();
  Dense y(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) y(i, j) = x(i, j);
  }
  y.rowwise() -= y.colwise().mean();
  for (Index j = 0; j < y.cols(); ++j)
    y.col(j) /= y.col(j).norm() / std::sqrt(static_cast<double>(y.rows()));
  return y;
}

Result fit(const Dataset& data, const char* ridge, const char* dimensions) {
  const MethodInfo& info = find_method("mvcca");
  Options options = info.make_options();
  options.set("ridge", ridge);
  options.set("dimensions", dimensions);
  options.set("tolerance", "1e-10");
  const Result result = run(info, data, options);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_TRUE(verify_result(data, result).passed());
  return result;
}

// A = S11^-1 S12 S22^-1 S21 has the squares of the canonical correlations as eigenvalues.
TEST(Mvcca, OfTwoViewsGivesTheCanonicalCorrelations) {
  const Dataset data = planted_views(120, 4, 1.0, 1).data;
  const Dense x = standardized(data.block(0)), y = standardized(data.block(1));
  const Dense a = dense_solve(x.transpose() * x, x.transpose() * y) *
                  dense_solve(y.transpose() * y, y.transpose() * x);
  Eigen::VectorXd squares = testing::dense_eigenvalues(a);
  std::sort(squares.begin(), squares.end(), std::greater<>());
  const Result result = fit(data, "0", "4");
  for (Index k = 0; k < 4; ++k)
    EXPECT_NEAR(result.vector("values")[k], 1.0 + std::sqrt(squares[k]), 1e-9);
}

// sum_v X_v (X_v'X_v + r I)^-1 X_v' by a solve, for three views with ridge.
TEST(Mvcca, OfManyViewsIsTheDenseEigenproblem) {
  std::vector<Block> blocks = planted_views(70, 3, 1.0, 2).data.blocks();
  blocks.push_back(planted_views(70, 3, 1.0, 3).data.block(1));
  const Dataset data(blocks);
  Dense m = Dense::Zero(70, 70);
  for (const Block& block : data.blocks()) {
    const Dense x = standardized(block);
    const double r = 0.3 * x.squaredNorm() / static_cast<double>(x.cols());
    m +=
        x * dense_solve(x.transpose() * x + r * Dense::Identity(x.cols(), x.cols()), x.transpose());
  }
  const testing::DenseEigenpairs wanted = testing::dense_eigenpairs(m);
  const Result result = fit(data, "0.3", "3");
  const Matrix& found = result.matrix("embedding");
  const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> g(found.data(), 70, 3);
  EXPECT_NEAR((wanted.vectors.rightCols(3).transpose() * g).squaredNorm(), 3.0, 1e-9);
  for (Index k = 0; k < 3; ++k)
    EXPECT_NEAR(result.vector("values")[k], wanted.values(69 - k), 1e-9);
}

TEST(Mvcca, FewerComponentsThanColumnsAreThoseOfThePrincipalOnes) {
  const Dataset data = planted_views(50, 3, 2.0, 4).data;
  const MethodInfo& info = find_method("mvcca");
  Options options = info.make_options();
  options.set("components", "2");
  const Result result = run(info, data, options);
  EXPECT_EQ(result.matrix("scores_0").cols(), 2);
  const Eigen::VectorXd wanted = testing::dense_singular_values(standardized(data.block(0)));
  EXPECT_NEAR(result.vector("singular_0")[1], wanted(1), 1e-8);
}

}  // namespace
}  // namespace gingham
