// The sums of a recomputation against sums over every cell of a table, written as they are defined.
#include "gingham/methods/plain/sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "gingham/base/rng.hpp"

namespace gingham::methods::plain {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Cells by their place, NaN where they are missing.
using Table = std::map<std::vector<Index>, double>;

Product random_product(const Shape& shape, Index n_components, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "product");
  Product made;
  for (const Index size : shape) {
    made.factors.emplace_back();
    for (Index e = 0; e < size * n_components; ++e)
      made.factors.back().push_back(rng.uniform() < 0.3 ? 0.0 : rng.uniform() - 0.4);
  }
  for (Index k = 0; k < n_components; ++k) made.weights.push_back(rng.uniform() + 0.5);
  return made;
}

Real term(const Product& model, const std::vector<Index>& at, Index k, Index except = -1) {
  Real value = 1;
  for (Index n = 0; n < std::ssize(at); ++n) value *= n == except ? 1 : model.at(n, at[n], k);
  return value;
}

void expect_sums(const Sums& sums, const Table& table, const Shape& shape, const Product& model,
                 Others others) {
  const Index n_k = model.n_components();
  const auto near = [](Real a, Real b) {
    EXPECT_NEAR(static_cast<double>(a), static_cast<double>(b),
                1e-12 * (1.0 + std::abs(static_cast<double>(b))));
  };
  Real squares = 0, loss = 0;
  for (Index k = 0; k < n_k; ++k) {
    Real lost = 0, left = 0, weight_pull = 0, weight_curvature = 0;
    std::vector<Reals> pull, curvature;
    for (const Index size : shape) pull.push_back(zeros(size));
    curvature = pull;
    for (const auto& [at, x] : table) {
      if (std::isnan(x)) continue;
      Real m = 0, taken = 0;
      for (Index l = 0; l < n_k; ++l) {
        const Real one = model.weights[l] * term(model, at, l);
        m += one;
        if (others == Others::all ? l != k : others == Others::earlier && l < k) taken += one;
      }
      const Real own = model.weights[k] * term(model, at, k);
      lost += (x - m + own) * (x - m + own) - (x - m) * (x - m);
      left += (x - taken) * (x - taken);
      weight_pull += (x - taken) * term(model, at, k);
      weight_curvature += term(model, at, k) * term(model, at, k);
      for (Index n = 0; n < std::ssize(shape); ++n) {
        pull[n][at[n]] += (x - taken) * term(model, at, k, n);
        curvature[n][at[n]] += term(model, at, k, n) * term(model, at, k, n);
      }
      if (k > 0) continue;
      squares += static_cast<Real>(x) * x;
      loss += (x - m) * (x - m);
    }
    near(sums.lost[k], lost);
    near(sums.left[k], left);
    near(sums.weight_pull[k], weight_pull);
    near(sums.weight_curvature[k], weight_curvature);
    for (Index n = 0; n < std::ssize(shape); ++n) {
      for (Index i = 0; i < shape[n]; ++i) {
        near(sums.pull[n][i * n_k + k], pull[n][i]);
        near(sums.curvature[n][i * n_k + k], curvature[n][i]);
      }
    }
  }
  near(sums.squares, squares);
  near(sums.loss, loss);
}

void expect_all_others(const Cells& cells, const Table& table) {
  const Product model = random_product(cells.shape(), 3, 7);
  for (const Others others : {Others::all, Others::earlier, Others::none})
    expect_sums(Sums(cells, model, others), table, cells.shape(), model, others);
}

Matrix random_matrix(Index rows, Index cols, double share_of_zeros) {
  Rng rng = Rng::named(3, "cells");
  Matrix x(rows, cols);
  for (double& one : x.values())
    one = rng.uniform() < share_of_zeros ? 0.0 : 3.0 * rng.uniform() - 1.0;
  return x;
}

Table table_of(const Matrix& x) {
  Table table;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) table[{i, j}] = x(i, j);
  }
  return table;
}

TEST(PlainSums, OfAMatrixWithHoles) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{5, 4}, {1, 6}, {6, 1}, {1, 1}}) {
    Matrix x = random_matrix(rows, cols, 0.0);
    const Block whole("x", x);
    expect_all_others(Cells(whole), table_of(x));
    for (Index j = 0; j < cols; ++j) x(0, j) = kMissing;  // a row, or all there is
    const Block block("x", x);
    expect_all_others(Cells(block), table_of(x));
  }
}

TEST(PlainSums, OfASparseMatrixAreThoseOfAllItsCells) {
  const Matrix x = random_matrix(7, 5, 0.6);
  const Block block("x", SparseMatrix::from_dense(x));
  expect_all_others(Cells(block), table_of(x));
}

// So many cells that zeros are not visited: a long matrix whose rows but the first are all zero
// except one entry each, with blocks that are missing.
TEST(PlainSums, ZerosThatAreNotVisitedCount) {
  constexpr Index kRows = 120000, kCols = 9;
  Matrix x(kRows, kCols);
  for (Index i = 0; i < kRows; i += 1000)
    x(i, (i / 1000) % kCols) = 1.0 + static_cast<double>(i % 7);
  x(1500, 3) = kMissing;
  const Block block("x", SparseMatrix::from_dense(x));
  Product model = random_product(block.shape(), 2, 5);
  for (Real& one : model.factors[0]) one *= 0.01L;
  const Block dense("x", x);
  const auto expect_same = [&](const Cells& cells, const Cells& all) {
    ASSERT_TRUE(cells.has_unseen());
    for (const Others others : {Others::all, Others::earlier, Others::none}) {
      const Sums found(cells, model, others), wanted(all, model, others);
      const auto near = [](const Reals& a, const Reals& b) {
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t e = 0; e < a.size(); ++e)
          ASSERT_NEAR(static_cast<double>(a[e]), static_cast<double>(b[e]), 1e-11);
      };
      near({found.squares, found.loss}, {wanted.squares, wanted.loss});
      near(found.lost, wanted.lost);
      near(found.left, wanted.left);
      near(found.weight_pull, wanted.weight_pull);
      near(found.weight_curvature, wanted.weight_curvature);
      for (int n = 0; n < 2; ++n) {
        near(found.pull[n], wanted.pull[n]);
        near(found.curvature[n], wanted.curvature[n]);
      }
    }
  };
  expect_same(Cells(block), Cells(dense));
  std::vector<Index> rows, columns;
  for (Index i = 0; i < kRows; ++i) rows.push_back(i % 3);
  for (Index j = 0; j < kCols; ++j) columns.push_back(j % 2);
  const std::vector<std::uint8_t> is_missing{0, 1, 0, 0, 1, 0};
  expect_same(Cells(block, rows, columns, is_missing), Cells(dense, rows, columns, is_missing));
}

TEST(PlainSums, NumbersUsedFitOrAreOneForAll) {
  Model model;
  model.used = {{"a", {1.0, 2.0}}, {"b", {3.0, 3.0}}};
  EXPECT_EQ(used_values(model, "a", 2), (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(used_values(model, "b", 3), (std::vector<double>{3.0, 3.0, 3.0}));
  EXPECT_THROW(used_values(model, "a", 3), Error);
  EXPECT_THROW(used_values(model, "c"), Error);
}

}  // namespace
}  // namespace gingham::methods::plain
