#include "gingham/methods/multilinear/start.hpp"

#include <gtest/gtest.h>

#include "methods/multilinear/checks.hpp"
#include "support/dense.hpp"

namespace gingham::methods::multilinear {
namespace {

using testing::Cells;
using testing::cells_of;
using testing::naive_loss;
using testing::one_thread;
using testing::Real;

Context context(std::uint64_t seed) { return {one_thread(), seed, 0}; }

Tensor random_array(const Shape& shape, bool is_signed, Rng& rng) {
  return testing::random_tensor(shape, is_signed ? 0 : 2, is_signed, rng);
}

// Items of a mode by all cells of the others.
Eigen::MatrixXd unfolded(const Tensor& x, Index mode) {
  Index left = 1, right = 1;
  for (Index m = 0; m < x.modes(); ++m) {
    if (m < mode) left *= x.shape()[m];
    if (m > mode) right *= x.shape()[m];
  }
  const Index items = x.shape()[mode];
  Eigen::MatrixXd matrix(items, left * right);
  for (Index l = 0; l < left; ++l) {
    for (Index i = 0; i < items; ++i) {
      for (Index r = 0; r < right; ++r) {
        matrix(i, l * right + r) = x.data()[(l * items + i) * right + r];
      }
    }
  }
  return matrix;
}

TEST(SvdStart, HoldsTheSingularVectorsOfTheUnfoldings) {
  Rng rng = Rng::named(1, "svd start");
  for (const bool is_signed : {true, false}) {
    for (const Shape& shape : {Shape{9, 7}, Shape{6, 5, 7}, Shape{4, 5, 3, 6}}) {
      const Tensor x = random_array(shape, is_signed, rng);
      for (const bool is_sparse : {false, true}) {
        const Block block =
            is_sparse ? testing::sparse_block(x, Unlisted::zero) : testing::dense_block(x);
        const Observed data(block, one_thread());
        Context ctx = context(0);
        const Factors factors = svd_factors(data, 2, is_signed, ctx);
        SCOPED_TRACE(shape_text(shape) + (is_sparse ? " sparse" : " dense"));
        for (Index n = 0; n < x.modes(); ++n) {
          const testing::DenseSvd svd = testing::dense_svd(unfolded(x, n));
          for (Index k = 0; k < 2; ++k) {
            // Signs are free; without signs only the one part or the other is there.
            double up = 0.0, down = 0.0;
            for (Index i = 0; i < shape[n]; ++i) {
              const double u = svd.u(i, k), a = factors.modes[n](i, k);
              up = std::max(up, std::abs(a - (is_signed ? u : std::max(u, 0.0))));
              down = std::max(down, std::abs(a - (is_signed ? -u : std::max(-u, 0.0))));
            }
            EXPECT_LT(std::min(up, down), 1e-4) << "mode " << n << " component " << k;
          }
        }
      }
    }
  }
}

// Of a matrix the parts that are kept belong together: their product has the larger weight.
TEST(SvdStart, PairsThePartsOfAMatrix) {
  Rng rng = Rng::named(2, "svd start");
  for (int trial = 0; trial < 20; ++trial) {
    const Tensor x = random_array({8, 6}, false, rng);
    const testing::DenseSvd svd = testing::dense_svd(unfolded(x, 0));
    const Eigen::VectorXd u = svd.u.col(1), v = svd.v.col(1);
    const double up = u.cwiseMax(0.0).norm() * v.cwiseMax(0.0).norm(),
                 down = (-u).cwiseMax(0.0).norm() * (-v).cwiseMax(0.0).norm();
    if (std::abs(up - down) < 1e-3) continue;
    const double sign = up > down ? 1.0 : -1.0;
    for (const Shape& shape : {Shape{8, 6}, Shape{8, 1, 6}, Shape{1, 8, 6}}) {
      Tensor y(shape);
      std::copy(x.values().begin(), x.values().end(), y.values().begin());
      for (const bool is_sparse : {false, true}) {
        const Block block =
            is_sparse ? testing::sparse_block(y, Unlisted::zero) : testing::dense_block(y);
        const Observed data(block, one_thread());
        Context ctx = context(0);
        const Factors factors = svd_factors(data, 2, false, ctx);
        const Matrix &a = factors.modes[shape[0] == 1 ? 1 : 0], &b = factors.modes.back();
        for (Index i = 0; i < 8; ++i) EXPECT_NEAR(a(i, 1), std::max(sign * u(i), 0.0), 1e-4);
        for (Index i = 0; i < 6; ++i) EXPECT_NEAR(b(i, 1), std::max(sign * v(i), 0.0), 1e-4);
      }
    }
  }
}

TEST(ParafacStart, FitsBetterThanRandomFactors) {
  Rng rng = Rng::named(3, "parafac start");
  for (int trial = 0; trial < 100; ++trial) {
    const testing::RandomCase made = testing::random_case(rng);
    if (made.cells.squares() == 0) continue;
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    const Index k = made.factors.n_components();
    Context ctx = context(static_cast<std::uint64_t>(trial));
    const Factors fitted = parafac_factors(data, k, made.is_signed, ctx);
    Rng draw = ctx.rng("factors");
    Factors random = random_factors(data.shape(), k, made.is_signed, draw);
    fit_scale(data, random, one_thread());
    const auto squares = static_cast<double>(made.cells.squares()),
               best = static_cast<double>(naive_loss(made.cells, fitted)),
               other = static_cast<double>(naive_loss(made.cells, random));
    EXPECT_LE(best, other * (1.0 + 1e-9) + 1e-9 * squares);
    for (const Matrix& mode : fitted.modes) {
      for (const double a : mode.values()) EXPECT_TRUE(made.is_signed || a >= 0.0);
    }
  }
}

TEST(FitScale, NoOtherScaleFitsBetter) {
  Rng rng = Rng::named(4, "scales");
  int n_pointing = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const testing::RandomCase made = testing::random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    Factors factors = made.factors;
    Real toward = 0, squares = 0;
    for (std::size_t e = 0; e < made.cells.x.size(); ++e) {
      const Real m = testing::model_at(factors, made.cells.at[e]);
      toward += m * made.cells.x[e];
      squares += m * m;
    }
    if (!(squares > 0)) continue;
    fit_scale(data, factors, one_thread());
    const Real loss = naive_loss(made.cells, factors);
    if (toward > 1e-6 * std::sqrt(squares * made.cells.squares())) {
      ++n_pointing;
      for (const double scale : {0.9, 0.99, 1.01, 1.1}) {
        Factors other = factors;
        for (double& a : other.modes[0].values()) a *= scale;
        EXPECT_LE(static_cast<double>(loss),
                  static_cast<double>(naive_loss(made.cells, other)) * (1.0 + 1e-12));
      }
    } else {  // small beside the data
      Real size = 0;
      for (const std::vector<Index>& at : made.cells.at) {
        size += std::pow(testing::model_at(factors, at), Real{2});
      }
      EXPECT_LE(static_cast<double>(size), 0.02 * static_cast<double>(made.cells.squares()));
    }
  }
  EXPECT_GT(n_pointing, 60);
}

TEST(OneMore, FitsWhatIsLeftAndLeavesWhatIsGiven) {
  Rng rng = Rng::named(5, "one more");
  for (int trial = 0; trial < 150; ++trial) {
    const testing::RandomCase made = testing::random_case(rng);
    if (made.cells.squares() == 0) continue;
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    const Factors given = resized(made.factors, rng.below(made.factors.n_components()));
    Context ctx = context(1);
    Rng draw = Rng::named(1, "candidates", static_cast<std::uint64_t>(trial));
    const Factors more =
        with_one_more(data, Given::of(data, given, {}, ctx.executor()), made.is_signed, draw, ctx);
    const Index k = given.n_components();
    ASSERT_EQ(more.n_components(), k + 1);
    for (Index n = 0; n < given.n_modes(); ++n) {
      for (Index l = 0; l < k; ++l) {
        EXPECT_EQ(column(more.modes[n], l), column(given.modes[n], l));
      }
    }
    const double scale = std::pow(testing::reach(made.cells, more), 2.0);
    EXPECT_LE(static_cast<double>(naive_loss(made.cells, more)),
              static_cast<double>(naive_loss(made.cells, given)) + 1e-10 * scale);
  }
}

TEST(Normalise, PutsTheScaleInTheWeights) {
  Rng rng = Rng::named(6, "normalise");
  for (int trial = 0; trial < 200; ++trial) {
    testing::RandomCase made = testing::random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    Problem problem = made.problem;
    Factors factors = made.factors;
    for (Matrix& mode : factors.modes) {
      const double scale = std::exp(rng.normal());
      for (double& a : mode.values()) a *= scale;
    }
    const Factors before = factors;
    normalise(problem, made.first, factors);
    for (Index k = made.first; k < factors.n_components(); ++k) {
      const double was = level(before, k);
      const bool is_kept = problem.fixed_weights || was <= problem.weight_cap;
      EXPECT_NEAR(level(factors, k), is_kept ? was : problem.weight_cap, 1e-12 * was);
      if (problem.fixed_weights || was == 0.0) continue;
      for (Index n = 0; n < factors.n_modes(); ++n) {
        const double largest = largest_in_column(factors.modes[n], k);
        EXPECT_LE(largest, 1.0);
        const bool is_balanced = problem.balance && problem.is_penalised();
        EXPECT_TRUE(is_balanced || std::abs(largest - 1.0) < 1e-14);
        const double ratio = largest / largest_in_column(before.modes[n], k);
        for (Index i = 0; i < factors.modes[n].rows(); ++i) {
          EXPECT_NEAR(factors.modes[n](i, k), ratio * before.modes[n](i, k), 1e-13);
        }
      }
    }
  }
}

TEST(Normalise, TakesAwayWhatIsNothingOrNotANumber) {
  const Problem problem{.lambda = {1.0, 1.0}, .weight_cap = 2.0};
  Factors factors{.modes = {Matrix(2, 2), Matrix(3, 2)}, .weights = {1.0, 1.0}};
  factors.modes[0](0, 0) = 1.0;  // nothing in the other mode
  factors.modes[0](0, 1) = 1e200;
  factors.modes[1](1, 1) = 1e200;
  normalise(problem, 0, factors);
  EXPECT_EQ(factors.weights, (std::vector<double>{0.0, 0.0}));
  for (const Matrix& mode : factors.modes) {
    for (const double a : mode.values()) EXPECT_EQ(a, 0.0);
  }
}

}  // namespace
}  // namespace gingham::methods::multilinear
