// Deflated against the residual written out, with and without missing cells, dense and sparse.
#include "gingham/operators/deflated.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

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

class DeflatedProducts : public ::testing::TestWithParam<std::tuple<Storage, double>> {};

TEST_P(DeflatedProducts, AgreeWithTheResidualWrittenOut) {
  const auto [storage, missing] = GetParam();
  Rng rng = Rng::named(1, "deflated");
  ThreadPool pool(2);
  for (int trial = 0; trial < 60; ++trial) {
    const Index m = 1 + rng.below(40), n = 1 + rng.below(700), n_terms = trial % 4;
    Case made = make_case(m, n, storage, missing, rng);
    Deflated deflated(made.block);
    Matrix residual = made.cells;
    for (Index k = 0; k < n_terms; ++k) {
      const std::vector<double> a = random_vector(m, rng), b = random_vector(n, rng);
      const double weight = rng.normal();
      deflated.subtract(weight, a, b);
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < n; ++j) residual(i, j) -= weight * a[i] * b[j];
      }
    }
    const std::vector<double> x = random_vector(n, rng), u = random_vector(m, rng);
    std::vector<double> y(u.size()), y_weight(u.size()), z(x.size()), z_weight(x.size());
    std::vector<double> ry(u.size()), ry_weight(u.size()), rz(x.size()), rz_weight(x.size());
    double squares = 0.0;
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (std::isnan(residual(i, j))) continue;
        ry[i] += residual(i, j) * x[j];
        ry_weight[i] += x[j] * x[j];
        rz[j] += residual(i, j) * u[i];
        rz_weight[j] += u[i] * u[i];
        squares += std::pow(residual(i, j) - u[i] * x[j], 2);
      }
    }
    const auto near = [&](const std::vector<double>& found, const std::vector<double>& expected) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], 1e-10 * (1.0 + std::abs(expected[i])));
      }
    };
    deflated.multiply_observed(x, y, y_weight, pool);
    near(y, ry);
    near(y_weight, ry_weight);
    deflated.multiply_transposed_observed(u, z, z_weight, pool);
    near(z, rz);
    near(z_weight, rz_weight);
    deflated.multiply(x, y, pool);
    near(y, ry);
    deflated.multiply_transposed(u, z, pool);
    near(z, rz);
    EXPECT_NEAR(deflated.residual_squared(u, x, pool), squares, 1e-10 * (1.0 + squares));
    double plain = 0.0;
    for (const double r : residual.values()) plain += std::isnan(r) ? 0.0 : r * r;
    EXPECT_NEAR(deflated.squared(pool), plain, 1e-10 * (1.0 + plain));
  }
}

INSTANTIATE_TEST_SUITE_P(Every, DeflatedProducts,
                         ::testing::Combine(::testing::Values(Storage::dense, Storage::sparse_zero,
                                                              Storage::sparse_missing),
                                            ::testing::Values(0.0, 0.1, 0.9)));

// A block that is listed whole and explained but for 1e-9 of it, with a little of the terms
// outside.
TEST(Deflated, TheResidualOfANearlyPerfectFitOfSparseDataKeepsItsDigits) {
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
  const auto found = Deflated(block).residual_squared(u, v, pool);
  EXPECT_NEAR(found, static_cast<double>(expected), 1e-6 * static_cast<double>(expected));
  Deflated deflated(block);
  deflated.subtract(1.0, u, v);
  EXPECT_NEAR(deflated.squared(pool), static_cast<double>(expected),
              1e-6 * static_cast<double>(expected));
}

}  // namespace
}  // namespace gingham
