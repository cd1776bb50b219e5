// Sums over observed cells against plain loops.
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/operators/item_grams.hpp"
#include "gingham/operators/residual.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using Real = long double;

Matrix uniform_matrix(Index rows, Index columns, Rng& rng) {
  Matrix m(rows, columns);
  for (double& value : m.values()) value = rng.uniform();
  return m;
}

double observed_loss(const Observed& data, const Matrix& a, const Matrix& b, Executor& executor) {
  const Matrix factors[] = {a, b};
  return 0.5 * residual_squares(data, {factors}, executor);
}

enum class Store { dense, sparse, listed };

// Values, zeros and holes, stored in one of three ways; B and A with zeros in them.
struct Case {
  Matrix x, a, b;
  MissingBlocks missing;
  Block block;

  Case(Index rows, Index columns, Index rank, Store store, bool has_blocks, std::uint64_t seed)
      : x(rows, columns), block("X", Matrix(1, 1)) {
    Rng rng = Rng::named(seed, "sums");
    a = uniform_matrix(rows, rank, rng);
    b = uniform_matrix(columns, rank, rng);
    for (Matrix* factor : {&a, &b}) {
      for (double& value : factor->values()) value = value < 0.3 ? 0.0 : value;
    }
    for (double& value : x.values()) {
      const double u = rng.uniform();
      value = u < 0.2 ? std::nan("") : u < 0.6 ? 0.0 : rng.uniform();
    }
    for (double& value : x.row(rows - 1)) value = std::nan("");
    if (has_blocks) {
      for (Index i = 0; i < rows; ++i) missing.classes[0].push_back(i % 2);
      for (Index j = 0; j < columns; ++j) missing.classes[1].push_back(j % 3);
      missing.is_missing = {0, 1, 0, 0, 0, 1};
    }
    store_as(store);
  }
  void store_as(Store store) {
    if (store == Store::dense) block = Block("X", x);
    if (store == Store::sparse) block = Block("X", SparseMatrix::from_dense(x));
    if (store == Store::listed) {
      std::vector<std::int32_t> row, column;
      std::vector<double> value;
      for (Index i = 0; i < x.rows(); ++i) {
        for (Index j = 0; j < x.cols(); ++j) {
          if (std::isnan(x(i, j)) && (i + j) % 2 == 0) continue;  // some are listed as NaN
          row.push_back(static_cast<std::int32_t>(i));
          column.push_back(static_cast<std::int32_t>(j));
          value.push_back(x(i, j));
        }
      }
      block = Block("X",
                    SparseMatrix::from_triplets(x.rows(), x.cols(), test::to_array(row),
                                                test::to_array(column), test::to_array(value),
                                                Duplicates::error),
                    {}, Unlisted::missing);
    }
  }
  bool is_seen(Index i, Index j) const {
    const bool is_lost = !missing.is_missing.empty() &&
                         missing.is_missing[missing.classes[0][i] * 3 + missing.classes[1][j]] != 0;
    return !is_lost && !std::isnan(x(i, j));
  }
  Real model(Index i, Index j) const {
    Real sum = 0;
    for (Index k = 0; k < a.cols(); ++k) sum += static_cast<Real>(a(i, k)) * b(j, k);
    return sum;
  }
  Real loss() const {
    Real sum = 0;
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j) {
        if (!is_seen(i, j)) continue;
        const Real residual = x(i, j) - model(i, j);
        sum += residual * residual / 2;
      }
    }
    return sum;
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Store store : {Store::dense, Store::sparse, Store::listed}) {
    for (const bool has_blocks : {false, true}) {
      all.emplace_back(9, 70, 3, store, has_blocks, 1);
      all.emplace_back(60, 11, 1, store, has_blocks, 2);
      all.emplace_back(5, 333, 18, store, has_blocks, 3);
    }
  }
  return all;
}

TEST(MatrixSums, LossesAreThoseOfPlainLoops) {
  ThreadPool pool(2);
  for (const Case& one : cases()) {
    const Observed data(one.block, one.missing, pool);
    const Real loss = one.loss();
    EXPECT_NEAR(observed_loss(data, one.a, one.b, pool), static_cast<double>(loss),
                1e-12 * static_cast<double>(loss));
  }
}

TEST(MatrixSums, RunsBetweenHolesGiveEveryItemsGramMatrix) {
  ThreadPool pool(1);
  for (const Case& one : cases()) {
    const Observed data(one.block, one.missing, pool);
    if (data.kind() == Observed::Kind::listed) continue;
    for (int side = 0; side < 2; ++side) {
      const Matrix& other = side == 0 ? one.b : one.a;
      const Matrix factors[] = {one.a, one.b};
      const std::vector<Matrix> whole = whole_grams(data, side, factors, pool);
      const ItemGrams grams(data, side, factors, whole);
      std::vector<double> room;
      for (Index item = 0; item < data.size(side); ++item) {
        Matrix expected(other.cols(), other.cols()), found, made;
        for (Index j = 0; j < other.rows(); ++j) {
          if (!(side == 0 ? one.is_seen(item, j) : one.is_seen(j, item))) continue;
          for (Index k = 0; k < other.cols(); ++k) {
            for (Index l = 0; l < other.cols(); ++l) expected(k, l) += other(j, k) * other(j, l);
          }
        }
        grams.runs().gram(item, found);
        grams.make(item, made, room);
        std::vector<double> column(static_cast<std::size_t>(other.cols()));
        for (Index k = 0; k < other.cols(); ++k) {
          grams.column(item, k, column);
          for (Index l = 0; l < other.cols(); ++l) {
            EXPECT_NEAR(found(k, l), expected(k, l), 1e-13 * (1.0 + expected(k, l)));
            EXPECT_NEAR(column[l], expected(k, l), 1e-13 * (1.0 + expected(k, l)));
            EXPECT_NEAR(made(k, l), expected(k, l), 1e-11 * (1.0 + expected(k, l)));
          }
        }
      }
    }
  }
}

// Where the model is the data, or huge where nothing was observed, nothing is left of a difference.
TEST(MatrixSums, LossesDoNotCancel) {
  ThreadPool pool(1);
  for (Case one : cases()) {
    const Observed kinds(one.block, one.missing, pool);
    const Store store = !one.block.is_sparse()                      ? Store::dense
                        : one.block.unlisted() == Unlisted::missing ? Store::listed
                                                                    : Store::sparse;
    // Rank 1, the observed cells exact but for 1e-9 of them.
    for (Matrix* factor : {&one.a, &one.b}) {
      for (Index i = 0; i < factor->rows(); ++i) {
        for (Index k = 1; k < factor->cols(); ++k) (*factor)(i, k) = 0.0;
      }
    }
    for (Index i = 0; i < one.x.rows(); ++i) {
      for (Index j = 0; j < one.x.cols(); ++j) {
        if (!std::isnan(one.x(i, j)))
          one.x(i, j) = static_cast<double>(one.model(i, j)) *
                        (1.0 + 1e-9 * static_cast<double>((i + j) % 3));
      }
    }
    one.store_as(store);
    const Observed exact(one.block, one.missing, pool);
    const auto expected = static_cast<double>(one.loss());
    ASSERT_GT(expected, 0.0);
    EXPECT_NEAR(observed_loss(exact, one.a, one.b, pool), expected, 1e-5 * expected);
    // A row whose model is huge, but not where it was observed.
    for (Index j = 0; j < one.x.cols(); ++j) one.b(j, 0) = one.is_seen(0, j) ? 1e-60 : 1.0;
    one.a(0, 0) = 1e60;
    const Observed huge(one.block, one.missing, pool);
    const auto wide = static_cast<double>(one.loss());
    EXPECT_NEAR(observed_loss(huge, one.a, one.b, pool), wide, 1e-10 * wide);
  }
}

// 10^10 cells, 3 * 10^5 of them listed, a third of these missing, and a model that is largest
// there: work over rows x columns would take minutes.
TEST(MatrixSums, ManyHolesInSparseDataCostNoMoreThanTheirNumber) {
  constexpr Index kItems = 100000;
  ThreadPool pool(2);
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  for (Index i = 0; i < kItems; ++i) {
    for (const Index step : {1, 3, 7}) {
      row.push_back(static_cast<std::int32_t>(i));
      column.push_back(static_cast<std::int32_t>((i + step) % kItems));
      value.push_back(step == 3 ? std::nan("") : 1.0);
    }
  }
  const Block block(
      "X", SparseMatrix::from_triplets(kItems, kItems, test::to_array(row), test::to_array(column),
                                       test::to_array(value), Duplicates::error));
  const Observed data(block, {}, pool);
  Matrix a(kItems, 2), b(kItems, 2);
  for (Index i = 0; i < kItems; ++i) {
    a(i, 0) = i % 64 == 0 ? 1.0 : 0.0;
    b(i, 0) = i % 64 == 3 ? 1e-3 : 0.0;
  }
  a(128, 0) = b(131, 0) = 1e6;
  Real small = 0;  // of b^2 without the huge one, which row 128 misses
  for (Index j = 0; j < kItems; ++j) small += j == 131 ? 0 : static_cast<Real>(b(j, 0)) * b(j, 0);
  Real expected = kItems;  // 1/2 of 2 ones per row
  for (Index i = 0; i < kItems; ++i) {
    const Real own = b((i + 3) % kItems, 0);
    const Real rest = i == 128 ? small : small + 1e12L - own * own;
    expected += static_cast<Real>(a(i, 0)) * a(i, 0) / 2 * rest;
  }
  EXPECT_NEAR(observed_loss(data, a, b, pool), static_cast<double>(expected),
              1e-9 * static_cast<double>(expected));
}

TEST(MatrixSums, ListedCellsAreNotCopied) {
  ThreadPool pool(1);
  Rng rng = Rng::named(1, "listed");
  Matrix dense = uniform_matrix(30, 20, rng);
  dense(3, 4) = 0.0;  // not listed
  SparseMatrix x = SparseMatrix::from_dense(dense);
  const Block block("X", std::move(x), {}, Unlisted::missing);
  const Observed data(block, {}, pool);
  EXPECT_EQ(data.cells(0).values.data(), block.sparse_matrix()->values().data());
  EXPECT_EQ(data.cells(1).values.data(), block.sparse_matrix()->transposed().values().data());
}

}  // namespace
}  // namespace gingham
