#include "gingham/kernels/squared_products.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gingham/base/rng.hpp"
#include "support/plain_product.hpp"
#include "support/shuffled_executor.hpp"

namespace gingham {
namespace {

using testing::expect_near;
using testing::plain_product;

Matrix random_matrix(Index rows, Index cols, Rng& rng) {
  Matrix a(rows, cols);
  for (double& value : a.values()) value = rng.normal();
  return a;
}

// The cell by definition.
Matrix whole(const Matrix& p, const Matrix& left, const Matrix& right) {
  Matrix a = p;
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) {
      for (Index t = 0; t < left.cols(); ++t) a(i, j) -= left(i, t) * right(j, t);
    }
  }
  return a;
}

TEST(SquaredProducts, AgreeWithPlainLoopsFormedOrNot) {
  Rng rng = Rng::named(1, "squared");
  for (int trial = 0; trial < 60; ++trial) {
    const bool is_large = trial % 20 == 0;
    const Index rows = 1 + rng.below(is_large ? 700 : 40),
                cols = 1 + rng.below(is_large ? 700 : 40);
    const Index k = rng.below(is_large ? 6 : 30), n_terms = rng.below(3);
    const Matrix p = random_matrix(rows, cols, rng), left = random_matrix(rows, n_terms, rng),
                 right = random_matrix(cols, n_terms, rng), a = whole(p, left, right);
    const bool is_wide = cols > rows;
    const Matrix x = random_matrix(std::min(rows, cols), k, rng);
    const auto lying = [&](Index row, Index, Index column, Index, double*) {
      return Piece{p.row(row).data() + column, cols};
    };
    const auto formed = [&](Index row, Index n_rows, Index column, Index n_cols, double* room) {
      for (Index i = 0; i < n_rows; ++i) {
        for (Index j = 0; j < n_cols; ++j) room[i * n_cols + j] = p(row + i, column + j);
      }
      return Piece{room, n_cols};
    };
    const Matrix other = plain_product(a, is_wide, x), squared = plain_product(a, !is_wide, other);
    testing::ShuffledExecutor executor(static_cast<std::uint64_t>(trial));
    Matrix y, again;
    const Matrix *l = n_terms > 0 ? &left : nullptr, *r = n_terms > 0 ? &right : nullptr;
    multiply_across({rows, cols, lying, l, r}, x, y, executor);
    multiply_across({rows, cols, formed, l, r}, x, again, executor);
    expect_near(y, other, 1e-12 * static_cast<double>(rows + cols));
    EXPECT_TRUE(std::ranges::equal(y.values(), again.values()));
    multiply_squared({rows, cols, lying, l, r}, x, 1.0, y, executor);
    multiply_squared({rows, cols, formed, l, r}, x, 1.0, again, executor);
    expect_near(y, squared, 1e-11 * static_cast<double>(rows * cols));
    EXPECT_TRUE(std::ranges::equal(y.values(), again.values()));
    ThreadPool one(1);
    multiply_squared({rows, cols, lying, l, r}, x, 1.0, again, one);
    EXPECT_TRUE(std::ranges::equal(y.values(), again.values()));
    multiply_squared({rows, cols, lying, l, r}, x, 0.25, again, one);
    for (Index e = 0; e < y.size(); ++e) EXPECT_EQ(again.values()[e], y.values()[e] / 16.0);
  }
}

TEST(SquaredProducts, OfASparseMatrixGoOverItsRows) {
  Rng rng = Rng::named(3, "sparse");
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    const Index rows = 1 + rng.below(60), cols = 1 + rng.below(60), k = 1 + rng.below(9);
    Matrix cells(rows, cols);
    Index n = 0;
    for (double& value : cells.values()) {
      value = rng.uniform() < 0.3 ? rng.normal() : 0.0;
      n += value != 0.0 ? 1 : 0;
    }
    Array<std::int32_t> row(n), column(n);
    Array<double> value(n);
    Index at = 0;
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) {
        if (cells(i, j) == 0.0) continue;
        row.data()[at] = static_cast<std::int32_t>(i);
        column.data()[at] = static_cast<std::int32_t>(j);
        value.data()[at++] = cells(i, j);
      }
    }
    const SparseMatrix b = SparseMatrix::from_triplets(
        rows, cols, std::move(row), std::move(column), std::move(value), Duplicates::error);
    const Matrix x = random_matrix(cols, k, rng);
    Matrix expected = plain_product(cells, true, plain_product(cells, false, x)), y, again;
    for (double& one : expected.values()) one *= 4.0;
    ThreadPool pool(2);
    testing::ShuffledExecutor shuffled(trial);
    multiply_squared(b, x, 2.0, y, pool);
    multiply_squared(b, x, 2.0, again, shuffled);
    expect_near(y, expected, 1e-10);
    EXPECT_TRUE(std::ranges::equal(y.values(), again.values()));
  }
}

// Squares of values that overflow or vanish.
TEST(SquaredProducts, TakeTheFactorBetweenTheTwoProducts) {
  Rng rng = Rng::named(2, "factor");
  ThreadPool pool(1);
  for (const auto& [rows, cols] : {std::pair<Index, Index>{30, 20}, {20, 30}}) {
    const Matrix p = random_matrix(rows, cols, rng), x = random_matrix(20, 3, rng);
    const auto product_at = [&](double size) {
      Matrix scaled = p, y;
      for (double& value : scaled.values()) value *= size;
      const auto piece = [&, n = cols](Index row, Index, Index column, Index, double*) {
        return Piece{std::as_const(scaled).row(row).data() + column, n};
      };
      multiply_squared({rows, cols, piece}, x, 1.0 / size, y, pool);
      return y;
    };
    const Matrix plain = product_at(1.0);
    for (const double size : {0x1p-600, 0x1p600}) {
      const Matrix found = product_at(size);
      EXPECT_TRUE(std::ranges::equal(found.values(), plain.values()));
    }
  }
}

}  // namespace
}  // namespace gingham
