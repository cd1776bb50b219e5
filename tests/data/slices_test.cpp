#include "gingham/data/slices.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

constexpr Index kShape[] = {3, 4, 5};

std::vector<Labels> labels() {
  std::vector<Labels> all(3);
  for (Index mode = 0; mode < 3; ++mode) {
    for (Index i = 0; i < kShape[mode]; ++i)
      all[mode].push_back(std::to_string(mode) + "/" + std::to_string(i));
  }
  return all;
}

// Every third cell, one of them missing.
double cell(Index i, Index j, Index k) {
  if ((i + 2 * j + 3 * k) % 3 != 0) return 0.0;
  return i == 1 && j == 1 && k == 0 ? std::nan("") : static_cast<double>(100 * i + 10 * j + k + 1);
}

Block dense() {
  Tensor tensor({3, 4, 5});
  double* out = tensor.data();
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 4; ++j)
      for (Index k = 0; k < 5; ++k) *out++ = cell(i, j, k);
  return Block("cube", std::move(tensor), labels());
}

Block sparse(Unlisted unlisted) {
  std::vector<std::vector<std::int32_t>> at(3);
  std::vector<double> values;
  for (std::int32_t k = 4; k >= 0; --k)  // not in order
    for (std::int32_t i = 0; i < 3; ++i)
      for (std::int32_t j = 0; j < 4; ++j) {
        if (cell(i, j, k) == 0.0) continue;
        at[0].push_back(i);
        at[1].push_back(j);
        at[2].push_back(k);
        values.push_back(cell(i, j, k));
      }
  return Block("cube",
               SparseTensor::from_coordinates(
                   {3, 4, 5}, {test::to_array(at[0]), test::to_array(at[1]), test::to_array(at[2])},
                   test::to_array(values), Duplicates::error),
               labels(), unlisted);
}

// What slice `item` of `mode` holds at (row, column), by naive indexing; NaN as the number -1.
double expected(Index mode, Index item, Index row, Index column) {
  const double value = mode == 0   ? cell(item, row, column)
                       : mode == 1 ? cell(row, item, column)
                                   : cell(row, column, item);
  return std::isnan(value) ? -1.0 : value;
}

TEST(Slices, AgreeWithNaiveIndexing) {
  for (const Block& block : {dense(), sparse(Unlisted::zero), sparse(Unlisted::missing)}) {
    for (Index mode = 0; mode < 3; ++mode) {
      const std::vector<Block> cut = slices(block, mode);
      ASSERT_EQ(std::ssize(cut), kShape[mode]);
      const Index rows = mode == 0 ? 1 : 0, columns = mode == 2 ? 1 : 2;
      Index missing = 0;
      for (Index item = 0; item < kShape[mode]; ++item) {
        const Block& one = cut[item];
        ASSERT_EQ(one.shape(), (Shape{kShape[rows], kShape[columns]}));
        EXPECT_EQ(one.is_sparse(), block.is_sparse());
        EXPECT_EQ(one.unlisted(), block.unlisted());
        EXPECT_EQ(one.labels(0), block.labels(rows));
        EXPECT_EQ(one.labels(1), block.labels(columns));
        EXPECT_EQ(one.name(),
                  "cube[mode_" + std::to_string(mode) + " = " + std::to_string(item) + "]");
        missing += one.summary().missing;
        Index seen = 0, wanted = 0;
        for_each_entry(one, [&](std::span<const Index> at, double value) {
          EXPECT_EQ(std::isnan(value) ? -1.0 : value, expected(mode, item, at[0], at[1]));
          seen += value != 0.0 ? 1 : 0;
        });
        for (Index i = 0; i < kShape[rows]; ++i)
          for (Index j = 0; j < kShape[columns]; ++j)
            wanted += expected(mode, item, i, j) != 0.0 ? 1 : 0;
        EXPECT_EQ(seen, wanted);
      }
      EXPECT_EQ(missing, block.summary().missing);
    }
  }
}

TEST(Slices, ASliceMayBeEmpty) {
  const Block block("x", SparseTensor::from_coordinates(
                             {2, 2, 2},
                             {test::to_array<std::int32_t>({1}), test::to_array<std::int32_t>({0}),
                              test::to_array<std::int32_t>({1})},
                             test::to_array<double>({7}), Duplicates::error));
  const std::vector<Block> cut = slices(block, 0);
  EXPECT_EQ(cut[0].summary().listed, 0);
  EXPECT_EQ(cut[1].sparse_matrix()->values()[0], 7.0);
}

TEST(Slices, RefusesWhatIsNoTensorOfThreeModes) {
  test::expect_error(ErrorCode::input, {"flat", "2 modes (2 x 2)"},
                     [] { slices(Block("flat", Matrix(2, 2)), 0); });
  test::expect_error(ErrorCode::input, {"4 modes"}, [] {
    slices(Block("deep", Tensor({2, 2, 2, 2})), 0);
  });
  test::expect_error(ErrorCode::usage, {"no mode 3"}, [] { slices(dense(), 3); });
  test::expect_error(ErrorCode::usage, {"no mode -1"}, [] { slices(dense(), -1); });
}

// Every entry keeps its value and its other indices; the new one is 0.
void expect_slice_of(const Block& block) {
  for (Index mode = 0; mode <= block.modes(); ++mode) {
    const Block slice = as_slice(block, mode);
    Shape shape = block.shape();
    shape.insert(shape.begin() + mode, 1);
    EXPECT_EQ(slice.shape(), shape);
    EXPECT_EQ(slice.is_sparse(), block.is_sparse());
    EXPECT_EQ(slice.unlisted(), block.unlisted());
    std::vector<std::pair<std::vector<Index>, double>> before, after;
    for_each_entry(block, [&](std::span<const Index> at, double x) {
      std::vector<Index> place(at.begin(), at.end());
      place.insert(place.begin() + mode, 0);
      before.emplace_back(place, std::isnan(x) ? -1e300 : x);
    });
    for_each_entry(slice, [&](std::span<const Index> at, double x) {
      after.emplace_back(std::vector<Index>(at.begin(), at.end()), std::isnan(x) ? -1e300 : x);
    });
    EXPECT_EQ(before, after) << "mode " << mode;
  }
}

TEST(AsSlice, IsTheSameWithOneMoreMode) {
  Matrix x(3, 4);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = i % 3 == 0 ? 0.0 : static_cast<double>(i);
  x(1, 1) = std::nan("");
  expect_slice_of(Block("dense", x, {{"a", "b", "c"}, {}}));
  expect_slice_of(Block("sparse", SparseMatrix::from_dense(x), {}, Unlisted::missing));
  Tensor t({2, 3, 2});
  for (Index i = 0; i < t.size(); ++i) t.data()[i] = static_cast<double>(i);
  expect_slice_of(Block("tensor", t));
  const Block named = as_slice(Block("dense", x, {{"a", "b", "c"}, {}}), 1);
  EXPECT_EQ(named.labels(0), (Labels{"a", "b", "c"}));
  EXPECT_TRUE(named.labels(1).empty() && named.labels(2).empty());
  EXPECT_THROW(as_slice(Block("dense", x), 3), Error);
}

}  // namespace
}  // namespace gingham
