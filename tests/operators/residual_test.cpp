#include "gingham/operators/residual.hpp"

#include "operators/cases.hpp"

namespace gingham {
namespace {

using test::all_cases;
using test::Case;
using test::Place;
using test::Real;
using test::Store;

// Lengths of the data and of the model's parts together: what rounding is relative to.
double reach(const Case& one) {
  Real squares = 0;
  std::vector<Real> parts(static_cast<std::size_t>(one.rank()), 0);
  one.for_each([&](const Place& at, double x) {
    squares += std::isnan(x) ? 0 : x * x;
    for (Index k = 0; k < one.rank(); ++k) {
      const Real m = one.weights[k] * one.z(at, k);
      parts[k] += m * m;
    }
  });
  Real sum = std::sqrt(squares);
  for (const Real part : parts) sum += std::sqrt(part);
  return static_cast<double>(sum);
}

TEST(Residual, SquaresAreThoseOfThePlainLoop) {
  ThreadPool pool(1), three(3);
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Observed data(one.block, pool);
    const auto loss = static_cast<double>(one.loss());
    const double found = residual_squares(data, one.model(), pool);
    EXPECT_NEAR(found, loss, 1e-11 * loss);
    EXPECT_EQ(residual_squares(data, one.model(), three), found);
    Case halved = one;
    for (double& weight : halved.weights) weight *= 0.5;
    EXPECT_NEAR(residual_squares(data, halved.model(), pool, 0.5), 0.25 * loss, 1e-11 * loss);
  }
}

TEST(Residual, HeldOutCellsAreLeftOut) {
  ThreadPool pool(2);
  for (const Case& given : all_cases()) {
    if (given.shape.size() != 2) continue;
    SCOPED_TRACE(given.what);
    const Observed all(given.block, pool);
    const Observed data(all, 9, Rng::named(1, "held out"));
    Case one = given;
    for (const Observed::HeldOut& cell : data.held_out())
      one.cells[cell.row * one.shape[1] + cell.column] = std::nan("");
    const auto loss = static_cast<double>(one.loss());
    EXPECT_NEAR(residual_squares(data, one.model(), pool), loss, 1e-11 * loss);
  }
}

// Blocks of ones and little beside them: the model nearly is the data, and nearly 0 where nothing
// is listed.
TEST(Residual, NearAPerfectFitNothingCancels) {
  Rng rng = Rng::named(2, "residual");
  ThreadPool pool(1), three(3);
  for (int trial = 0; trial < 60; ++trial) {
    const Shape shape = trial % 2 == 0 ? Shape{9, 12} : Shape{6, 7, 5};
    const double little = std::pow(10.0, -4.0 - trial % 12);
    for (const Store store : {Store::dense, Store::sparse_zero}) {
      Case one = test::make_case(shape, store, 2, 0.0, rng);
      for (Matrix& a : one.factors) {
        for (Index i = 0; i < a.rows(); ++i) {
          a(i, 0) = i < 3 ? 1.0 + rng.uniform() : little * rng.uniform();
          a(i, 1) = i < 3 ? little * rng.normal() : 1.0 + rng.uniform();
        }
      }
      one.weights = {2.0, 3.0};
      std::vector<double> near;
      Real squares = 0;
      one.for_each([&](const Place& at, double) {
        const Real m = one.model_at(at);
        near.push_back(std::abs(m) < 0.5 ? 0.0 : static_cast<double>(m) * (1.0 + 1e-9 * little));
      });
      one.cells = near;
      if (trial % 3 == 0) one.cells[0] = std::nan("");
      one.make_block();
      one.for_observed([&](const Place&, double x) { squares += x * x; });
      const auto loss = static_cast<double>(one.loss()), size = static_cast<double>(squares);
      const Observed data(one.block, pool);
      const double found = residual_squares(data, one.model(), pool);
      // A cell's model is rounded to eps |m|.
      EXPECT_NEAR(found, loss, 1e-14 * std::sqrt(loss * size) + 1e-28 * size)
          << one.what << " little " << little;
      EXPECT_EQ(residual_squares(data, one.model(), three), found);
    }
  }
}

// A model that is huge, but not where cells were observed: beyond what two doubles can tell.
TEST(Residual, HugeModelsOfMissingCellsDoNotMatter) {
  Rng rng = Rng::named(3, "residual");
  ThreadPool pool(1);
  for (const Shape& shape : {Shape{6, 50}, Shape{4, 20, 9}, Shape{3, 4, 5, 6}}) {
    for (const Store store : test::kStores) {
      if (store == Store::dense) continue;
      Case one = test::make_case(shape, store, 1, 0.1, rng);
      for (Matrix& a : one.factors) {
        for (double& x : a.values()) x = 0.5 + rng.uniform();
      }
      const std::size_t last = shape.size() - 1;
      one.factors[last](1, 0) = 1e60;
      Index e = 0;
      one.for_each([&](const Place& at, double) {
        if (at[last] == 1) one.cells[e] = std::nan("");
        ++e;
      });
      one.make_block();
      const Observed data(one.block, pool);
      const auto loss = static_cast<double>(one.loss());
      EXPECT_NEAR(residual_squares(data, one.model(), pool), loss, 1e-10 * loss) << one.what;
    }
  }
}

// Components taken away as they come, or all at once.
TEST(Residual, ListedResidualsOfAGrowingModelAreThoseOfThePlainLoop) {
  ThreadPool pool(2);
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Observed data(one.block, pool);
    for (Index first = 0; first <= one.rank(); ++first) {
      Case begun = one;
      std::fill(begun.weights.begin() + first, begun.weights.end(), 0.0);
      std::vector<double> left = listed_residuals(data, begun.model(), pool);
      take_away_listed(data, one.model(), first, left, pool);
      const CellList entries = data.entries(0);
      ASSERT_EQ(left.size(), entries.values.size());
      for (Index i = 0; i < data.size(0); ++i) {
        for (Index e = entries.begin(i); e < entries.end(i); ++e) {
          Place at{i};
          for (const auto& other : entries.others) at.push_back(other[e]);
          EXPECT_NEAR(left[e], static_cast<double>(entries.values[e] - one.model_at(at)),
                      1e-12 * reach(one));
        }
      }
    }
  }
}

// Among the cells that are observed and listed.
TEST(Residual, TheLargestAndItsFibresAreThoseOfThePlainLoop) {
  ThreadPool pool(2);
  for (const Case& one : all_cases()) {
    for (const bool is_signed : {false, true}) {
      SCOPED_TRACE(one.what);
      const Observed data(one.block, pool);
      const auto left_of = [&](const Place& at, double x) {
        return static_cast<double>(x - one.model_at(at));
      };
      const auto size_of = [&](double left) { return is_signed ? std::abs(left) : left; };
      double largest = 0.0;
      one.for_observed([&](const Place& at, double x) {
        if (one.is_listed(x)) largest = std::max(largest, size_of(left_of(at, x)));
      });
      const std::vector<Index> place = largest_residual(data, one.model(), is_signed, pool);
      const double rounding = 1e-12 * reach(one);
      ASSERT_EQ(place.empty(), !(largest > 0.0));
      if (place.empty()) continue;
      std::vector<std::vector<double>> naive;
      for (const Index size : one.shape) naive.emplace_back(static_cast<std::size_t>(size), 0.0);
      bool is_there = false;
      one.for_observed([&](const Place& at, double x) {
        if (!one.is_listed(x)) return;
        std::size_t n_elsewhere = 0, mode = 0;
        for (std::size_t n = 0; n < at.size(); ++n) {
          if (at[n] == place[n]) continue;
          ++n_elsewhere;
          mode = n;
        }
        if (n_elsewhere > 1) return;
        const double left = left_of(at, x);
        for (std::size_t n = 0; n < at.size(); ++n) {
          if (n_elsewhere == 0 || n == mode) naive[n][at[n]] = left;
        }
        if (n_elsewhere > 0) return;
        is_there = true;
        EXPECT_NEAR(size_of(left), largest, rounding);
      });
      EXPECT_TRUE(is_there);
      const auto fibres = residual_fibres(data, one.model(), place, pool);
      for (std::size_t n = 0; n < naive.size(); ++n) {
        for (std::size_t i = 0; i < naive[n].size(); ++i)
          EXPECT_NEAR(fibres[n][i], naive[n][i], rounding);
      }
    }
  }
}

}  // namespace
}  // namespace gingham
