#include "gingham/operators/item_grams.hpp"

#include "gingham/operators/model_values.hpp"
#include "gingham/operators/new_items.hpp"
#include "operators/cases.hpp"

namespace gingham {
namespace {

using test::all_cases;
using test::Case;
using test::Place;
using test::Real;
using test::Store;

// Per item the sum over its observed cells of z z^T, those that the block lists alone or all.
std::vector<std::vector<Real>> plain_grams(const Case& one, Index mode) {
  const Index n = one.rank();
  std::vector<std::vector<Real>> sums(static_cast<std::size_t>(one.shape[mode]),
                                      std::vector<Real>(static_cast<std::size_t>(n * n), 0));
  one.for_observed([&](const Place& at, double) {
    for (Index k = 0; k < n; ++k) {
      for (Index l = 0; l < n; ++l)
        sums[at[mode]][k * n + l] += one.z(at, k, mode) * one.z(at, l, mode);
    }
  });
  return sums;
}

void expect_grams(const Case& one, double share) {
  SCOPED_TRACE(one.what);
  ThreadPool pool(2);
  const Observed data(one.block, pool);
  const Index n = one.rank();
  std::vector<double> room, column(static_cast<std::size_t>(n));
  Matrix z, runs;
  for (Index mode = 0; mode < data.n_modes(); ++mode) {
    const std::vector<std::vector<Real>> expected = plain_grams(one, mode);
    const std::vector<Matrix> whole = whole_grams(data, mode, one.factors, pool);
    const ItemGrams grams(data, mode, one.factors, whole);
    for (Index i = 0; i < data.size(mode); ++i) {
      grams.make(i, z, room);
      const bool has_runs = data.kind() != Observed::Kind::listed;
      if (has_runs) grams.runs().gram(i, runs);
      for (Index k = 0; k < n; ++k) {
        if (has_runs) grams.column(i, k, column);
        for (Index l = 0; l < n; ++l) {
          const auto size = static_cast<double>(std::sqrt(expected[i][k * n + k]) *
                                                std::sqrt(expected[i][l * n + l]));
          const auto value = static_cast<double>(expected[i][k * n + l]);
          EXPECT_NEAR(z(k, l), value, share * size);
          if (!has_runs) continue;
          EXPECT_NEAR(runs(k, l), value, 1e-13 * size);
          EXPECT_NEAR(column[l], value, 1e-13 * size);
        }
      }
    }
  }
}

TEST(ItemGrams, AreThoseOfThePlainLoop) {
  for (const Case& one : all_cases()) expect_grams(one, 1e-11);
}

// Factors that are huge where an item misses cells: the difference is all rounding.
TEST(ItemGrams, WhatIsLeftOfADifferenceIsSummedItself) {
  Rng rng = Rng::named(2, "item grams");
  for (const Shape& shape : {Shape{6, 90}, Shape{5, 40, 33}, Shape{3, 4, 20, 5}}) {
    for (const Store store : {Store::sparse_zero, Store::dense_with_gaps}) {
      for (const Index rank : {1, 3, 9}) {
        Case one = test::make_case(shape, store, rank, 0.02, rng);
        const std::size_t last = shape.size() - 1;
        for (Index k = 0; k < rank; ++k) one.factors[last](2, k) = 1e9 * rng.normal();
        Place place;
        Index e = 0;
        one.for_each([&](const Place& at, double) {
          if (at[last] == 2 && at[0] % 2 == 0) one.cells[e] = std::nan("");
          ++e;
        });
        one.make_block();
        expect_grams(one, 1e-11);
      }
    }
  }
}

TEST(ItemGrams, ManyCellsOfAnItemAreNotVisitedOneByOne) {
  ThreadPool pool(1);
  constexpr Index kItems = 20000;  // 4 * 10^8 cells per item of the first mode
  std::vector<Array<std::int32_t>> at;
  at.push_back(test::to_array(std::vector<std::int32_t>{0, 0, 1}));
  at.push_back(test::to_array(std::vector<std::int32_t>{7, 19000, 3}));
  at.push_back(test::to_array(std::vector<std::int32_t>{5, 100, 3}));
  const Block block(
      "X", SparseTensor::from_coordinates(
               {2, kItems, kItems}, std::move(at),
               test::to_array(std::vector<double>{std::nan(""), 1.0, 1.0}), Duplicates::error));
  const Observed data(block, pool);
  std::vector<Matrix> factors;
  for (const Index size : {Index{2}, kItems, kItems}) {
    factors.emplace_back(size, 1);
    for (double& x : factors.back().values()) x = 1.0;
  }
  factors[1](7, 0) = factors[2](5, 0) = 1e12;
  const std::vector<Matrix> whole = whole_grams(data, 0, factors, pool);
  Matrix z;
  std::vector<double> room;
  ItemGrams(data, 0, factors, whole).make(0, z, room);
  const double rest = kItems - 1;  // without the huge cell: its row and its column, and the rest
  const double expected = 2.0 * 1e24 * rest + rest * rest;
  EXPECT_NEAR(z(0, 0), expected, 1e-12 * expected);
}

TEST(NewItems, SumsAreThoseOfThePlainLoop) {
  ThreadPool pool(2);
  constexpr double kScale = 0.5;
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Index n = one.rank();
    for (Index mode = 0; mode < std::ssize(one.shape); ++mode) {
      const NewItems items(one.block, mode, one.factors, kScale, pool);
      ASSERT_EQ(items.count(), one.shape[mode]);
      ASSERT_EQ(items.rank(), n);
      EXPECT_EQ(items.blocks().n_items(), items.count());
      Matrix q;
      std::vector<double> room;
      const std::vector<std::vector<Real>> grams = plain_grams(one, mode);
      for (Index i = 0; i < items.count(); ++i) {
        Real squares = 0;
        Index n_observed = 0, n_cells = 0;
        std::vector<Real> sums(static_cast<std::size_t>(n), 0), sizes = sums;
        one.for_each([&](const Place& at, double x) {
          if (at[mode] != i) return;
          ++n_cells;
          if (std::isnan(x)) return;
          ++n_observed;
          squares += kScale * kScale * x * x;
          for (Index k = 0; k < n; ++k) {
            sums[k] += kScale * x * one.z(at, k, mode);
            sizes[k] += std::abs(kScale * x * one.z(at, k, mode));
          }
        });
        const NewItem& seen = items.seen(i);
        EXPECT_EQ(seen.has_some, n_observed > 0);
        EXPECT_EQ(seen.has_all, n_observed == n_cells);
        EXPECT_NEAR(seen.squares, static_cast<double>(squares),
                    1e-13 * static_cast<double>(squares));
        for (Index k = 0; k < n; ++k)
          EXPECT_NEAR(items.y(i)[k], static_cast<double>(sums[k]),
                      1e-13 * static_cast<double>(sizes[k]));
        if (!seen.has_all) items.gram_of(i, q, room);
        const Matrix& found = seen.has_all ? items.whole() : q;
        for (Index e = 0; e < n * n; ++e) {
          const auto size = static_cast<double>(std::sqrt(grams[i][e / n * (n + 1)]) *
                                                std::sqrt(grams[i][e % n * (n + 1)]));
          EXPECT_NEAR(found.data()[e], static_cast<double>(grams[i][e]), 1e-11 * size);
        }
      }
    }
  }
}

TEST(ModelValues, SquaresAreThoseOfThePlainLoop) {
  ThreadPool pool(3);
  Rng rng = Rng::named(3, "model values");
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Observed data(one.block, pool);
    Case direction = one;
    for (Matrix& a : direction.factors) {
      for (double& x : a.values()) x = rng.normal();
    }
    for (double& x : direction.weights) x = rng.normal();
    const std::vector<double> places{0.0, 0.5, 2.0};
    std::vector<Case> points;
    for (const double s : places) {
      points.push_back(one);
      for (std::size_t n = 0; n < one.factors.size(); ++n) {
        for (Index e = 0; e < one.factors[n].size(); ++e)
          points.back().factors[n].data()[e] += s * std::as_const(direction.factors[n]).data()[e];
      }
      for (std::size_t k = 0; k < one.weights.size(); ++k)
        points.back().weights[k] += s * direction.weights[k];
    }
    const Matrix found =
        ModelValues(data.cells(0), one.model(), direction.model(), places).squares(pool);
    const bool is_listed = data.kind() == Observed::Kind::listed;
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = 0; b < places.size(); ++b) {
        Real sum = 0, size = 0;
        one.for_each([&](const Place& at, double x) {
          if (std::isnan(x) == is_listed) return;
          const Real product = points[a].model_at(at) * points[b].model_at(at);
          sum += product;
          size += std::abs(product);
        });
        EXPECT_NEAR(found(static_cast<Index>(a), static_cast<Index>(b)), static_cast<double>(sum),
                    1e-9 * static_cast<double>(size));
      }
    }
  }
}

}  // namespace
}  // namespace gingham
