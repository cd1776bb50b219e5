#include "gingham/kernels/hungarian.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

// Tries every way to give the shorter side different partners.
double brute_force(const Matrix& cost) {
  const bool flip = cost.rows() > cost.cols();
  const Index m = std::min(cost.rows(), cost.cols()), n = std::max(cost.rows(), cost.cols());
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  double best = -std::numeric_limits<double>::infinity();
  do {
    double sum = 0.0;
    for (Index i = 0; i < m; ++i) sum += flip ? cost(order[i], i) : cost(i, order[i]);
    best = std::max(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

void check(const Matrix& cost) {
  const Assignment found = assign_maximum(cost);
  std::set<Index> used;
  double total = 0.0, scale = 0.0;
  ASSERT_EQ(static_cast<Index>(found.column_of.size()), cost.rows());
  for (Index i = 0; i < cost.rows(); ++i) {
    if (found.column_of[i] < 0) continue;
    ASSERT_LT(found.column_of[i], cost.cols());
    ASSERT_TRUE(used.insert(found.column_of[i]).second);
    total += cost(i, found.column_of[i]);
  }
  for (const double value : cost.values()) scale = std::max(scale, std::abs(value));
  ASSERT_EQ(static_cast<Index>(used.size()), std::min(cost.rows(), cost.cols()));
  ASSERT_EQ(found.total, total);
  ASSERT_NEAR(total, brute_force(cost), 1e-13 * scale * 8);
}

TEST(Hungarian, FindsWhatTryingEverythingFinds) {
  Rng rng = Rng::named(1, "hungarian");
  for (int trial = 0; trial < 400; ++trial) {
    Matrix cost(1 + rng.below(6), 1 + rng.below(6));
    for (double& x : cost.values()) x = rng.normal();
    check(cost);
  }
}

TEST(Hungarian, CopesWithTiesAndNegativeCosts) {
  Rng rng = Rng::named(2, "ties");
  for (int trial = 0; trial < 400; ++trial) {
    Matrix cost(1 + rng.below(6), 1 + rng.below(6));
    for (double& x : cost.values()) x = static_cast<double>(rng.below(4)) - 2.0;
    check(cost);
  }
  check(Matrix(5, 5));  // all equal
}

TEST(Hungarian, DoesNotMindTheScale) {
  Rng rng = Rng::named(3, "scale");
  for (const double scale : {1e-150, 1e150, 1e-300, 1e300}) {
    for (int trial = 0; trial < 30; ++trial) {
      Matrix cost(1 + rng.below(5), 1 + rng.below(5));
      for (double& x : cost.values()) x = scale * rng.uniform(-1.0, 1.0);
      check(cost);
    }
  }
}

TEST(Hungarian, AnEmptySideAssignsNothing) {
  EXPECT_TRUE(assign_maximum(Matrix(0, 3)).column_of.empty());
  EXPECT_EQ(assign_maximum(Matrix(2, 0)).column_of, (std::vector<Index>{-1, -1}));
}

// A larger one, made from prices that prove the planted assignment the best.
TEST(Hungarian, FindsAPlantedAssignmentAmongMany) {
  Rng rng = Rng::named(4, "planted");
  const Index m = 120, n = 150;
  Matrix weight(m, n);
  std::vector<double> row(static_cast<std::size_t>(m)), col(static_cast<std::size_t>(n));
  for (double& x : row) x = rng.normal();
  for (Index j = 0; j < n; ++j) col[j] = -rng.uniform();  // prices of columns, zero where left over
  const std::vector<Index> partner = rng.sample(n, m);
  const std::set<Index> taken(partner.begin(), partner.end());
  for (Index j = 0; j < n; ++j) {
    if (!taken.contains(j)) col[j] = 0.0;
  }
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      weight(i, j) = -row[i] - col[j] - (partner[i] == j ? 0.0 : 0.01 + rng.uniform());
    }
  }
  EXPECT_EQ(assign_maximum(weight).column_of, partner);
}

TEST(Hungarian, RefusesInfinitiesAndNaN) {
  for (const double bad :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Matrix cost(2, 2);
    cost(1, 0) = bad;
    EXPECT_THROW(assign_maximum(cost), Error);
  }
}

}  // namespace
}  // namespace gingham
