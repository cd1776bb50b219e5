// Gram matrices of the rows and columns of prepared matrices, and distances of rows, by plain
// loops.
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "gingham/operators/column_gram.hpp"
#include "gingham/operators/row_gram.hpp"

namespace gingham {
namespace {

constexpr Scale kScales[] = {Scale::none, Scale::center, Scale::standardize, Scale::unit,
                             Scale::rows};

Matrix random_cells(Index n, Index d, Rng& rng) {
  Matrix x(n, d);
  for (double& cell : x.values()) cell = rng.uniform() < 0.4 ? 0.0 : 3.0 + rng.normal();
  for (Index i = 0; i < n; ++i) x(i, 0) = 5.0 + rng.uniform();  // a column that all rows list
  return x;
}

Matrix formed(const PreparedMatrix& x) {
  Matrix cells(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) x.fill_row(i, cells.row(i));
  return cells;
}

TEST(RowGram, IsTheProductsOfTheRows) {
  Rng rng = Rng::named(1, "grams");
  ThreadPool pool(2);
  for (const auto& [n, d] : {std::pair<Index, Index>{1, 1}, {7, 3}, {150, 40}, {20, 600}}) {
    const Matrix cells = random_cells(n, d, rng);
    for (const Scale scale : kScales) {
      for (const bool is_sparse : {false, true}) {
        const Block block =
            is_sparse ? Block("X", SparseMatrix::from_dense(cells)) : Block("X", cells);
        const PreparedMatrix x(block, scale, pool);
        const Matrix rows = formed(x);
        int pauses = 0;
        Matrix found = gram_of_rows(x, 1, [&] { ++pauses; });
        EXPECT_GT(pauses, 0);
        double size = 0.0;  // of what cancels where a sparse matrix is centred
        for (Index i = 0; i < n; ++i) {
          double row = 0.0;
          for (Index j = 0; j < d; ++j)
            row +=
                std::pow(6.0 * x.preparation().column_scale[j] * x.preparation().row_scale[i], 2);
          size = std::max(size, row);
        }
        Matrix squared(n, n);
        for (Index i = 0; i < n; ++i) {
          for (Index j = 0; j < n; ++j) {
            long double sum = 0, distance = 0;
            for (Index k = 0; k < d; ++k) {
              sum += static_cast<long double>(rows(i, k)) * rows(j, k);
              distance += std::pow(static_cast<long double>(rows(i, k)) - rows(j, k), 2);
            }
            EXPECT_NEAR(4.0 * found(i, j), static_cast<double>(sum), 1e-12 * size);
            EXPECT_EQ(found(i, j), found(j, i));
            squared(i, j) = static_cast<double>(distance);
          }
        }
        to_row_distances(x, 1, found);
        for (Index i = 0; i < n; ++i) {
          for (Index j = 0; j < n; ++j) {
            EXPECT_NEAR(4.0 * found(i, j), squared(i, j), 1e-11 * size);
            EXPECT_EQ(found(i, j), found(j, i));
          }
        }
      }
    }
  }
}

TEST(RowGram, EqualRowsAreAtNoDistanceAndCloseOnesKeepTheirDigits) {
  ThreadPool pool(1);
  Matrix cells(3, 50);
  Rng rng = Rng::named(2, "close");
  for (Index j = 0; j < 50; ++j) cells(0, j) = cells(1, j) = cells(2, j) = 10.0 + rng.normal();
  cells(2, 7) += std::ldexp(1.0, -20);
  for (const bool is_sparse : {false, true}) {
    const Block block = is_sparse ? Block("X", SparseMatrix::from_dense(cells)) : Block("X", cells);
    const PreparedMatrix x(block, Scale::none, pool);
    Matrix found = gram_of_rows(x, 0, [] {});
    to_row_distances(x, 0, found);
    EXPECT_EQ(found(0, 1), 0.0);
    const double apart = cells(2, 7) - cells(0, 7);
    EXPECT_NEAR(found(0, 2), apart * apart, 1e-12 * apart * apart);
  }
}

TEST(ColumnGram, IsTheProductsOfTheColumnsSideBySide) {
  Rng rng = Rng::named(3, "columns");
  ThreadPool pool(2);
  const Index n = 700, widths[] = {5, 90};
  for (const Scale scale : kScales) {
    const Block blocks[] = {Block("a", random_cells(n, widths[0], rng)),
                            Block("b", random_cells(n, widths[1], rng))};
    const std::vector<PreparedMatrix> both{PreparedMatrix(blocks[0], scale, pool),
                                           PreparedMatrix(blocks[1], scale, pool)};
    const Matrix found = column_gram(both, 95, 2.0);
    const Matrix left = formed(both[0]), right = formed(both[1]);
    const auto cell = [&](Index i, Index j) {
      return static_cast<long double>(j < 5 ? left(i, j) : right(i, j - 5)) / 2;
    };
    std::vector<double> squares(95);
    add_column_squares(both[0], 2.0, squares.data());
    add_column_squares(both[1], 2.0, squares.data() + 5);
    for (Index j = 0; j < 95; ++j) {
      for (Index k = 0; k < 95; ++k) {
        long double sum = 0, size = 0;
        for (Index i = 0; i < n; ++i) {
          sum += cell(i, j) * cell(i, k);
          size += std::abs(cell(i, j) * cell(i, k));
        }
        EXPECT_NEAR(found(j, k), static_cast<double>(sum), 1e-13 * static_cast<double>(size));
      }
      EXPECT_NEAR(squares[j], found(j, j), 1e-12 * found(j, j));
    }
    const Block sparse("c", SparseMatrix::from_dense(left));
    std::vector<double> of_sparse(5), of_dense(5);
    const Block dense("d", left);
    add_column_squares(PreparedMatrix(sparse, scale, pool), 2.0, of_sparse.data());
    add_column_squares(PreparedMatrix(dense, scale, pool), 2.0, of_dense.data());
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(of_sparse[j], of_dense[j], 1e-6 * of_dense[j]);
  }
}

TEST(ColumnGram, IsWorthFormingForFewDenseColumns) {
  const Matrix tall(10, 5), wide(10, 6);
  EXPECT_TRUE(has_column_gram(Dataset(Block("X", tall))));
  EXPECT_FALSE(has_column_gram(Dataset(Block("X", wide))));
  EXPECT_FALSE(has_column_gram(Dataset(Block("X", SparseMatrix::from_dense(tall)))));
}

}  // namespace
}  // namespace gingham
