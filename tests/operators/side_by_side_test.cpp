#include "gingham/operators/side_by_side.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "support/plain_product.hpp"

namespace gingham {
namespace {

using testing::expect_near;
using testing::plain_product;

Block block_of(Index rows, Index cols, bool is_sparse, bool has_gaps, Rng& rng) {
  Matrix cells(rows, cols);
  for (double& value : cells.values()) value = rng.uniform() < 0.4 ? rng.normal() + 1.0 : 0.0;
  for (double& value : cells.values()) {
    if (has_gaps && rng.uniform() < 0.1) value = std::nan("");
  }
  if (!is_sparse) return Block("X", std::move(cells));
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      if (cells(i, j) == 0.0) continue;
      row.push_back(static_cast<std::int32_t>(i));
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(cells(i, j));
    }
  }
  const auto array = [](const auto& from) {
    using T = typename std::decay_t<decltype(from)>::value_type;
    Array<T> to(std::ssize(from));
    std::copy(from.begin(), from.end(), to.data());
    return to;
  };
  return Block("X", SparseMatrix::from_triplets(rows, cols, array(row), array(column), array(value),
                                                Duplicates::sum));
}

// Column by column by the products with vectors, which have an oracle of their own.
Matrix cells_of(const PreparedMatrix& matrix) {
  Matrix cells(matrix.rows(), matrix.cols());
  std::vector<double> unit(static_cast<std::size_t>(matrix.cols())),
      column(static_cast<std::size_t>(matrix.rows()));
  for (Index j = 0; j < matrix.cols(); ++j) {
    unit[j] = 1.0;
    matrix.multiply(unit, column);
    for (Index i = 0; i < matrix.rows(); ++i) cells(i, j) = column[i];
    unit[j] = 0.0;
  }
  return cells;
}

TEST(SideBySide, MultipliesLikeOneMatrixOfAllCells) {
  ThreadPool pool(2);
  Rng rng = Rng::named(1, "side by side");
  for (int trial = 0; trial < 120; ++trial) {
    const Index rows = 2 + rng.below(40);
    const auto n_parts = static_cast<std::size_t>(1 + rng.below(3));
    const bool all_dense = trial % 2 == 0;
    std::vector<Block> blocks;
    for (std::size_t p = 0; p < n_parts; ++p)
      blocks.push_back(block_of(rows, 1 + rng.below(30), !all_dense && rng.uniform() < 0.7,
                                trial % 3 == 0, rng));
    constexpr Scale kScales[] = {Scale::none, Scale::center, Scale::standardize, Scale::unit};
    std::vector<PreparedMatrix> matrices;
    std::vector<double> factors;
    for (const Block& block : blocks) {
      matrices.emplace_back(block, kScales[rng.below(4)], pool);
      factors.push_back(trial % 5 == 0 ? 1.0 : 0.5 + rng.uniform());
      for (Index t = rng.below(3); t > 0; --t) {
        std::vector<double> left(static_cast<std::size_t>(rows)),
            right(static_cast<std::size_t>(block.shape()[1]));
        for (double& value : left) value = rng.normal();
        for (double& value : right) value = rng.uniform() < 0.5 ? rng.normal() : 0.0;
        matrices.back().subtract(0.3, left, right);
      }
    }
    std::vector<std::uint8_t> counts;
    for (Index i = 0; trial % 4 == 0 && i < rows; ++i)
      counts.push_back(rng.uniform() < 0.7 ? 1 : 0);
    std::vector<const PreparedMatrix*> parts;
    for (const PreparedMatrix& one : matrices) parts.push_back(&one);
    const SideBySide joined(parts, factors, counts);

    Matrix all(rows, joined.cols());
    Index offset = 0;
    for (std::size_t p = 0; p < n_parts; ++p) {
      const Matrix own = cells_of(matrices[p]);
      for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < own.cols(); ++j)
          all(i, offset + j) = counts.empty() || counts[i] != 0 ? factors[p] * own(i, j) : 0.0;
      }
      offset += own.cols();
    }
    Index n_before = 0;
    const SquaredOperator products = joined.products([&] { ++n_before; });
    const bool is_wide = products.is_wide();
    EXPECT_EQ(is_wide, joined.cols() > rows);
    Matrix x(std::min(rows, joined.cols()), 1 + rng.below(6)), y;
    for (double& value : x.values()) value = rng.normal();
    const Matrix other = plain_product(all, is_wide, x),
                 squared = plain_product(all, !is_wide, other);
    products.across(x, y);
    expect_near(y, other, 1e-10);
    products.squared(x, 1.0, y);
    expect_near(y, squared, 1e-9);
    products.squared(x, 0.5, y);
    Matrix quarter = squared;
    for (double& value : quarter.values()) value *= 0.25;
    expect_near(y, quarter, 1e-9);
    EXPECT_EQ(n_before, 3);
  }
}

TEST(SideBySide, UsesWhatIsOnlyScaledWhereItLies) {
  ThreadPool pool(2);
  Rng rng = Rng::named(3, "scaled");
  for (int trial = 0; trial < 40; ++trial) {
    const Index rows = 1 + rng.below(50), cols = 1 + rng.below(50);
    const Block block = block_of(rows, cols, trial % 4 == 0, false, rng);
    Preparation scaling;
    scaling.is_none = false;
    for (Index i = 0; i < rows; ++i)
      scaling.row_scale.push_back(rng.uniform() < 0.2 ? 0.0 : 0.2 + rng.uniform());
    for (Index j = 0; j < cols; ++j) scaling.column_scale.push_back(0.2 + rng.uniform());
    scaling.means.assign(static_cast<std::size_t>(cols), 0.0);
    scaling.squares = 1.0;
    const PreparedMatrix matrix(block, scaling, pool);
    const Matrix all = cells_of(matrix);
    const SideBySide one(matrix);
    const SquaredOperator products = one.products([] {});
    const bool is_wide = products.is_wide();
    Matrix x(std::min(rows, cols), 1 + rng.below(6)), y;
    for (double& value : x.values()) value = rng.normal();
    const Matrix other = plain_product(all, is_wide, x),
                 squared = plain_product(all, !is_wide, other);
    products.across(x, y);
    expect_near(y, other, 1e-11);
    products.squared(x, 1.0, y);
    expect_near(y, squared, 1e-10);
  }
}

TEST(SideBySide, IsOfNoSizeWhereAllIsKnownToBeNothing) {
  ThreadPool pool(1);
  const Block same("X", Matrix(4, 3));
  EXPECT_EQ(SideBySide(PreparedMatrix(same, Scale::center, pool)).products([] {}).size, 0.0);
  EXPECT_EQ(SideBySide(PreparedMatrix(same, pool)).products([] {}).size, 0.0);
}

TEST(SquaredProductsOfObserved, AreThoseOfTheKnownCells) {
  ThreadPool pool(2);
  Rng rng = Rng::named(2, "observed");
  for (int trial = 0; trial < 40; ++trial) {
    const Index rows = 1 + rng.below(40), cols = 1 + rng.below(40);
    const Block block = block_of(rows, cols, trial % 2 == 0, trial % 3 == 0, rng);
    const Observed observed(block, pool);
    Matrix all(rows, cols);
    for_each_entry(block, [&](std::span<const Index> at, double value) {
      if (value == value) all(at[0], at[1]) = value;
    });
    Matrix x(std::min(rows, cols), 1 + rng.below(5)), y;
    for (double& value : x.values()) value = rng.normal();
    const bool is_wide = cols > rows;
    const Matrix other = plain_product(all, is_wide, x),
                 squared = plain_product(all, !is_wide, other);
    for (const bool in_single : {false, true}) {
      const SquaredOperator products = squared_products(observed, in_single, pool);
      products.across(x, y);
      expect_near(y, other, in_single ? 1e-4 : 1e-11);
      products.squared(x, 2.0, y);
      Matrix four = squared;
      for (double& value : four.values()) value *= 4.0;
      expect_near(y, four, in_single ? 1e-2 : 1e-9);
    }
  }
}

}  // namespace
}  // namespace gingham
