#include "gingham/data/dataset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "gingham/base/rng.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using test::bits_of;
using test::expect_error;
using test::to_array;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// One block in all four kinds of storage: the cells in order, NaN for missing, and which are
// listed.
struct Plain {
  Shape shape;
  std::vector<double> cells;
  std::vector<bool> listed;
};

Plain random_plain(const Shape& shape, double missing, double zero, double listed, Rng& rng) {
  Plain plain{shape, {}, {}};
  for (Index k = 0; k < cells(shape); ++k) {
    const double u = rng.uniform();
    plain.cells.push_back(u < missing ? kNan : u < missing + zero ? 0.0 : rng.normal());
    plain.listed.push_back(rng.uniform() < listed);
  }
  return plain;
}

Block dense_block(const Plain& plain) {
  if (plain.shape.size() == 2) {
    return Block("dense", Matrix(plain.shape[0], plain.shape[1], to_array(plain.cells)));
  }
  return Block("dense", Tensor(plain.shape, to_array(plain.cells)));
}

Block sparse_block(const Plain& plain, Unlisted unlisted) {
  std::vector<std::vector<std::int32_t>> index(plain.shape.size());
  std::vector<double> values;
  for (std::size_t k = 0; k < plain.cells.size(); ++k) {
    if (!plain.listed[k]) continue;
    auto rest = static_cast<Index>(k);
    for (std::size_t m = plain.shape.size(); m-- > 0; rest /= plain.shape[m]) {
      index[m].push_back(static_cast<std::int32_t>(rest % plain.shape[m]));
    }
    values.push_back(plain.cells[k]);
  }
  if (plain.shape.size() == 2) {
    return Block(
        "sparse",
        SparseMatrix::from_triplets(plain.shape[0], plain.shape[1], to_array(index[0]),
                                    to_array(index[1]), to_array(values), Duplicates::error),
        {}, unlisted);
  }
  std::vector<Array<std::int32_t>> coordinates;
  for (const auto& one : index) coordinates.push_back(to_array(one));
  return Block("sparse",
               SparseTensor::from_coordinates(plain.shape, std::move(coordinates), to_array(values),
                                              Duplicates::error),
               {}, unlisted);
}

void expect_summary(const Block& block, const std::vector<double>& meaning, Index listed) {
  Index missing = 0, nonzeros = 0;
  double low = kNan, high = kNan;
  long double sum = 0, size = 0;
  for (const double x : meaning) {
    if (std::isnan(x)) {
      ++missing;
      continue;
    }
    nonzeros += x != 0.0 ? 1 : 0;
    low = std::fmin(low, x);
    high = std::fmax(high, x);
    sum += x;
    size += std::abs(x);
  }
  const Summary& summary = block.summary();
  EXPECT_EQ(summary.missing, missing);
  EXPECT_EQ(block.has_missing(), missing > 0);
  EXPECT_EQ(summary.nonzeros, nonzeros);
  EXPECT_EQ(summary.listed, listed);
  EXPECT_NEAR(summary.sum, static_cast<double>(sum), 1e-13 * static_cast<double>(size));
  if (missing == std::ssize(meaning)) {
    EXPECT_TRUE(std::isnan(summary.min) && std::isnan(summary.max));
  } else {
    EXPECT_EQ(summary.min, low);
    EXPECT_EQ(summary.max, high);
  }
}

TEST(Block, SummaryAgreesWithPlainLoops) {
  Rng rng = Rng::named(1, "summary");
  const std::vector<Shape> shapes{{1, 1}, {5, 7}, {40, 3}, {6}, {3, 4, 5}, {2, 3, 2, 2}};
  for (int trial = 0; trial < 300; ++trial) {
    const Shape& shape = shapes[trial % shapes.size()];
    const std::array<double, 3> shares{0.0, 0.3, 1.0};
    const Plain plain = random_plain(shape, shares[trial / 2 % 3], trial % 5 == 0 ? 1.0 : 0.2,
                                     shares[trial / 6 % 3], rng);
    expect_summary(dense_block(plain), plain.cells, std::ssize(plain.cells));
    const Index n_listed = std::count(plain.listed.begin(), plain.listed.end(), true);
    for (const Unlisted unlisted : {Unlisted::zero, Unlisted::missing}) {
      std::vector<double> meaning = plain.cells;
      for (std::size_t k = 0; k < meaning.size(); ++k) {
        if (!plain.listed[k]) meaning[k] = unlisted == Unlisted::zero ? 0.0 : kNan;
      }
      const Block block = sparse_block(plain, unlisted);
      expect_summary(block, meaning, n_listed);
      if (!block.is_matrix()) continue;
      std::vector<double> rows;
      for_each_row(block, [&](Index i, ConstVec row) {
        EXPECT_EQ(i * shape[1], std::ssize(rows));
        rows.insert(rows.end(), row.begin(), row.end());
      });
      EXPECT_EQ(std::ssize(rows), std::ssize(meaning));
      for (std::size_t k = 0; k < rows.size(); ++k) {
        EXPECT_TRUE(rows[k] == meaning[k] || (std::isnan(rows[k]) && std::isnan(meaning[k])));
      }
    }
  }
}

TEST(Block, VisitsEveryListedEntryInOrder) {
  Rng rng = Rng::named(2, "visit");
  for (const Shape& shape : {Shape{4, 5}, Shape{7}, Shape{3, 2, 4}}) {
    const Plain plain = random_plain(shape, 0.0, 0.2, 0.5, rng);
    for (const bool sparse : {false, true}) {
      std::vector<double> seen;
      std::vector<Index> places;
      const Block block = sparse ? sparse_block(plain, Unlisted::zero) : dense_block(plain);
      for_each_entry(block, [&](std::span<const Index> at, double value) {
        Index place = 0;
        for (std::size_t m = 0; m < shape.size(); ++m) place = place * shape[m] + at[m];
        places.push_back(place);
        seen.push_back(value);
      });
      std::vector<double> values;
      std::vector<Index> expected;
      for (std::size_t k = 0; k < plain.cells.size(); ++k) {
        if (sparse && !plain.listed[k]) continue;
        values.push_back(plain.cells[k]);
        expected.push_back(static_cast<Index>(k));
      }
      EXPECT_EQ(seen, values);
      EXPECT_EQ(places, expected);
    }
  }
}

TEST(Block, RefusesInfinitiesAndNamesThePlace) {
  Rng rng = Rng::named(3, "infinite");
  for (const double bad : {kInf, -kInf}) {
    Plain plain = random_plain({4, 5}, 0.1, 0.1, 1.0, rng);
    plain.cells[13] = bad;  // row 3, column 4
    expect_error(ErrorCode::input, {"dense", "infinite", "(3, 4)"}, [&] { dense_block(plain); });
    expect_error(ErrorCode::input, {"sparse", "(3, 4)"},
                 [&] { sparse_block(plain, Unlisted::zero); });
    expect_error(ErrorCode::input, {"(3, 4)"}, [&] { sparse_block(plain, Unlisted::missing); });
    Plain all = random_plain({2, 2, 2}, 0.0, 0.0, 1.0, rng);
    all.cells.assign(8, bad);
    expect_error(ErrorCode::input, {"(1, 1, 1)"}, [&] { dense_block(all); });
    expect_error(ErrorCode::input, {"(1, 1, 1)"}, [&] { sparse_block(all, Unlisted::missing); });
  }
}

TEST(Block, RefusesEmptyModesAndLabelsThatDoNotFit) {
  expect_error(ErrorCode::input, {"0 x 3"}, [] { Block("b", Matrix(0, 3)); });
  expect_error(ErrorCode::input, {"3 x 0"}, [] { Block("b", Matrix(3, 0)); });
  expect_error(ErrorCode::input, {"0 x 0"}, [] { Block("b", SparseMatrix()); });
  expect_error(ErrorCode::input, {"no modes"}, [] { Block("b", Tensor(Shape{})); });
  expect_error(ErrorCode::input, {"-2 x -3"}, [] {
    Block("b", Tensor({-2, -3}, Array<double>(6)));
  });
  expect_error(ErrorCode::input, {"b", "1 labels for the 2 items of mode 0"}, [] {
    Block("b", Matrix(2, 3), {{"x"}, {}});
  });
  expect_error(ErrorCode::input, {"4 labels for the 3 items of mode 1"}, [] {
    Block("b", Matrix(2, 3), {{}, {"a", "b", "c", "d"}});
  });
  expect_error(ErrorCode::input, {"3 lists of labels for 2 modes"}, [] {
    Block("b", Matrix(2, 3), {{}, {}, {"a"}});
  });
  const Block block("b", Matrix(2, 3), {{"x", "y"}});
  EXPECT_EQ(block.labels(0)[1], "y");
  EXPECT_TRUE(block.labels(1).empty());
}

TEST(Block, CountsStopAtTheLargestForHugeShapes) {
  const Shape huge{kMaxSparseModeSize, kMaxSparseModeSize, kMaxSparseModeSize};
  for (const Unlisted unlisted : {Unlisted::zero, Unlisted::missing}) {
    std::vector<Array<std::int32_t>> coordinates(3, Array<std::int32_t>(1));
    const Block block("huge",
                      SparseTensor::from_coordinates(huge, coordinates, to_array<double>({5.0}),
                                                     Duplicates::error),
                      {}, unlisted);
    EXPECT_EQ(block.summary().min, unlisted == Unlisted::zero ? 0.0 : 5.0);
    EXPECT_EQ(block.summary().max, 5.0);
    EXPECT_EQ(block.summary().missing,
              unlisted == Unlisted::zero ? 0 : std::numeric_limits<Index>::max() - 1);
  }
}

TEST(Block, DigestChangesWithEachIngredientAndNotWithTheName) {
  const auto dense = [](Index rows, Index cols, std::vector<double> values) {
    return Block("x", Matrix(rows, cols, to_array(values))).digest();
  };
  const auto sparse = [](Index rows, Index cols, std::vector<std::int32_t> row,
                         std::vector<std::int32_t> column, std::vector<double> value,
                         Unlisted unlisted) {
    return Block("x",
                 SparseMatrix::from_triplets(rows, cols, to_array(row), to_array(column),
                                             to_array(value), Duplicates::error),
                 {}, unlisted)
        .digest();
  };
  const auto tensor = [](const Shape& shape, std::int32_t place, double value, Unlisted unlisted) {
    std::vector<Array<std::int32_t>> coordinates(shape.size(), to_array<std::int32_t>({place}));
    return Block("x",
                 SparseTensor::from_coordinates(shape, coordinates, to_array<double>({value}),
                                                Duplicates::error),
                 {}, unlisted)
        .digest();
  };
  const std::vector<std::string> different{
      dense(2, 3, {1, 2, 3, 4, 5, 6}),
      dense(3, 2, {1, 2, 3, 4, 5, 6}),
      dense(2, 3, {1, 2, 3, 4, 5, 7}),
      dense(2, 3, {2, 1, 3, 4, 5, 6}),
      dense(2, 3, {1, 2, 3, 4, 5, kNan}),
      Block("x", Tensor({2, 3}, to_array<double>({1, 2, 3, 4, 5, 6}))).digest(),
      Block("x", Tensor({6}, to_array<double>({1, 2, 3, 4, 5, 6}))).digest(),
      sparse(2, 3, {0, 1}, {0, 1}, {1, 2}, Unlisted::zero),
      sparse(2, 3, {0, 1}, {0, 1}, {1, 2}, Unlisted::missing),
      sparse(2, 4, {0, 1}, {0, 1}, {1, 2}, Unlisted::zero),
      sparse(2, 3, {0, 0}, {0, 1}, {1, 2}, Unlisted::zero),
      sparse(2, 3, {0, 1}, {0, 2}, {1, 2}, Unlisted::zero),
      sparse(2, 3, {0, 1}, {0, 1}, {1, 3}, Unlisted::zero),
      tensor({2, 3}, 1, 2.0, Unlisted::zero),
      tensor({2, 3}, 1, 2.0, Unlisted::missing),
      tensor({2, 3}, 0, 2.0, Unlisted::zero),
      tensor({2, 3, 2}, 1, 2.0, Unlisted::zero),
  };
  EXPECT_EQ(std::set<std::string>(different.begin(), different.end()).size(), different.size());
  EXPECT_EQ(
      Block("other", Matrix(2, 3, to_array<double>({1, 2, 3, 4, 5, 6})), {{"a", "b"}}).digest(),
      different[0]);
  // A dense block has no unlisted cells, so what they mean does not matter.
  EXPECT_EQ(Block("x", Matrix(2, 3, to_array<double>({1, 2, 3, 4, 5, 6})), {}, Unlisted::missing)
                .digest(),
            different[0]);
  // The order in which triplets were given does not matter.
  EXPECT_EQ(sparse(2, 3, {1, 0}, {1, 0}, {2, 1}, Unlisted::zero), different[7]);
}

static_assert(std::is_nothrow_move_constructible_v<Block>,
              "growing a list of blocks must not copy them");

TEST(Dataset, SharesItsBlocksAndLeavesBorrowedDataAlone) {
  const std::vector<double> lent{1, kNan, -0.0, 4};
  const std::vector<std::uint64_t> before = bits_of(lent);
  const Dataset data(Matrix(2, 2, Array<double>::borrow(lent.data(), 4, nullptr)));
  EXPECT_EQ(data.size(), 1);
  EXPECT_EQ(data.block(0).name(), "X");
  EXPECT_EQ(data.bytes(), 32);
  const Dataset copy = data;
  EXPECT_EQ(&copy.block(0), &data.block(0));
  data.block(0).digest();
  EXPECT_EQ(bits_of(lent), before);
  EXPECT_EQ(data.block(0).dense_matrix()->data(), lent.data());
  EXPECT_EQ(Dataset().size(), 0);
  EXPECT_EQ(Dataset().bytes(), 0);
}

TEST(Block, KnowsItsKind) {
  const Block dense("d", Matrix(1, 1)), tensor("t", Tensor({1, 1}));
  EXPECT_TRUE(dense.is_matrix() && !dense.is_sparse() && dense.dense_matrix() &&
              !dense.dense_tensor());
  EXPECT_TRUE(!tensor.is_matrix() && !tensor.is_sparse() && tensor.dense_tensor() &&
              !tensor.sparse_tensor());
  expect_error(ErrorCode::internal, {"t"}, [&] { for_each_row(tensor, [](Index, ConstVec) {}); });
}

}  // namespace
}  // namespace gingham
