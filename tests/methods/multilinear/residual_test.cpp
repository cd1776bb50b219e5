#include "gingham/operators/residual.hpp"

#include <gtest/gtest.h>

#include "methods/multilinear/checks.hpp"
#include "support/arrays.hpp"

namespace gingham::methods::multilinear {
namespace {

using testing::Cells;
using testing::cells_of;
using testing::naive_loss;
using testing::one_thread;
using testing::random_case;
using testing::RandomCase;
using testing::Real;

TEST(Residual, SquaresAreThoseOfThePlainLoop) {
  Rng rng = Rng::named(1, "residual");
  for (int trial = 0; trial < 600; ++trial) {
    const RandomCase made = random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const auto loss = static_cast<double>(naive_loss(made.cells, made.factors));
    const Observed data(made.block, one_thread());
    EXPECT_NEAR(residual_squares(data, made.factors, one_thread()), loss, 1e-11 * loss);
    Factors halved = made.factors;
    for (double& weight : halved.weights) weight *= 0.5;
    EXPECT_NEAR(residual_squares(data, halved, one_thread(), 0.5), 0.25 * loss, 1e-11 * loss);
  }
}

// Blocks of ones and little beside them: the model nearly is the data, and nearly 0 where nothing
// is listed.
TEST(Residual, NearAPerfectFitNothingCancels) {
  Rng rng = Rng::named(2, "residual");
  for (int trial = 0; trial < 60; ++trial) {
    const Shape shape = trial % 2 == 0 ? Shape{9, 12} : Shape{6, 7, 5};
    const double little = std::pow(10.0, -4.0 - trial % 12);
    Factors factors;
    for (const Index size : shape) {
      Matrix a(size, 2);
      for (Index i = 0; i < size; ++i) {
        a(i, 0) = i < 3 ? 1.0 + rng.uniform() : little * rng.uniform();
        a(i, 1) = i < 3 ? little * rng.normal() : 1.0 + rng.uniform();
      }
      factors.modes.push_back(std::move(a));
    }
    factors.weights = {2.0, 3.0};
    Tensor x(shape);
    const Cells cells = cells_of(x);
    for (std::size_t e = 0; e < cells.x.size(); ++e) {
      const Real m = testing::model_at(factors, cells.at[e]);
      x.data()[e] = std::abs(m) < 0.5 ? 0.0 : static_cast<double>(m) * (1.0 + 1e-9 * little);
    }
    if (trial % 3 == 0) x.data()[0] = std::nan("");
    const auto loss = static_cast<double>(naive_loss(cells_of(x), factors));
    const auto squares = static_cast<double>(cells_of(x).squares());
    for (const bool is_sparse : {false, true}) {
      const Block block = is_sparse ? testing::sparse_block(x, Unlisted::zero, trial % 4 < 2)
                                    : testing::dense_block(x, trial % 4 < 2);
      const Observed data(block, one_thread());
      const double found = residual_squares(data, factors, one_thread());
      // A cell's model is rounded to eps |m|.
      EXPECT_NEAR(found, loss, 1e-14 * std::sqrt(loss * squares) + 1e-28 * squares)
          << "sparse " << is_sparse << " little " << little;
      ThreadPool three(3);
      EXPECT_EQ(residual_squares(data, factors, three), found);
    }
  }
}

// Among the listed cells that are observed.
TEST(Residual, TheLargestAndItsFibresAreThoseOfThePlainLoop) {
  Rng rng = Rng::named(3, "residual");
  for (int trial = 0; trial < 300; ++trial) {
    const RandomCase made = random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const auto size_of = [&](std::span<const Index> at, double x) {
      const auto left = static_cast<double>(
          x - testing::model_at(made.factors, std::vector<Index>(at.begin(), at.end())));
      return made.is_signed ? std::abs(left) : left;
    };
    double largest = 0.0;
    for_each_entry(made.block, [&](std::span<const Index> at, double x) {
      if (!std::isnan(x)) largest = std::max(largest, size_of(at, x));
    });
    const Observed data(made.block, one_thread());
    const std::vector<Index> place =
        largest_residual(data, made.factors, made.is_signed, one_thread());
    const double rounding = 1e-12 * testing::reach(made.cells, made.factors);
    ASSERT_EQ(place.empty(), !(largest > 0.0));
    if (place.empty()) continue;
    const auto fibres = residual_fibres(data, made.factors, place, one_thread());
    std::vector<std::vector<double>> naive;
    for (const Index size : made.block.shape()) {
      naive.emplace_back(static_cast<std::size_t>(size), 0.0);
    }
    bool is_there = false;
    for_each_entry(made.block, [&](std::span<const Index> at, double x) {
      std::vector<std::size_t> others;
      for (std::size_t n = 0; n < at.size(); ++n) {
        if (at[n] != place[n]) others.push_back(n);
      }
      if (others.size() > 1 || std::isnan(x)) return;
      const auto left = static_cast<double>(
          x - testing::model_at(made.factors, std::vector<Index>(at.begin(), at.end())));
      for (std::size_t n = 0; n < at.size(); ++n) {
        if (others.empty() || n == others[0]) naive[n][at[n]] = left;
      }
      if (others.empty()) {
        is_there = true;
        EXPECT_NEAR(size_of(at, x), largest, rounding);
      }
    });
    EXPECT_TRUE(is_there);
    for (std::size_t n = 0; n < naive.size(); ++n) {
      for (std::size_t i = 0; i < naive[n].size(); ++i) {
        EXPECT_NEAR(fibres[n][i], naive[n][i], rounding);
      }
    }
  }
}

}  // namespace
}  // namespace gingham::methods::multilinear
