#include "gingham/data/sparse_matrix.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <thread>

#include "gingham/base/rng.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using test::bits_of;
using test::expect_error;
using test::to_array;
using test::to_vector;

constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();

struct Triplets {
  Index rows = 0, cols = 0;
  std::vector<std::int32_t> row, column;
  std::vector<double> value;

  void add(Index i, Index j, double x) {
    row.push_back(static_cast<std::int32_t>(i));
    column.push_back(static_cast<std::int32_t>(j));
    value.push_back(x);
  }
  SparseMatrix matrix(Duplicates rule) const {
    return SparseMatrix::from_triplets(rows, cols, to_array(row), to_array(column), to_array(value),
                                       rule);
  }
};

using Cells = std::map<std::pair<Index, Index>, double>;

Cells cells_of(const SparseMatrix& a) {
  Cells cells;
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index k = a.pointers()[i]; k < a.pointers()[i + 1]; ++k)
      cells[{i, a.columns()[k]}] = a.values()[k];
  }
  return cells;
}

// What the checking constructor says of the parts of a matrix that was made without it.
void expect_sound(const SparseMatrix& a) {
  EXPECT_NO_THROW(SparseMatrix(a.rows(), a.cols(), to_array(to_vector(a.pointers())),
                               to_array(to_vector(a.columns())), to_array(to_vector(a.values()))));
}

SparseMatrix compressed(Index rows, Index cols, std::vector<Index> pointers,
                        std::vector<std::int32_t> columns, std::vector<double> values) {
  return SparseMatrix(rows, cols, to_array(pointers), to_array(columns), to_array(values));
}

TEST(SparseMatrix, TakesWhatIsInOrder) {
  const SparseMatrix a = compressed(3, 4, {0, 2, 2, 3}, {0, 3, 1}, {1, 0, 5});
  EXPECT_EQ(a.entries(), 3);
  EXPECT_EQ(cells_of(a), (Cells{{{0, 0}, 1}, {{0, 3}, 0}, {{2, 1}, 5}}));
  EXPECT_EQ(a.bytes(), 4 * 8 + 3 * 4 + 3 * 8);
  EXPECT_EQ(SparseMatrix().rows(), 0);
  EXPECT_EQ(SparseMatrix().transposed().rows(), 0);
  EXPECT_EQ(compressed(2, 0, {0, 0, 0}, {}, {}).transposed().rows(), 0);
}

TEST(SparseMatrix, RefusesEachBrokenPromise) {
  const auto refused = [](const std::string& part, Index rows, Index cols,
                          std::vector<Index> pointers, std::vector<std::int32_t> columns,
                          std::vector<double> values) {
    expect_error(ErrorCode::input, {part},
                 [&] { compressed(rows, cols, pointers, columns, values); });
  };
  refused("-1 x 4", -1, 4, {}, {}, {});
  refused("2 x -4", 2, -4, {0, 0, 0}, {}, {});
  refused("2147483648", Index{kLargest} + 1, 4, {0}, {}, {});
  refused("2147483648", 1, Index{kLargest} + 1, {0, 0}, {}, {});
  refused("3 row pointers for 3 rows, expected 4", 3, 4, {0, 1, 1}, {0}, {1});
  refused("1 column indices but 2 values", 1, 4, {0, 1}, {0}, {1, 2});
  refused("from 1 to 1", 1, 4, {1, 1}, {0}, {1});
  refused("from 0 to 2, expected 0 to 1", 1, 4, {0, 2}, {0}, {1});
  refused("from 0 to 0, expected 0 to 1", 1, 4, {0, 0}, {0}, {1});
  refused("row pointer 2 is below", 3, 4, {0, 2, 1, 2}, {0, 1}, {1, 2});
  refused("row pointer 1 is below", 2, 4, {0, -5, 1}, {0}, {1});
  refused("row pointer 2 is below", 2, 4, {0, 100, 1}, {0}, {1});
  refused("row 0 has column index 4", 1, 4, {0, 1}, {4}, {1});
  refused("row 1 has column index -1", 2, 4, {0, 0, 1}, {-1}, {1});
  refused("do not rise", 1, 4, {0, 2}, {2, 1}, {1, 2});
  refused("do not rise", 1, 4, {0, 2}, {2, 2}, {1, 2});
}

TEST(SparseMatrix, TripletsAgreeWithAMap) {
  Rng rng = Rng::named(1, "triplets");
  for (int trial = 0; trial < 300; ++trial) {
    Triplets t{
        .rows = 1 + rng.below(12), .cols = 1 + rng.below(12), .row = {}, .column = {}, .value = {}};
    Cells expected;
    std::map<std::pair<Index, Index>, Index> first;
    bool repeated = false;
    const Index n = rng.below(60);
    for (Index k = 0; k < n; ++k) {
      const Index i = rng.below(t.rows), j = rng.below(t.cols);
      const double x = rng.uniform() < 0.1 ? 0.0 : rng.normal();
      if (trial % 2 == 0 && first.count({i, j}) > 0) continue;
      repeated = repeated || first.count({i, j}) > 0;
      first.try_emplace({i, j}, std::ssize(t.value));
      t.add(i, j, x);
      expected[{i, j}] += x;  // in the order given
    }
    const SparseMatrix a = t.matrix(Duplicates::sum);
    expect_sound(a);
    EXPECT_EQ(cells_of(a), expected);
    if (!repeated) {
      EXPECT_EQ(cells_of(t.matrix(Duplicates::error)), expected);
    }
    const SparseMatrix& back = a.transposed().transposed();
    expect_sound(a.transposed());
    EXPECT_EQ(a.transposed().rows(), a.cols());
    EXPECT_EQ(to_vector(back.pointers()), to_vector(a.pointers()));
    EXPECT_EQ(to_vector(back.columns()), to_vector(a.columns()));
    EXPECT_EQ(bits_of(back.values()), bits_of(a.values()));
    for (const auto& [place, x] : cells_of(a.transposed())) {
      EXPECT_EQ(x, (expected[{place.second, place.first}]));
    }
  }
}

TEST(SparseMatrix, NamesTheFirstTwoEntriesOfARepeatedPlace) {
  Triplets t{.rows = 5, .cols = 5, .row = {}, .column = {}, .value = {}};
  for (const auto& [i, j] : {std::pair{4, 4}, {2, 3}, {4, 4}, {2, 1}, {2, 3}, {2, 3}})
    t.add(i, j, 1.0);
  try {
    t.matrix(Duplicates::error);
    FAIL();
  } catch (const DuplicateEntry& error) {
    EXPECT_EQ(error.first(), 1);
    EXPECT_EQ(error.second(), 4);
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_NE(error.message().find("row 3, column 4"), std::string::npos);
  }
}

TEST(SparseMatrix, RefusesTripletsThatMakeNoMatrix) {
  const auto refused = [](const std::string& part, Index rows, Index cols,
                          std::vector<std::int32_t> row, std::vector<std::int32_t> column,
                          std::vector<double> value) {
    expect_error(ErrorCode::input, {part}, [&] {
      SparseMatrix::from_triplets(rows, cols, to_array(row), to_array(column), to_array(value),
                                  Duplicates::sum);
    });
  };
  refused("entry 2 is at row 3, column 1, outside of 2 x 3", 2, 3, {0, 2}, {0, 0}, {1, 1});
  refused("entry 1 is at row 1, column 4", 2, 3, {0}, {3}, {1});
  refused("entry 1 is at row 0", 2, 3, {-1}, {0}, {1});
  refused("row 2147483648, column 2147483648", 2, 3, {kLargest}, {kLargest}, {1});
  refused("entry 1 is at row 1", 0, 0, {0}, {0}, {1});
  refused("2 row indices and 1 column indices for 2 values", 2, 3, {0, 1}, {0}, {1, 2});
  refused("1 row indices and 2 column indices for 2 values", 2, 3, {0}, {0, 1}, {1, 2});
  refused("for 1 values", 2, 3, {0, 1}, {0, 1}, {1});
  refused("-1 x 3", -1, 3, {}, {}, {});
  refused("2147483648", 1, Index{kLargest} + 1, {}, {}, {});
}

TEST(SparseMatrix, IsTransposedOnceByWhoeverAsksFirst) {
  Rng rng = Rng::named(2, "transposed");
  Triplets t{.rows = 300, .cols = 200, .row = {}, .column = {}, .value = {}};
  for (int k = 0; k < 5000; ++k) t.add(rng.below(300), rng.below(200), 1.0);
  const SparseMatrix a = t.matrix(Duplicates::sum);
  std::vector<const SparseMatrix*> seen(8);
  std::vector<std::thread> threads;
  for (auto& place : seen) threads.emplace_back([&] { place = &a.transposed(); });
  for (std::thread& thread : threads) thread.join();
  for (const SparseMatrix* one : seen) EXPECT_EQ(one, seen[0]);
  const SparseMatrix copy = a;
  EXPECT_EQ(cells_of(copy.transposed()), cells_of(a.transposed()));
}

TEST(SparseMatrix, DoesNotTouchBorrowedEntries) {
  const std::vector<std::int32_t> row{1, 0, 1}, column{1, 0, 1};
  const std::vector<double> value{1, 2, 3};
  const SparseMatrix a =
      SparseMatrix::from_triplets(2, 2, Array<std::int32_t>::borrow(row.data(), 3, nullptr),
                                  Array<std::int32_t>::borrow(column.data(), 3, nullptr),
                                  Array<double>::borrow(value.data(), 3, nullptr), Duplicates::sum);
  EXPECT_EQ(cells_of(a), (Cells{{{0, 0}, 2}, {{1, 1}, 4}}));
  EXPECT_EQ(value, (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace gingham
