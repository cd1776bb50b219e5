// A prepared matrix less terms against the residual written out: every preparation, with and
// without missing cells and terms, dense and sparse.
#include "gingham/operators/prepared.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "support/shuffled_executor.hpp"

namespace gingham {
namespace {

using Real = long double;

constexpr Scale kScales[] = {Scale::none, Scale::center, Scale::standardize, Scale::unit,
                             Scale::rows};

enum class Storage { dense, sparse_zero, sparse_missing };

struct Case {
  Block block;
  Matrix cells;  // NaN where missing
};

// Random cells; listed entries may be NaN, unlisted ones are zero or missing.
Case make_case(Index m, Index n, Storage storage, double missing, Rng& rng) {
  Matrix cells(m, n);
  Array<Index> pointers(m + 1);
  GrowingArray<std::int32_t> columns;
  GrowingArray<double> values;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      const bool listed = storage == Storage::dense || rng.uniform() < 0.4;
      const double value = rng.uniform() < missing ? std::nan("") : rng.normal();
      cells(i, j) = listed ? value : (storage == Storage::sparse_missing ? std::nan("") : 0.0);
      if (!listed || storage == Storage::dense) continue;
      columns.push_back(static_cast<std::int32_t>(j));
      values.push_back(value);
    }
    pointers.data()[i + 1] = values.size();
  }
  if (storage == Storage::dense) return {Block("X", cells), cells};
  SparseMatrix sparse(m, n, std::move(pointers), columns.finish(), values.finish());
  const Unlisted unlisted = storage == Storage::sparse_zero ? Unlisted::zero : Unlisted::missing;
  return {Block("X", std::move(sparse), {}, unlisted), cells};
}

std::vector<double> random_vector(Index size, Rng& rng) {
  std::vector<double> x(static_cast<std::size_t>(size));
  for (double& value : x) value = rng.uniform() < 0.3 ? 0.0 : rng.normal();
  return x;
}

// Of R, written out over the observed cells: R x with its curvature, the same of R^T, squares.
// `size`: sums of |terms| of what R is made from, which rounding is relative to.
struct WrittenOut {
  std::vector<std::vector<Real>> cells;  // NaN where missing
  std::vector<std::vector<Real>> sizes;

  struct Sums {
    std::vector<Real> y, weight, size;
  };
  Sums product(bool transposed, ConstVec x) const {
    const std::size_t m = cells.size(), n = cells[0].size();
    Sums sums;
    sums.y.assign(transposed ? n : m, 0);
    sums.weight = sums.size = sums.y;
    const Real all = norm2(x);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t to = transposed ? j : i, from = transposed ? i : j;
        sums.size[to] = std::max(sums.size[to], sizes[i][j] * all);
        if (std::isnan(cells[i][j])) continue;
        sums.y[to] += cells[i][j] * x[from];
        sums.weight[to] += static_cast<Real>(x[from]) * x[from];
      }
    }
    return sums;
  }
  Real squares() const {
    Real sum = 0;
    for (const auto& row : cells) {
      for (const Real cell : row) sum += std::isnan(cell) ? 0 : cell * cell;
    }
    return sum;
  }
  void subtract(double weight, ConstVec left, ConstVec right) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (std::size_t j = 0; j < cells[i].size(); ++j) {
        const Real term = static_cast<Real>(weight) * left[i] * right[j];
        cells[i][j] -= term;
        sizes[i][j] += std::abs(term);
      }
    }
  }
};

WrittenOut written_out(const Matrix& cells, const Preparation& p) {
  WrittenOut out;
  for (Index i = 0; i < cells.rows(); ++i) {
    std::vector<Real>&row = out.cells.emplace_back(), &size = out.sizes.emplace_back();
    for (Index j = 0; j < cells.cols(); ++j) {
      const Real scale = static_cast<Real>(p.column_scale[j]) * p.row_scale[i];
      const Real x = cells(i, j);
      row.push_back((x - p.means[j]) * scale);
      size.push_back(((std::isnan(x) ? 0 : std::abs(x)) + std::abs(p.means[j])) * scale);
    }
  }
  return out;
}

void expect_near(const std::vector<double>& found, const std::vector<Real>& wanted,
                 const std::vector<Real>& size) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], static_cast<double>(wanted[i]), static_cast<double>(1e-11L * size[i]));
  }
}

void expect_products(const PreparedMatrix& matrix, const WrittenOut& wanted, Rng& rng) {
  const std::vector<double> x = random_vector(matrix.cols(), rng),
                            u = random_vector(matrix.rows(), rng);
  for (const bool transposed : {false, true}) {
    const std::vector<double>& from = transposed ? u : x;
    const WrittenOut::Sums sums = wanted.product(transposed, from);
    std::vector<double> y(sums.y.size(), -7.0), weight(y.size(), -7.0), plain(y.size(), -7.0);
    if (transposed) {
      matrix.multiply_transposed_observed(from, y, weight);
      matrix.multiply_transposed(from, plain);
    } else {
      matrix.multiply_observed(from, y, weight);
      matrix.multiply(from, plain);
    }
    expect_near(y, sums.y, sums.size);
    expect_near(plain, sums.y, sums.size);
    expect_near(weight, sums.weight, sums.weight);
    const Products both = transposed ? matrix.column_products(from) : matrix.row_products(from);
    expect_near(both.values, sums.y, sums.size);
    for (std::size_t i = 0; matrix.squares() > 0.0 && i < y.size(); ++i)
      EXPECT_NEAR(both.norms[i], weight[i], 1e-12 * weight[i]);
    EXPECT_EQ(both.norms.each.empty(), matrix.is_complete());
  }
  const auto squares = static_cast<double>(wanted.squares());
  EXPECT_NEAR(matrix.residual_squares(), squares, 1e-10 * (1.0 + squares));
  WrittenOut less = wanted;
  less.subtract(1.0, u, x);
  const auto left = static_cast<double>(less.squares());
  EXPECT_NEAR(matrix.residual_squares(u, x), left, 1e-10 * (1.0 + left));
}

void expect_residual_sums(const PreparedMatrix& matrix, const WrittenOut& wanted, Rng& rng) {
  std::vector<std::vector<double>> u, v;
  const Index n_pairs = rng.below(4);
  for (Index k = 0; k < n_pairs; ++k) {
    u.push_back(random_vector(matrix.rows(), rng));
    v.push_back(random_vector(matrix.cols(), rng));
  }
  const std::vector<ConstVec> left(u.begin(), u.end()), right(v.begin(), v.end());
  const PreparedMatrix::ResidualSums found = matrix.residual_sums(left, right);
  const auto squares = static_cast<double>(wanted.squares());
  EXPECT_NEAR(found.squares, squares, 1e-10 * (1.0 + squares));
  ASSERT_EQ(found.products.size(), u.size());
  for (std::size_t k = 0; k < u.size(); ++k) {
    const WrittenOut::Sums sums = wanted.product(false, v[k]);
    Real product = 0, size = 0;
    for (std::size_t i = 0; i < u[k].size(); ++i) {
      product += u[k][i] * sums.y[i];
      size += std::abs(u[k][i]) * sums.size[i];
    }
    EXPECT_NEAR(found.products[k], static_cast<double>(product),
                static_cast<double>(1e-11L * size));
  }
}

class PreparedProducts : public ::testing::TestWithParam<std::tuple<Storage, double, Scale>> {};

TEST_P(PreparedProducts, AgreeWithTheResidualWrittenOut) {
  const auto [storage, missing, scale] = GetParam();
  Rng rng = Rng::named(1, "deflated");
  ThreadPool pool(2);
  for (int trial = 0; trial < 16; ++trial) {
    const Index m = 1 + rng.below(40), n = 1 + rng.below(700), n_terms = trial % 4;
    const Case made = make_case(m, n, storage, missing, rng);
    PreparedMatrix matrix(made.block, scale, pool);
    if (trial % 5 == 4) {
      std::vector<double> factors(static_cast<std::size_t>(m));
      for (double& factor : factors) factor = rng.uniform() < 0.1 ? 0.0 : 1.0 + rng.uniform();
      matrix.scale_rows(factors);
    }
    WrittenOut wanted = written_out(made.cells, matrix.preparation());
    for (Index k = 0; k < n_terms; ++k) {
      const std::vector<double> a = random_vector(m, rng), b = random_vector(n, rng);
      const double weight = rng.normal();
      matrix.subtract(weight, a, b);
      wanted.subtract(weight, a, b);
    }
    if (matrix.squares() > 0.0) expect_products(matrix, wanted, rng);
    expect_residual_sums(matrix, wanted, rng);
    std::vector<double> row(static_cast<std::size_t>(n));
    const WrittenOut whole = written_out(made.cells, matrix.preparation());
    for (Index i = 0; i < m; ++i) {
      matrix.fill_row(i, row, -3.0);
      for (Index j = 0; j < n; ++j) {
        const Real cell = whole.cells[i][j];
        EXPECT_NEAR(row[j], std::isnan(cell) ? -3.0 : static_cast<double>(cell),
                    static_cast<double>(1e-14L * whole.sizes[i][j]));
      }
    }
  }
}

// As it is: nothing learnt, squares not known.
TEST_P(PreparedProducts, WithoutPreparationAgreeToo) {
  const auto [storage, missing, scale] = GetParam();
  if (scale != Scale::none) return;
  Rng rng = Rng::named(2, "deflated");
  ThreadPool pool(2);
  for (int trial = 0; trial < 32; ++trial) {
    const Index m = 1 + rng.below(40), n = 1 + rng.below(700), n_terms = trial % 4;
    const Case made = make_case(m, n, storage, missing, rng);
    PreparedMatrix matrix(made.block, pool);
    WrittenOut wanted = written_out(made.cells, matrix.preparation());
    for (Index k = 0; k < n_terms; ++k) {
      const std::vector<double> a = random_vector(m, rng), b = random_vector(n, rng);
      const double weight = rng.normal();
      matrix.subtract(weight, a, b);
      wanted.subtract(weight, a, b);
    }
    EXPECT_TRUE(matrix.row_squares().empty());
    std::vector<double> y(static_cast<std::size_t>(m)), y_weight(y.size());
    const std::vector<double> x = random_vector(n, rng), u = random_vector(m, rng);
    std::vector<double> z(x.size()), z_weight(x.size());
    const WrittenOut::Sums of_rows = wanted.product(false, x), of_columns = wanted.product(true, u);
    matrix.multiply_observed(x, y, y_weight);
    expect_near(y, of_rows.y, of_rows.size);
    expect_near(y_weight, of_rows.weight, of_rows.weight);
    matrix.multiply_transposed_observed(u, z, z_weight);
    expect_near(z, of_columns.y, of_columns.size);
    expect_near(z_weight, of_columns.weight, of_columns.weight);
    matrix.multiply(x, y);
    expect_near(y, of_rows.y, of_rows.size);
    matrix.multiply_transposed(u, z);
    expect_near(z, of_columns.y, of_columns.size);
    const auto squares = static_cast<double>(wanted.squares());
    EXPECT_NEAR(matrix.residual_squares(), squares, 1e-10 * (1.0 + squares));
    expect_residual_sums(matrix, wanted, rng);
    wanted.subtract(1.0, u, x);
    const auto left = static_cast<double>(wanted.squares());
    EXPECT_NEAR(matrix.residual_squares(u, x), left, 1e-10 * (1.0 + left));
  }
}

INSTANTIATE_TEST_SUITE_P(Every, PreparedProducts,
                         ::testing::Combine(::testing::Values(Storage::dense, Storage::sparse_zero,
                                                              Storage::sparse_missing),
                                            ::testing::Values(0.0, 0.1, 0.9),
                                            ::testing::ValuesIn(kScales)));

TEST(PreparedMatrix, HasTheSameBitsForAnyThreads) {
  Rng rng = Rng::named(3, "threads");
  for (const Storage storage : {Storage::dense, Storage::sparse_zero, Storage::sparse_missing}) {
    const Case made = make_case(900, 130, storage, 0.1, rng);
    const std::vector<double> a = random_vector(900, rng), b = random_vector(130, rng);
    const auto numbers = [&](Executor& executor) {
      PreparedMatrix matrix(made.block, Scale::standardize, executor);
      matrix.subtract(0.7, a, b);
      std::vector<double> all = matrix.row_products(b).values;
      const Products columns = matrix.column_products(a);
      all.insert(all.end(), columns.values.begin(), columns.values.end());
      all.insert(all.end(), columns.norms.each.begin(), columns.norms.each.end());
      all.push_back(matrix.residual_squares());
      return all;
    };
    ThreadPool one(1), three(3);
    testing::ShuffledExecutor shuffled(2);
    EXPECT_EQ(numbers(one), numbers(three));
    EXPECT_EQ(numbers(one), numbers(shuffled));
  }
}

TEST(PreparedMatrix, TakesAwayAsManyTermsAsAskedFor) {
  Rng rng = Rng::named(4, "terms");
  ThreadPool pool(1);
  const Case made = make_case(9, 12, Storage::sparse_missing, 0.1, rng);
  PreparedMatrix matrix(made.block, Scale::center, pool);
  std::vector<double> squares{matrix.residual_squares()};
  for (int k = 0; k < 3; ++k) {
    matrix.subtract(1.0, random_vector(9, rng), random_vector(12, rng));
    squares.push_back(matrix.residual_squares());
  }
  EXPECT_EQ(matrix.n_terms(), 3);
  for (Index n = 0; n <= 3; ++n) {
    matrix.use_terms(n);
    EXPECT_EQ(matrix.residual_squares(), squares[static_cast<std::size_t>(n)]);
  }
  matrix.forget_terms();
  EXPECT_EQ(matrix.n_terms(), 0);
  EXPECT_EQ(matrix.residual_squares(), squares[0]);
}

// Terms that are huge where cells are missing: what is left of their sums over all cells cancels.
TEST(PreparedMatrix, TermsThatLieInMissingCellsLeaveNoRounding) {
  Rng rng = Rng::named(5, "holes");
  ThreadPool pool(1);
  Matrix cells(6, 40);
  for (double& cell : cells.values()) cell = rng.uniform() < 0.5 ? 0.0 : 1.0 + rng.uniform();
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 20; ++j) cells(i, j) = std::nan("");
  }
  std::vector<double> x(40), a(6, 1.0), b(40);
  for (std::size_t j = 0; j < 40; ++j) {
    x[j] = j < 20 ? 1e9 : rng.normal();
    b[j] = j < 20 ? 1e9 : rng.normal();
  }
  for (const bool is_sparse : {false, true}) {
    const Block block = is_sparse ? Block("X", SparseMatrix::from_dense(cells)) : Block("X", cells);
    PreparedMatrix matrix(block, Scale::center, pool);
    matrix.subtract(1.0, a, b);
    const Products found = matrix.row_products(x);
    for (Index i = 0; i < 6; ++i) {
      Real y = 0, weight = 0;
      for (Index j = 20; j < 40; ++j) {
        y += (matrix.preparation()(i, j, cells(i, j)) - static_cast<Real>(b[j])) * x[j];
        weight += static_cast<Real>(x[j]) * x[j];
      }
      EXPECT_NEAR(found.values[i], static_cast<double>(y), 1e-12 * static_cast<double>(weight));
      EXPECT_NEAR(found.norms[i], static_cast<double>(weight), 1e-12 * static_cast<double>(weight));
    }
  }
}

TEST(PreparedMatrix, WithoutObservedCellsIsZeroEverywhere) {
  ThreadPool pool(1);
  Matrix cells(3, 4);
  for (double& cell : cells.values()) cell = std::nan("");
  const Block blocks[] = {
      Block("dense", cells), Block("listed", SparseMatrix::from_dense(cells)),
      Block("unlisted", SparseMatrix::from_dense(Matrix(3, 4)), {}, Unlisted::missing)};
  const std::vector<double> x{1.0, -2.0, 0.0, 3.0}, u{1.0, 1.0, 2.0};
  for (const Block& block : blocks) {
    for (const Scale scale : kScales) {
      PreparedMatrix matrix(block, scale, pool);
      matrix.subtract(2.0, u, x);
      std::vector<double> y(3, -7.0), weight(3, -7.0);
      matrix.multiply_observed(x, y, weight);
      EXPECT_EQ(y, std::vector<double>(3, 0.0)) << block.name();
      EXPECT_EQ(weight, y) << block.name();
      EXPECT_EQ(matrix.row_products(x).values, y);
      EXPECT_EQ(matrix.residual_squares(), 0.0);
      EXPECT_EQ(matrix.seen_rows(), std::vector<std::uint8_t>(3, 0));
    }
  }
}

TEST(PreparedMatrix, KnowsWhichRowsWereSeen) {
  ThreadPool pool(1);
  Matrix cells(3, 2);
  cells(0, 0) = cells(0, 1) = cells(2, 0) = std::nan("");
  for (const bool is_sparse : {false, true}) {
    const Block block = is_sparse ? Block("X", SparseMatrix::from_dense(cells)) : Block("X", cells);
    EXPECT_EQ(PreparedMatrix(block, pool).seen_rows(), (std::vector<std::uint8_t>{0, 1, 1}));
  }
}

TEST(PreparedMatrix, IsTheSameAtHugeAndTinyScalesOnceScaled) {
  Rng rng = Rng::named(6, "scales");
  ThreadPool pool(1);
  const Case made = make_case(15, 20, Storage::dense, 0.1, rng);
  const std::vector<double> x = random_vector(20, rng), a = random_vector(15, rng);
  for (const Scale scale : {Scale::standardize, Scale::unit, Scale::rows}) {
    for (const int exponent : {-900, 900}) {
      Matrix far = made.cells;
      for (double& cell : far.values()) cell = std::ldexp(cell, exponent);
      for (const bool is_sparse : {false, true}) {
        const auto block = [&](const Matrix& cells) {
          return is_sparse ? Block("X", SparseMatrix::from_dense(cells)) : Block("X", cells);
        };
        const Block near_block = block(made.cells), far_block = block(far);
        PreparedMatrix near_matrix(near_block, scale, pool), far_matrix(far_block, scale, pool);
        near_matrix.subtract(0.1, a, x);
        far_matrix.subtract(0.1, a, x);
        const std::vector<double> one = near_matrix.row_products(x).values,
                                  other = far_matrix.row_products(x).values;
        for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-12);
        EXPECT_NEAR(near_matrix.residual_squares(), far_matrix.residual_squares(), 1e-11);
      }
    }
  }
}

// Whatever comes with it: other rows, more of them, with or without gaps.
TEST(PreparedMatrix, OfNewRowsHasTheSameBitsForARowAlone) {
  Rng rng = Rng::named(7, "new rows");
  ThreadPool pool(2);
  const Index n = 30, d = 700;
  for (const Storage storage : {Storage::dense, Storage::sparse_zero, Storage::sparse_missing}) {
    for (const bool has_unit_rows : {false, true}) {
      Case made = make_case(n, d, storage, 0.0, rng);
      Matrix with_gaps = made.cells;
      for (Index j = 0; j < d; j += 2) with_gaps(n - 1, j) = std::nan("");
      std::vector<double> means = random_vector(d, rng), scales = random_vector(d, rng);
      const std::vector<double> x = random_vector(d, rng), other = random_vector(d, rng);
      const auto block = [&](const Matrix& cells) {
        if (storage == Storage::dense) return Block("X", cells);
        const Unlisted rest = storage == Storage::sparse_zero ? Unlisted::zero : Unlisted::missing;
        return Block("X", SparseMatrix::from_dense(cells), {}, rest);
      };
      const auto numbers = [&](const Matrix& cells, Index row) {
        const Block fresh = block(cells);
        PreparedMatrix matrix(fresh, prepare_new(fresh, means, scales, has_unit_rows, pool), pool);
        matrix.subtract(0.3, std::vector<double>(static_cast<std::size_t>(cells.rows()), 0.7),
                        other);
        const Products found = matrix.row_products(x);
        const auto at = static_cast<std::size_t>(row);
        return std::vector<double>{found.values[at], found.norms[at], matrix.row_squares()[at]};
      };
      for (Index i = 0; i < n - 1; ++i) {
        Matrix alone(1, d);
        std::copy_n(made.cells.row(i).begin(), d, alone.row(0).begin());
        EXPECT_EQ(numbers(alone, 0), numbers(made.cells, i));
        EXPECT_EQ(numbers(alone, 0), numbers(with_gaps, i));
      }
    }
  }
}

TEST(PreparedMatrix, SaysWhenAVectorDoesNotFit) {
  ThreadPool pool(1);
  const Block block("X", Matrix(3, 4));
  PreparedMatrix matrix(block, pool);
  std::vector<double> three(3), four(4);
  EXPECT_THROW(matrix.multiply(three, four), Error);
  EXPECT_THROW(matrix.multiply_transposed(four, three), Error);
  EXPECT_THROW(matrix.multiply_observed(four, three, four), Error);
  EXPECT_THROW(matrix.row_products(three), Error);
  EXPECT_THROW(matrix.subtract(1.0, four, three), Error);
  EXPECT_THROW(matrix.fill_row(0, three), Error);
  EXPECT_THROW(matrix.scale_rows(four), Error);
  EXPECT_THROW(prepare_new(block, three, four, false, pool), Error);
}

// A block that is listed whole and explained but for 1e-9 of it, with a little of the terms
// outside.
TEST(PreparedMatrix, TheResidualOfANearlyPerfectFitOfSparseDataKeepsItsDigits) {
  Rng rng = Rng::named(7, "perfect");
  ThreadPool pool(1);
  const Index m = 12, n = 30;
  std::vector<double> u(12), v(30);
  for (Index i = 0; i < m; ++i) u[i] = i < 6 ? 1.0 + rng.uniform() : 0.0;
  for (Index j = 0; j < n; ++j) v[j] = j < 10 ? 1.0 + rng.uniform() : 1e-9 * rng.normal();
  Matrix x(m, n);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 10; ++j) x(i, j) = u[i] * v[j] * (1.0 + 1e-9 * rng.normal());
  }
  const Block block("X", SparseMatrix::from_dense(x));
  long double expected = 0.0L;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      const long double rest = x(i, j) - static_cast<long double>(u[i]) * v[j];
      expected += rest * rest;
    }
  }
  const double found = PreparedMatrix(block, pool).residual_squares(u, v);
  EXPECT_NEAR(found, static_cast<double>(expected), 1e-6 * static_cast<double>(expected));
  PreparedMatrix rest(block, pool);
  rest.subtract(1.0, u, v);
  EXPECT_NEAR(rest.residual_squares(), static_cast<double>(expected),
              1e-6 * static_cast<double>(expected));
}

// Large terms that take each other away but for 1e-6: what they leave in unlisted cells is small
// beside each of them, not beside their sum.
TEST(PreparedMatrix, TermsThatCancelEachOtherKeepTheirDigits) {
  Rng rng = Rng::named(8, "terms that cancel");
  ThreadPool pool(1);
  const Index m = 9, n = 25;
  std::vector<double> u(9), v(25), w(25);
  for (double& one : u) one = rng.normal();
  for (Index j = 0; j < n; ++j) {
    v[j] = rng.normal();
    w[j] = v[j] * (1.0 + 1e-6 * rng.normal());
  }
  Matrix x(m, n);
  for (Index i = 0; i < m; ++i) x(i, i) = 1e-7;
  const Block block("X", SparseMatrix::from_dense(x));
  PreparedMatrix rest(block, pool);
  rest.subtract(1.0, u, v);
  rest.subtract(-1.0, u, w);
  long double expected = 0.0L;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      const long double left =
          x(i, j) - static_cast<long double>(u[i]) * v[j] + static_cast<long double>(u[i]) * w[j];
      expected += left * left;
    }
  }
  EXPECT_NEAR(rest.residual_squares(), static_cast<double>(expected),
              1e-8 * static_cast<double>(expected));
}

}  // namespace
}  // namespace gingham
