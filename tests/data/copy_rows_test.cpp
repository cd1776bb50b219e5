#include "gingham/data/copy_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gingham/base/rng.hpp"
#include "support/arrays.hpp"
#include "support/matrix_rows.hpp"

namespace gingham {
namespace {

using test::expect_error;
using test::streamed_block;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The cells as the block means them, and the block in all storages that can mean them.
struct Case {
  Matrix cells;
  std::vector<Block> blocks;
};

Case random_case(Index rows, Index cols, Unlisted unlisted, Rng& rng) {
  Matrix cells(rows, cols);
  Array<Index> pointers(rows + 1);
  GrowingArray<std::int32_t> columns;
  GrowingArray<double> values;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      const double u = rng.uniform();
      cells(i, j) = u < 0.1 ? kNan : u < 0.2 ? 0.0 : rng.normal();
      if (u > 0.6) {
        cells(i, j) = unlisted == Unlisted::missing ? kNan : 0.0;
      } else {
        columns.push_back(static_cast<std::int32_t>(j));
        values.push_back(cells(i, j));
      }
    }
    pointers.data()[i + 1] = values.size();
  }
  SparseMatrix sparse(rows, cols, std::move(pointers), columns.finish(), values.finish());
  Case one{cells, {}};
  one.blocks.emplace_back("dense", cells);
  one.blocks.emplace_back("sparse", std::move(sparse), std::vector<Labels>{}, unlisted);
  one.blocks.push_back(streamed_block(cells));
  return one;
}

template <class T>
void expect_cell(T found, double cell) {
  if (std::isnan(cell)) {
    EXPECT_TRUE(std::isnan(found));
  } else {
    EXPECT_EQ(found, static_cast<T>(cell));
  }
}

template <class T>
void expect_copies(const Case& one) {
  const Index rows = one.cells.rows(), cols = one.cells.cols();
  for (const Block& block : one.blocks) {
    for (Index first = 0; first <= rows; ++first) {
      for (Index count = 0; first + count <= rows; count += 2) {
        std::vector<T> out(static_cast<std::size_t>(count * cols), T{7});
        copy_rows(block, first, count, std::span(out));
        for (Index k = 0; k < count * cols; ++k)
          expect_cell(out[k], one.cells(first + k / cols, k % cols));
      }
    }
    if (block.row_source() != nullptr) continue;
    for (Index first = 0; first <= cols; ++first) {
      for (Index count = 0; first + count <= cols; count += 2) {
        std::vector<T> out(static_cast<std::size_t>(count * rows), T{7});
        copy_columns(block, first, count, std::span(out));
        for (Index k = 0; k < count * rows; ++k)
          expect_cell(out[k], one.cells(k % rows, first + k / rows));
      }
    }
  }
}

TEST(CopyRows, GivesTheCellsInEveryStorage) {
  Rng rng(1, 0);
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {1, 6}, {5, 1}, {7, 8}}) {
    for (const Unlisted unlisted : {Unlisted::zero, Unlisted::missing}) {
      const Case one = random_case(rows, cols, unlisted, rng);
      expect_copies<double>(one);
      expect_copies<float>(one);
    }
  }
}

TEST(CopyRows, RefusesWhatIsNotThere) {
  const Block block("X", Matrix(3, 2)), streamed = streamed_block(Matrix(3, 2));
  std::vector<double> out(4);
  for (const Block* one : {&block, &streamed}) {
    expect_error(ErrorCode::internal, {"asked for"},
                 [&] { copy_rows(*one, 2, 2, std::span(out)); });
    expect_error(ErrorCode::internal, {"asked for"},
                 [&] { copy_rows(*one, -1, 2, std::span(out)); });
    expect_error(ErrorCode::internal, {"asked for"},
                 [&] { copy_rows(*one, 0, 1, std::span(out)); });
  }
  expect_error(ErrorCode::internal, {"asked for"},
               [&] { copy_columns(block, 0, 1, std::span(out)); });
  expect_error(ErrorCode::internal, {"read by rows"},
               [&] { copy_columns(streamed, 0, 1, std::span(out)); });
  expect_error(ErrorCode::internal, {"not a matrix"}, [&] {
    copy_rows(Block("T", Tensor({2, 2, 2})), 0, 1, std::span(out));
  });
}

TEST(CopyRows, RefusesWhatNoFloatHolds) {
  Matrix x(2, 2);
  x(1, 1) = -1e39;
  const Block block("X", x);
  std::vector<float> out(4);
  expect_error(ErrorCode::input, {"-1e+39"}, [&] { copy_rows(block, 0, 2, std::span(out)); });
  expect_error(ErrorCode::input, {"-1e+39"}, [&] { copy_columns(block, 0, 2, std::span(out)); });
  copy_rows(block, 0, 1, std::span(out).first(2));
}

}  // namespace
}  // namespace gingham
