// A prepared matrix against the one it stands for, formed by plain loops.
#include "gingham/operators/preparation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "gingham/operators/prepared.hpp"
#include "support/shuffled_executor.hpp"

namespace gingham {
namespace {

using Real = long double;

constexpr Scale kScales[] = {Scale::none, Scale::center, Scale::standardize, Scale::unit,
                             Scale::rows};

// Cells of the prepared matrix; NaN where the cell is missing.
std::vector<std::vector<Real>> formed(const Block& block, Scale scale) {
  const Index n = block.shape()[0], d = block.shape()[1];
  std::vector<std::vector<Real>> x;
  for_each_row(block, [&](Index, ConstVec row) { x.emplace_back(row.begin(), row.end()); });
  if (scale == Scale::none) return x;
  Real all_squares = 0;
  for (Index j = 0; j < d; ++j) {
    Real count = 0, mean = 0, squares = 0, first = 0;
    bool varies = false;
    for (Index i = 0; i < n; ++i) {
      if (std::isnan(x[i][j])) continue;
      if (count == 0) first = x[i][j];
      varies = varies || x[i][j] != first;
      ++count;
      mean += x[i][j];
    }
    mean = count > 0 ? mean / count : 0;
    if (!varies) mean = first;
    for (Index i = 0; i < n; ++i) {
      x[i][j] -= mean;
      if (!std::isnan(x[i][j])) squares += x[i][j] * x[i][j];
    }
    all_squares += squares;
    if (scale != Scale::standardize) continue;
    for (Index i = 0; i < n; ++i) x[i][j] *= varies ? 1 / std::sqrt(squares / count) : 0;
  }
  for (std::vector<Real>& row : x) {
    Real squares = 0;
    for (const Real cell : row) squares += std::isnan(cell) ? 0 : cell * cell;
    for (Real& cell : row) {
      if (scale == Scale::unit) cell *= all_squares > 0 ? 1 / std::sqrt(all_squares) : 0;
      if (scale == Scale::rows) cell *= squares > 0 ? 1 / std::sqrt(squares) : 0;
    }
  }
  return x;
}

struct Sums {
  std::vector<Real> y, weight, size;  // size: sum of |terms|, what rounding is relative to
};

Sums product(const std::vector<std::vector<Real>>& x, bool transposed, ConstVec v) {
  const std::size_t n = x.size(), d = x[0].size();
  Sums sums;
  sums.y.assign(transposed ? d : n, 0);
  sums.weight = sums.size = sums.y;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      if (std::isnan(x[i][j])) continue;
      const std::size_t to = transposed ? j : i, from = transposed ? i : j;
      sums.y[to] += x[i][j] * v[from];
      sums.size[to] += std::abs(x[i][j] * v[from]);
      sums.weight[to] += static_cast<Real>(v[from]) * v[from];
    }
  }
  return sums;
}

// The largest |cell| that enters, in the units of the prepared matrix: corrections of a sparse one
// round at this size.
Real cell_size(const Block& block, const PreparedMatrix& view) {
  Real largest = 0;
  for_each_row(block, [&](Index i, ConstVec row) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      const Real cell = std::isnan(row[j]) ? 0 : std::abs(row[j]);
      largest = std::max(largest, (cell + std::abs(view.preparation().means[j])) *
                                      view.preparation().column_scale[j] *
                                      view.preparation().row_scale[i]);
    }
  });
  return largest;
}

void expect_same(const Block& block, Scale scale, Executor& executor) {
  SCOPED_TRACE(block.name() + ", scale " + std::to_string(static_cast<int>(scale)));
  const std::vector<std::vector<Real>> x = formed(block, scale);
  const PreparedMatrix view(block, scale, executor);
  const Index n = view.rows(), d = view.cols();
  Real squares = 0;
  const Real cell = cell_size(block, view);
  std::vector<double> row(static_cast<std::size_t>(d));
  for (Index i = 0; i < n; ++i) {
    Real row_squares = 0;
    view.fill_row(i, row);
    for (Index j = 0; j < d; ++j) {
      const Real wanted = std::isnan(x[i][j]) ? 0 : x[i][j];
      row_squares += wanted * wanted;
      EXPECT_NEAR(row[j], static_cast<double>(wanted), static_cast<double>(1e-12L * cell));
    }
    EXPECT_NEAR(view.row_squares()[i], static_cast<double>(row_squares),
                static_cast<double>(1e-12L * (row_squares + cell * cell)));
    squares += row_squares;
  }
  EXPECT_NEAR(view.squares(), static_cast<double>(squares), static_cast<double>(1e-12L * squares));

  Rng rng = Rng::named(5, "vectors");
  for (const bool transposed : {false, true}) {
    std::vector<double> v(static_cast<std::size_t>(transposed ? n : d));
    for (double& value : v) value = rng.uniform() < 0.3 ? 0.0 : rng.normal();
    const Sums wanted = product(x, transposed, v);
    std::vector<double> y(wanted.y.size(), -7.0), weight(y.size(), -7.0), plain(y.size(), -7.0);
    if (transposed) {
      view.multiply_transposed(v, plain);
      view.multiply_transposed_observed(v, y, weight);
    } else {
      view.multiply(v, plain);
      view.multiply_observed(v, y, weight);
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto allowed =
          static_cast<double>(1e-13L * (wanted.size[i] + cell * static_cast<Real>(v.size())));
      EXPECT_NEAR(y[i], static_cast<double>(wanted.y[i]), allowed) << transposed << " " << i;
      EXPECT_NEAR(plain[i], static_cast<double>(wanted.y[i]), allowed) << transposed << " " << i;
      EXPECT_NEAR(weight[i], static_cast<double>(wanted.weight[i]),
                  static_cast<double>(1e-12L * wanted.weight[i]));
    }
  }
}

Matrix random_matrix(Index n, Index d, std::uint64_t seed, double zeros, double missing) {
  Rng rng = Rng::named(seed, "scaling");
  Matrix x(n, d);
  for (double& cell : x.values()) {
    cell = rng.uniform() < zeros ? 0.0 : 2.0 + rng.normal();
    if (rng.uniform() < missing) cell = std::nan("");
  }
  return x;
}

SparseMatrix listed(const Matrix& x, bool with_zeros) {
  if (!with_zeros) return SparseMatrix::from_dense(x);
  GrowingArray<std::int32_t> row, column;
  GrowingArray<double> value;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      if ((i + 2 * j) % 3 == 0) continue;
      row.push_back(static_cast<std::int32_t>(i));
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(x(i, j));
    }
  }
  return SparseMatrix::from_triplets(x.rows(), x.cols(), row.finish(), column.finish(),
                                     value.finish(), Duplicates::error);
}

void expect_same_in_every_form(const Matrix& x) {
  ThreadPool pool(2);
  for (const Scale scale : kScales) {
    expect_same(Block("dense", x), scale, pool);
    expect_same(Block("sparse", listed(x, false)), scale, pool);
    expect_same(Block("sparse with listed zeros", listed(x, true)), scale, pool);
    expect_same(Block("unlisted missing", listed(x, true), {}, Unlisted::missing), scale, pool);
  }
}

TEST(Preparation, IsTheMatrixItStandsFor) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto n = static_cast<Index>(1 + seed * 3), d = static_cast<Index>(1 + seed * seed % 17);
    for (const double zeros : {0.0, 0.7}) {
      for (const double missing : {0.0, 0.2, 0.9}) {
        expect_same_in_every_form(random_matrix(n, d, seed, zeros, missing));
      }
    }
  }
}

TEST(Preparation, TakesConstantColumnsZeroRowsAndWholeHoles) {
  Matrix x = random_matrix(9, 6, 3, 0.4, 0.0);
  for (Index i = 0; i < 9; ++i) x(i, 2) = 0.1;  // a sum of these is not nine times 0.1
  for (Index i = 0; i < 9; ++i) x(i, 3) = 0.0;
  for (Index i = 0; i < 9; ++i) x(i, 4) = std::nan("");
  for (double& cell : x.row(5)) cell = 0.0;
  x(5, 2) = 0.1;
  for (double& cell : x.row(7)) cell = std::nan("");
  expect_same_in_every_form(x);
  ThreadPool pool(1);
  const Block block("dense", x);
  const PreparedMatrix view(block, Scale::standardize, pool);
  EXPECT_EQ(view.preparation().constant_columns, 3);
  EXPECT_EQ(view.preparation().column_scale[2], 0.0);
  EXPECT_EQ(view.preparation().column_scale[4], 0.0);
  EXPECT_EQ(view.row_squares()[7], 0.0);
}

TEST(Preparation, OfEqualRowsIsExactlyZeroWhenCentred) {
  Matrix x(7, 3);
  for (Index i = 0; i < 7; ++i) {
    for (Index j = 0; j < 3; ++j) x(i, j) = 0.1 + static_cast<double>(j) / 3.0;
  }
  ThreadPool pool(1);
  for (const Scale scale : {Scale::center, Scale::standardize, Scale::unit, Scale::rows}) {
    const Block block("x", x);
    EXPECT_EQ(PreparedMatrix(block, scale, pool).squares(), 0.0);
  }
}

TEST(Preparation, HugeAndTinyScalesChangeNothingOnceScaled) {
  const Matrix x = random_matrix(20, 5, 9, 0.3, 0.1);
  ThreadPool pool(1);
  for (const Scale scale : {Scale::standardize, Scale::unit, Scale::rows}) {
    for (const int exponent : {-900, -500, 500, 900}) {
      Matrix far = x;
      for (double& cell : far.values()) cell = std::ldexp(cell, exponent);
      for (const bool sparse : {false, true}) {
        const Block near_block = sparse ? Block("x", listed(x, false)) : Block("x", x);
        const Block far_block = sparse ? Block("x", listed(far, false)) : Block("x", far);
        const PreparedMatrix near_view(near_block, scale, pool), far_view(far_block, scale, pool);
        std::vector<double> near_row(5), far_row(5);
        for (Index i = 0; i < 20; ++i) {
          near_view.fill_row(i, near_row);
          far_view.fill_row(i, far_row);
          for (Index j = 0; j < 5; ++j) EXPECT_NEAR(near_row[j], far_row[j], 1e-14);
        }
        EXPECT_NEAR(near_view.squares(), far_view.squares(), 1e-12 * near_view.squares());
      }
    }
  }
}

TEST(Preparation, IsTheSameForAnyThreads) {
  const Block block("x", random_matrix(3000, 70, 4, 0.5, 0.1));
  const auto numbers = [&](Executor& executor) {
    const PreparedMatrix view(block, Scale::standardize, executor);
    std::vector<double> x(70, 0.3), y(3000), back(70);
    view.multiply(x, y);
    view.multiply_transposed(y, back);
    back.push_back(view.squares());
    return back;
  };
  ThreadPool one(1), three(3);
  testing::ShuffledExecutor shuffled(2);
  EXPECT_EQ(numbers(one), numbers(three));
  EXPECT_EQ(numbers(one), numbers(shuffled));
}

}  // namespace
}  // namespace gingham
