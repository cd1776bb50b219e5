#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "gingham/data/matrix.hpp"
#include "gingham/data/tensor.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using test::to_array;

constexpr Index kMost = std::numeric_limits<Index>::max();

TEST(Matrix, LiesRowByRow) {
  Matrix a(2, 3, to_array<double>({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(a(1, 0), 4);
  EXPECT_EQ(a.row(1)[2], 6);
  EXPECT_EQ(a.size(), 6);
  EXPECT_EQ(a.bytes(), 48);
  Matrix b = a;
  b(0, 1) = 20;
  EXPECT_EQ(std::as_const(a)(0, 1), 2);
  EXPECT_EQ(Matrix(2, 3)(1, 1), 0.0);
  EXPECT_EQ(Matrix(5, 0).row(4).size(), 0u);
}

TEST(Matrix, RefusesAWrongNumberOfValues) {
  EXPECT_THROW(Matrix(2, 3, Array<double>(5)), Error);
  EXPECT_THROW(Matrix(kMost, 2), Error);
  EXPECT_THROW(Matrix(kMost, 2, Array<double>(0)), Error);
}

TEST(Matrix, ReadsBorrowedValuesAndWritesItsOwn) {
  const std::vector<double> lent{1, 2, 3, 4};
  Matrix a(2, 2, Array<double>::borrow(lent.data(), 4, nullptr));
  EXPECT_EQ(std::as_const(a).data(), lent.data());
  a(1, 1) = 40;
  EXPECT_EQ(lent[3], 4);
  EXPECT_EQ(a(1, 1), 40);
}

TEST(Tensor, CountsCellsAndNamesShapes) {
  EXPECT_EQ(cells({80, 80, 8}), 51200);
  EXPECT_EQ(cells({}), 1);
  EXPECT_EQ(cells({5, 0, 7}), 0);
  EXPECT_THROW(cells({kMost, 2}), Error);
  EXPECT_EQ(shape_text({80, 80, 8}), "80 x 80 x 8");
  EXPECT_EQ(shape_text({3}), "3");
  EXPECT_EQ(shape_text({}), "");
}

TEST(Tensor, HoldsOneValuePerCell) {
  Tensor t({2, 3, 4});
  EXPECT_EQ(t.size(), 24);
  EXPECT_EQ(std::accumulate(t.values().begin(), t.values().end(), 0.0), 0.0);
  EXPECT_THROW(Tensor({2, 3}, Array<double>(5)), Error);
  EXPECT_THROW(Tensor({kMost, 2}), Error);
  const std::vector<double> lent{1, 2};
  Tensor borrowed({2}, Array<double>::borrow(lent.data(), 2, nullptr));
  borrowed.values()[0] = 9;
  EXPECT_EQ(lent[0], 1);
}

}  // namespace
}  // namespace gingham
