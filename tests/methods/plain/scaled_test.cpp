// Scalings against their definitions, column by column; sparse as dense; rows of length 1.
#include "gingham/methods/plain/scaled.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gingham/base/rng.hpp"

namespace gingham::methods::plain {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Columns: ordinary, with holes, constant, zero, unobserved, mostly zero.
Matrix awkward() {
  Rng rng = Rng::named(9, "scaled");
  Matrix x(8, 6);
  for (Index i = 0; i < x.rows(); ++i) {
    x(i, 0) = 5.0 + rng.uniform();
    x(i, 1) = i % 3 == 0 ? kMissing : rng.uniform();
    x(i, 2) = 2.5;
    x(i, 3) = 0.0;
    x(i, 4) = kMissing;
    x(i, 5) = i == 4 ? 3.0 : 0.0;
  }
  return x;
}

TEST(PlainScaling, IsByTheObservedCellsOfAColumn) {
  const Matrix x = awkward();
  const Block dense("x", x), sparse("x", SparseMatrix::from_dense(x));
  for (const char* scale : {"none", "center", "standardize", "unit", "rows"}) {
    const Scaling found(dense, scale), listed(sparse, scale);
    const bool is_none = scale == std::string("none");
    Reals mean, squares, count;
    Real all = 0;
    for (Index j = 0; j < x.cols(); ++j) {
      Real sum = 0, n = 0, deviations = 0;
      for (Index i = 0; i < x.rows(); ++i) {
        if (std::isnan(x(i, j))) continue;
        sum += x(i, j);
        n += 1;
      }
      for (Index i = 0; i < x.rows(); ++i) {
        if (!std::isnan(x(i, j))) deviations += std::pow(x(i, j) - sum / n, 2);
      }
      mean.push_back(sum / n);
      squares.push_back(deviations);
      count.push_back(n);
      all += deviations;
    }
    for (Index j = 0; j < x.cols(); ++j) {
      const std::string at = std::string(scale) + " column " + std::to_string(j);
      const bool varies = squares[j] > 1e-20L;
      Real factor = varies ? 1 : count[j] > 0 ? 0 : Real{NAN};
      if (varies && at.starts_with("standardize")) factor = 1 / std::sqrt(squares[j] / count[j]);
      if (varies && at.starts_with("unit")) factor = 1 / std::sqrt(all);
      for (const Scaling* one : {&found, &listed}) {
        if (is_none || count[j] > 0) {
          EXPECT_NEAR(static_cast<double>(one->mean[j]), static_cast<double>(is_none ? 0 : mean[j]),
                      1e-15)
              << at;
          EXPECT_NEAR(static_cast<double>(one->factor[j]),
                      static_cast<double>(is_none ? 1 : factor), 1e-14)
              << at;
        } else {
          EXPECT_TRUE(std::isnan(one->mean[j]) && std::isnan(one->factor[j])) << at;
        }
      }
    }
  }
}

TEST(PlainScaling, CellsAreTheObservedOnesAndRowsHaveLengthOne) {
  const Matrix x = awkward();
  const Block block("x", x);
  const Reals rho{1, 2, 3, 4, 5, 6, 7, 8};
  for (const char* scale : {"center", "rows"}) {
    const Scaling scaling(block, scale);
    Reals squares(8, 0);
    Index n_cells = 0;
    ScaledCells(block, scaling, rho).for_each([&](std::span<const Index> at, Real v, Real weight) {
      EXPECT_FALSE(std::isnan(x(at[0], at[1])));
      EXPECT_EQ(weight, rho[at[0]]);
      squares[at[0]] += v * v;
      ++n_cells;
    });
    EXPECT_EQ(n_cells, 8 * 6 - 8 - 3);
    for (const Real one : squares) {
      if (!scaling.by_rows) break;
      EXPECT_NEAR(static_cast<double>(one), 1.0, 1e-15);
    }
  }
}

}  // namespace
}  // namespace gingham::methods::plain
