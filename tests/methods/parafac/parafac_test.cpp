#include <gtest/gtest.h>

#include <cmath>

#include "methods/multilinear/oracle.hpp"
#include "methods/tensor/planted.hpp"

namespace gingham {
namespace {

using testing::expect_verified;
using testing::Factors;
using testing::with;

// Non-negative factors that differ enough to be told apart: every component has items of its own.
Factors planted_factors(const Shape& shape, Index rank, Rng& rng) {
  Factors factors;
  for (const Index size : shape) {
    Matrix a(size, rank);
    for (Index i = 0; i < size; ++i) {
      for (Index k = 0; k < rank; ++k) {
        const bool is_own = i < 2 * rank && i / 2 == k, is_other = i < 2 * rank && i / 2 != k;
        a(i, k) = is_own ? 1.0 + rng.uniform() : is_other ? 0.0 : rng.uniform();
      }
    }
    factors.modes.push_back(std::move(a));
  }
  for (Index k = 0; k < rank; ++k) factors.weights.push_back(1.0 + static_cast<double>(k));
  return factors;
}

Tensor model_of(const Factors& factors, const Shape& shape) {
  Tensor x(shape);
  const testing::Cells cells = testing::cells_of(x);
  for (std::size_t e = 0; e < cells.x.size(); ++e) {
    x.data()[e] = static_cast<double>(testing::model_at(factors, cells.at[e]));
  }
  return x;
}

// For each planted component the smallest product over the modes of its cosines with a found one.
double worst_match(const Factors& planted, const Result& result) {
  double worst = 1.0;
  std::vector<bool> is_taken(planted.weights.size(), false);
  for (Index k = 0; k < planted.n_components(); ++k) {
    double best = 0.0;
    Index best_at = 0;
    for (Index l = 0; l < planted.n_components(); ++l) {
      double cosine = 1.0;
      for (Index n = 0; n < planted.n_modes(); ++n) {
        const Matrix &a = planted.modes[n], &b = result.matrix("mode_" + std::to_string(n));
        double inner = 0.0, squares = 0.0;
        for (Index i = 0; i < a.rows(); ++i) {
          inner += a(i, k) * b(i, l);
          squares += a(i, k) * a(i, k);
        }
        cosine *= inner / std::sqrt(squares);
      }
      if (cosine > best) {
        best = cosine;
        best_at = l;
      }
    }
    if (is_taken[best_at]) return 0.0;
    is_taken[best_at] = true;
    worst = std::min(worst, best);
  }
  return worst;
}

const std::vector<Setting> kSettings{
    {"rank", 3}, {"restarts", 4}, {"tolerance", 1e-9}, {"max-iterations", 1500}};

TEST(Parafac, FindsPlantedFactorsUpToOrderAndScale) {
  Rng rng = Rng::named(1, "parafac");
  for (const Shape& shape : {Shape{9, 8}, Shape{9, 8, 7}, Shape{8, 7, 7, 6}}) {
    for (const double missing : {0.0, 0.2, 0.6}) {
      if (shape.size() == 2 && missing > 0.3) continue;
      const Factors planted = planted_factors(shape, 3, rng);
      Tensor x = model_of(planted, shape);
      for (double& cell : x.values()) cell = rng.uniform() < missing ? std::nan("") : cell;
      const Dataset data(testing::dense_block(x, shape.size() == 2));
      SCOPED_TRACE(shape_text(shape) + " missing " + std::to_string(missing));
      const Result result = run("parafac", data, kSettings);
      const testing::Cells cells = testing::cells_of(x);
      EXPECT_LT(result.terms.loss, 1e-9 * static_cast<double>(cells.squares()));
      EXPECT_GT(worst_match(planted, result), 1.0 - 1e-6);
      expect_verified(data, result);
      // Missing or listed alone, it is the same.
      const Dataset listed(testing::sparse_block(x, Unlisted::missing, false, true));
      const Result other = run("parafac", listed, kSettings);
      EXPECT_GT(worst_match(planted, other), 1.0 - 1e-6);
      expect_verified(listed, other);
    }
  }
}

TEST(Parafac, ColumnsHaveUnitLengthAndComponentsFallInWhatTheyExplain) {
  Rng rng = Rng::named(2, "parafac");
  for (const char* const start : {"random", "svd"}) {
    const Tensor x = testing::random_tensor({9, 8, 7}, 2, false, rng);
    const Dataset data(testing::dense_block(x));
    const Result result =
        run("parafac", data, {{"rank", 4}, {"start", start}, {"max-iterations", 500}});
    for (Index n = 0; n < 3; ++n) {
      const Matrix& a = result.matrix("mode_" + std::to_string(n));
      for (Index k = 0; k < 4; ++k) {
        double squares = 0.0;
        for (Index i = 0; i < a.rows(); ++i) {
          EXPECT_GE(a(i, k), 0.0);
          squares += a(i, k) * a(i, k);
        }
        EXPECT_NEAR(squares, 1.0, 1e-12);
      }
    }
    for (Index k = 1; k < 4; ++k) {
      EXPECT_GE(result.model.components[k - 1].explained, result.model.components[k].explained);
    }
    expect_verified(data, result);
  }
}

TEST(Parafac, ManyTermsFitASmallArrayExactly) {
  Rng rng = Rng::named(3, "parafac");
  Tensor x({4, 3, 2});
  for (double& cell : x.values()) cell = rng.uniform();
  const Dataset data(testing::dense_block(x));
  const Result result = run(
      "parafac", data, {{"rank", 12}, {"restarts", 3}, {"max-iterations", 5000}, {"tolerance", 0}});
  EXPECT_LT(result.terms.loss, 1e-6);
  expect_verified(data, result);
}

TEST(Parafac, NothingPositiveGivesNothing) {
  for (const double value : {0.0, -1.0}) {
    Tensor x({3, 4, 2});
    for (double& cell : x.values()) cell = value;
    const Dataset data(testing::dense_block(x));
    const Result result = run("parafac", data, {{"rank", 2}});
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_NEAR(result.terms.loss, 24.0 * value * value, 1e-12);
    expect_verified(data, result);
  }
}

// Also where the fit is nearly perfect: the loss is that of the stored factors.
TEST(Parafac, TheLossIsThatOfTheFactorsToManyDigits) {
  Rng rng = Rng::named(4, "parafac");
  const Shape shape{9, 8, 7};
  const Tensor x = model_of(planted_factors(shape, 2, rng), shape);
  for (const bool is_sparse : {false, true}) {
    const Dataset data(is_sparse ? testing::sparse_block(x, Unlisted::zero)
                                 : testing::dense_block(x));
    const Result result =
        run("parafac", data, {{"rank", 2}, {"tolerance", 1e-12}, {"max-iterations", 3000}});
    Factors found;
    for (Index n = 0; n < 3; ++n) found.modes.push_back(result.matrix("mode_" + std::to_string(n)));
    found.weights = result.vector("weights");
    const testing::Cells cells = testing::cells_of(x);
    const auto loss = static_cast<double>(testing::naive_loss(cells, found)),
               squares = static_cast<double>(cells.squares());
    EXPECT_LT(loss, 1e-16 * squares);
    // Unit columns are rounded once more: eps |X| sqrt(loss) and eps^2 |X|^2.
    EXPECT_NEAR(result.terms.loss, loss, 1e-14 * std::sqrt(loss * squares) + 1e-28 * squares);
  }
}

TEST(Parafac, WhereNothingIsObservedNothingIsFound) {
  Tensor x({3, 4, 2});
  for (double& cell : x.values()) cell = std::nan("");
  for (const char* const start : {"random", "svd"}) {
    const Dataset data(testing::dense_block(x));
    const Result result = run("parafac", data, {{"rank", 2}, {"start", start}});
    EXPECT_EQ(result.vector("weights"), (std::vector<double>{0.0, 0.0}));
    for (const Membership& mode : result.model.memberships) EXPECT_TRUE(mode.members.empty());
    ASSERT_FALSE(result.model.notes.empty());
    EXPECT_NE(result.model.notes[0].find("no value is observed"), std::string::npos);
    expect_verified(data, result);
  }
}

// The start that is the default ends lower than the other, by and large, and never above it with
// what the default adds.
TEST(Parafac, TheDefaultStartIsTheBetterOne) {
  double gain = 0.0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Simulation made = testing::simulated(
        {{"size", "20,18,12"}, {"clusters", "3"}, {"place", "random"}, {"block", "5"}}, seed);
    const Dataset data(made.blocks[0]);
    const Setting rank{"rank", 4}, limit{"max-iterations", 100}, once{"restarts", 1};
    const double chosen = run("parafac", data, {rank, limit, once}).terms.loss,
                 best = run("parafac", data, {rank, limit}).terms.loss;
    for (const Index other : {0, 1, 2}) {
      const Result random =
          run("parafac", data, {rank, limit, once, {"start", "random"}, {"seed", other}});
      gain += std::log(random.terms.loss / chosen);
      EXPECT_LT(best, random.terms.loss * (1.0 + 1e-3));
    }
  }
  EXPECT_GT(gain, 0.0);
}

// New items of any mode; those of the fit itself are where they were.
TEST(Parafac, NewItemsAreFittedWithTheRestAsItIs) {
  Rng rng = Rng::named(5, "parafac");
  const Shape shape{9, 8, 7};
  const Tensor x = model_of(planted_factors(shape, 3, rng), shape);
  const Dataset data(testing::dense_block(x));
  const Result result = run("parafac", data, with(kSettings, {{"tolerance", 1e-11}}));
  const MethodInfo& info = find_method("parafac");
  ThreadPool pool(1);
  Context ctx(pool, 0, 0);
  for (Index mode = 0; mode < 3; ++mode) {
    const Transformed found = info.transform(data, result.options, result.model, mode, ctx);
    const Matrix &a = std::get<Matrix>(found.arrays.at(0).values),
                 &b = result.matrix("mode_" + std::to_string(mode));
    ASSERT_EQ(a.size(), b.size());
    for (Index i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(a.values()[i], b.values()[i], 1e-6) << "mode " << mode;
    }
    EXPECT_LE(found.terms.loss, 1e-20 * static_cast<double>(testing::cells_of(x).squares()));
    EXPECT_TRUE(found.terms.penalties.empty());
  }
}

}  // namespace
}  // namespace gingham
