#include "gingham/data/row_source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gingham/base/rng.hpp"
#include "support/arrays.hpp"
#include "support/matrix_rows.hpp"

namespace gingham {
namespace {

using test::bits_of;
using test::expect_error;
using test::streamed_block;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Matrix random_matrix(Index rows, Index cols, double missing, Rng& rng) {
  Matrix x(rows, cols);
  for (double& value : x.values()) {
    const double u = rng.uniform();
    value = u < missing ? kNan : u < missing + 0.2 ? 0.0 : std::ldexp(rng.normal(), -30);
  }
  return x;
}

// One row, one column, a run of rows and a bit, a row longer than a run.
const std::vector<std::pair<Index, Index>> kSizes{{1, 1},      {1, 9},     {7, 1},      {5, 3},
                                                  {70000, 3},  {43691, 3}, {2, 131072}, {3, 140001},
                                                  {131073, 1}, {1024, 129}};

TEST(StreamedBlock, TellsWhatTheSameMatrixInMemoryTells) {
  Rng rng(1, 0);
  for (const auto& [rows, cols] : kSizes) {
    for (const double missing : {0.0, 0.3, 1.0}) {
      const Matrix x = random_matrix(rows, cols, missing, rng);
      const Block held("held", x), streamed = streamed_block(x);
      EXPECT_TRUE(streamed.is_matrix());
      EXPECT_FALSE(streamed.is_sparse());
      EXPECT_EQ(streamed.dense_matrix(), nullptr);
      EXPECT_EQ(streamed.sparse_matrix(), nullptr);
      ASSERT_NE(streamed.row_source(), nullptr);
      EXPECT_EQ(held.row_source(), nullptr);
      EXPECT_EQ(streamed.digest(), held.digest());
      const Summary &a = streamed.summary(), &b = held.summary();
      EXPECT_EQ(a.shape, b.shape);
      EXPECT_EQ(a.nonzeros, b.nonzeros);
      EXPECT_EQ(a.missing, b.missing);
      EXPECT_EQ(a.listed, b.listed);
      EXPECT_EQ(bits_of(std::vector{a.min, a.max, a.sum}),
                bits_of(std::vector{b.min, b.max, b.sum}));
      EXPECT_EQ(a.bytes, 0);
      EXPECT_EQ(Dataset(streamed).bytes(), 0);
    }
  }
}

TEST(StreamedBlock, GivesEveryRowAndEveryEntryOnceInOrder) {
  Rng rng(2, 0);
  for (const auto& [rows, cols] : kSizes) {
    const Matrix x = random_matrix(rows, cols, 0.1, rng);
    const Block streamed = streamed_block(x);
    std::vector<double> by_row, by_entry;
    for_each_row(streamed, [&](Index i, ConstVec row) {
      EXPECT_EQ(i * x.cols(), std::ssize(by_row));
      by_row.insert(by_row.end(), row.begin(), row.end());
    });
    for_each_entry(streamed, [&](std::span<const Index> at, double value) {
      ASSERT_EQ(at[0] * x.cols() + at[1], std::ssize(by_entry));
      by_entry.push_back(value);
    });
    EXPECT_EQ(bits_of(by_row), bits_of(x.values()));
    EXPECT_EQ(bits_of(by_entry), bits_of(x.values()));
  }
}

TEST(StreamedBlock, IsCheckedAsOthersAre) {
  Matrix x(3, 2);
  x(1, 0) = -kInf;
  expect_error(ErrorCode::input, {"infinite value at (2, 1)"}, [&] { streamed_block(x); });
  expect_error(ErrorCode::input, {"2 labels for the 3 items of mode 0"}, [] {
    streamed_block(Matrix(3, 2), {{"a", "b"}});
  });
  expect_error(ErrorCode::input, {"is empty"}, [] { streamed_block(Matrix(0, 2)); });
  expect_error(ErrorCode::internal, {"without a source"},
               [] { Block("X", std::shared_ptr<const RowSource>()); });
}

}  // namespace
}  // namespace gingham
