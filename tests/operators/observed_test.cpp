#include "gingham/operators/observed.hpp"

#include <map>

#include "gingham/operators/unfolded.hpp"
#include "operators/cases.hpp"

namespace gingham {
namespace {

using test::all_cases;
using test::Case;
using test::Place;
using test::Real;

TEST(Observed, CountsAndSumsAreThoseOfThePlainLoop) {
  ThreadPool pool(2);
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Observed data(one.block, pool);
    double n = 0.0, n_nonzeros = 0.0, squares = 0.0, most = 0.0, largest = 0.0;
    one.for_observed([&](const Place&, double x) {
      n += 1.0;
      n_nonzeros += x != 0.0 ? 1.0 : 0.0;
      squares += x * x;
      most = std::max(most, x);
      largest = std::max(largest, std::abs(x));
    });
    EXPECT_EQ(data.n_observed(), n);
    EXPECT_EQ(data.n_nonzeros(), n_nonzeros);
    EXPECT_NEAR(data.squares(), squares, 1e-13 * squares);
    EXPECT_EQ(data.largest(), most);
    EXPECT_EQ(data.largest_magnitude(), largest);
    const bool is_whole = n == static_cast<double>(one.cells.size());
    EXPECT_EQ(data.kind() == Observed::Kind::complete, is_whole);
    for (Index mode = 0; mode < data.n_modes(); ++mode) {
      const auto size = static_cast<std::size_t>(data.size(mode));
      std::vector<double> seen(size, 0.0), sums(size, 0.0);
      one.for_observed([&](const Place& at, double x) {
        seen[at[mode]] = 1.0;
        sums[at[mode]] += std::abs(x);
      });
      EXPECT_EQ(data.observed_items(mode), seen);
      const std::vector<double> found = data.item_sums(mode, [](double x) { return std::abs(x); });
      for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(found[i], sums[i], 1e-12 * (1 + sums[i]));
    }
  }
}

TEST(Observed, CellsAreTheMissingOrTheObservedOnesInOrder) {
  ThreadPool pool(2);
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Observed data(one.block, pool);
    if (data.kind() == Observed::Kind::complete) continue;
    const bool is_listed = data.kind() == Observed::Kind::listed;
    for (Index mode = 0; mode < data.n_modes(); ++mode) {
      const CellList& cells = data.cells(mode);
      std::vector<std::vector<std::pair<Index, double>>> expected(
          static_cast<std::size_t>(data.size(mode)));
      one.for_each([&](const Place& at, double x) {
        if (std::isnan(x) == is_listed) return;
        Index place = 0;
        for (std::size_t n = 0; n < at.size(); ++n) {
          if (static_cast<Index>(n) != mode) place = place * one.shape[n] + at[n];
        }
        expected[at[mode]].emplace_back(place, is_listed ? x : 0.0);
      });
      for (Index i = 0; i < data.size(mode); ++i) {
        ASSERT_EQ(cells.count(i), std::ssize(expected[i]));
        for (Index e = 0; e < cells.count(i); ++e) {
          EXPECT_EQ(cells.place(cells.begin(i) + e), expected[i][e].first);
          EXPECT_EQ(cells.values[cells.begin(i) + e], expected[i][e].second);
          EXPECT_EQ(cells.first_from(i, expected[i][e].first), cells.begin(i) + e);
        }
      }
    }
  }
}

TEST(Observed, ProductsAreThoseOfThePlainLoop) {
  ThreadPool one_thread(1), three(3);
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Observed data(one.block, three);
    std::vector<MatrixF> single;
    for (const Matrix& a : one.factors) {
      single.emplace_back(a.rows(), a.cols());
      std::copy(a.values().begin(), a.values().end(), single.back().data());
    }
    for (Index mode = 0; mode < data.n_modes(); ++mode) {
      Matrix y, again;
      data.products(mode, one.factors, y, one_thread);
      data.products(mode, one.factors, again, three);
      ASSERT_EQ(y.rows(), data.size(mode));
      ASSERT_EQ(y.cols(), one.rank());
      EXPECT_TRUE(std::equal(y.values().begin(), y.values().end(), again.values().begin()));
      MatrixF in_single;
      if (data.is_matrix()) data.products(mode, single, in_single, three);
      for (Index k = 0; k < one.rank(); ++k) {
        std::vector<Real> sums(static_cast<std::size_t>(data.size(mode)), 0), sizes = sums;
        one.for_observed([&](const Place& at, double x) {
          sums[at[mode]] += x * one.z(at, k, mode);
          sizes[at[mode]] += std::abs(x * one.z(at, k, mode));
        });
        for (Index i = 0; i < data.size(mode); ++i) {
          const auto size = static_cast<double>(sizes[i]);
          EXPECT_NEAR(y(i, k), static_cast<double>(sums[i]), 1e-14 * size);
          if (!data.is_matrix()) continue;
          EXPECT_NEAR(in_single(i, k), static_cast<double>(sums[i]), 1e-5 * size);
        }
      }
    }
    if (!data.is_matrix()) {
      MatrixF y;
      EXPECT_THROW(data.products(0, single, y, three), Error);
    }
  }
}

TEST(Observed, UnfoldedItTakesProductsWithTheCellsOfAllOtherModes) {
  ThreadPool pool(2);
  Rng rng = Rng::named(2, "unfolded");
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Observed data(one.block, pool);
    for (Index mode = 0; mode < data.n_modes(); ++mode) {
      const Unfolded x(data, mode);
      ASSERT_EQ(x.rows(), data.size(mode));
      // Its own side of A, by products with the identity; A A^T u goes over all fibres.
      const SquaredOperator products = x.products(true, pool);
      const Index n = std::min(x.rows(), x.cols());
      Matrix identity(n, n), other, squared;
      for (Index i = 0; i < n; ++i) identity(i, i) = 1.0;
      products.across(identity, other);
      products.squared(identity, 1.0, squared);
      std::vector<double> u(static_cast<std::size_t>(x.rows())), back(u.size(), 0.0);
      for (double& value : u) value = rng.normal();
      const auto a = [&](Index i, Index j) {
        return products.is_wide() ? other(j, i) : other(i, j);
      };
      Real found = 0;
      for (Index j = 0; j < x.cols(); ++j) {
        double v = 0.0;
        for (Index i = 0; i < x.rows(); ++i) v += a(i, j) * u[i];
        for (Index i = 0; i < x.rows(); ++i) back[i] += a(i, j) * v;
        found += static_cast<Real>(v) * v;
      }
      for (Index i = 0; i < n; ++i) {
        for (Index k = 0; k < n; ++k) {
          Real sum = 0;
          for (Index j = 0; j < other.rows(); ++j)
            sum += static_cast<Real>(other(j, i)) * other(j, k);
          ASSERT_NEAR(squared(i, k), static_cast<double>(sum), 1e-12 * (1.0 + data.squares()));
        }
      }
      std::map<Place, Real> fibres;
      const auto fibre = [&](Place at) {
        at[mode] = 0;
        return at;
      };
      Real squares = 0;
      one.for_observed(
          [&](const Place& at, double value) { fibres[fibre(at)] += value * u[at[mode]]; });
      std::vector<Real> expected(u.size(), 0);
      one.for_observed(
          [&](const Place& at, double value) { expected[at[mode]] += value * fibres[fibre(at)]; });
      for (const auto& [at, sum] : fibres) squares += sum * sum;
      EXPECT_NEAR(static_cast<double>(found), static_cast<double>(squares),
                  1e-12 * static_cast<double>(squares));
      for (std::size_t i = 0; i < u.size(); ++i)
        EXPECT_NEAR(back[i], static_cast<double>(expected[i]),
                    1e-12 * (1.0 + static_cast<double>(squares)));
    }
  }
}

TEST(Observed, ColumnsOfAnUnfoldedArrayAreTheItemsOfTheOnlyOtherLongMode) {
  ThreadPool pool(1);
  Rng rng = Rng::named(3, "unfolded");
  for (const test::Store store : test::kStores) {
    const Case one = test::make_case({5, 1, 7}, store, 1, 0.3, rng);
    const Observed data(one.block, pool);
    const Unfolded x(data, 0);
    ASSERT_EQ(x.cols(), 7);
    Matrix u(5, 1), v;
    for (double& value : u.values()) value = 1.0;
    std::vector<double> expected(7, 0.0);
    x.products(true, pool).across(u, v);
    EXPECT_FALSE(x.products(false, pool).across);
    one.for_observed([&](const Place& at, double value) { expected[at[2]] += value; });
    for (Index j = 0; j < 7; ++j) EXPECT_NEAR(v(j, 0), expected[j], 1e-13);
  }
}

TEST(Observed, HeldOutCellsAreObservedOnesThatAreMissingNow) {
  ThreadPool pool(2);
  for (const Case& one : all_cases()) {
    if (one.shape.size() != 2) continue;
    SCOPED_TRACE(one.what);
    const Observed all(one.block, pool);
    const Observed data(all, 6, Rng::named(4, "held out"));
    const auto n_held_out = static_cast<double>(data.held_out().size());
    EXPECT_LE(n_held_out, 6.0);
    EXPECT_EQ(data.n_observed(), all.n_observed() - n_held_out);
    double squares = all.squares();
    for (const Observed::HeldOut& cell : data.held_out()) {
      EXPECT_EQ(cell.value, one.cells[cell.row * one.shape[1] + cell.column]);
      squares -= cell.value * cell.value;
      for (const Index mode : {0, 1}) {
        const Index item = mode == 0 ? cell.row : cell.column;
        const Index other = mode == 0 ? cell.column : cell.row;
        const std::span<const std::int32_t> others = data.cells(mode).others_of(item);
        const bool is_there = std::find(others.begin(), others.end(), other) != others.end();
        EXPECT_EQ(is_there, data.kind() == Observed::Kind::holes);
      }
    }
    EXPECT_NEAR(data.squares(), squares, 1e-13 * all.squares());
    if (data.kind() == Observed::Kind::listed) {
      EXPECT_EQ(std::ssize(data.entries(0).values), static_cast<Index>(data.n_observed()));
    }
  }
}

TEST(Observed, ValuesInMissingBlocksAreNotLookedAt) {
  ThreadPool pool(2);
  Rng rng = Rng::named(5, "blocks");
  for (const test::Store store : test::kStores) {
    Case one = test::make_case({8, 9}, store, 3, 0.1, rng);
    MissingBlocks missing;
    for (Index i = 0; i < 8; ++i) missing.classes[0].push_back(i % 2);
    for (Index j = 0; j < 9; ++j) missing.classes[1].push_back(j % 3);
    missing.is_missing = {0, 1, 0, 0, 0, 1};
    const Observed data(one.block, missing, pool);
    Index n_dropped = 0;
    for (Index i = 0; i < 8; ++i) {
      for (Index j = 0; j < 9; ++j) {
        double& x = one.cells[i * 9 + j];
        if (missing.is_missing[(i % 2) * 3 + j % 3] == 0) continue;
        n_dropped += !std::isnan(x) && x != 0.0 ? 1 : 0;
        x = std::nan("");
      }
    }
    EXPECT_EQ(data.n_dropped(), n_dropped);
    double n = 0.0;
    Real along = 0, found = 0;
    one.for_observed([&](const Place& at, double x) {
      n += 1.0;
      along += x * one.z(at, 1);
    });
    EXPECT_EQ(data.n_observed(), n);
    Matrix y;
    data.products(1, one.factors, y, pool);
    for (Index j = 0; j < 9; ++j) found += static_cast<Real>(y(j, 1)) * one.factors[1](j, 1);
    EXPECT_NEAR(static_cast<double>(found), static_cast<double>(along), 1e-12);
  }
}

}  // namespace
}  // namespace gingham
