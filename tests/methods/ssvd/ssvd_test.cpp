#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "gingham/engine/run.hpp"
#include "gingham/methods/rank_one/bic.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

using methods::rank_one::Bic;
using methods::rank_one::l1_by_bic;
using methods::rank_one::Unit;

std::vector<double> random_vector(Index size, Rng& rng, double scale = 1.0) {
  std::vector<double> z(static_cast<std::size_t>(size));
  for (double& value : z) value = scale * rng.normal();
  return z;
}

// Every candidate written out: keep the k largest, threshold at the next, compute the criterion
// directly.
TEST(SsvdStep, BicChoosesTheBestCandidate) {
  Rng rng = Rng::named(3, "bic");
  for (const double g : {0.0, 2.0}) {
    for (int trial = 0; trial < 300; ++trial) {
      const Index d = 1 + rng.below(9);
      std::vector<double> z = random_vector(d, rng);
      if (trial % 3 == 0) {
        for (double& value : z) value = std::round(2.0 * value) / 2.0;  // ties and zeros
      }
      const double residual = rng.uniform(), variance = 0.01 + rng.uniform(), cells = 50.0;
      std::vector<Unit> units;
      for (const double value : z) units.push_back({value, 1.0, std::pow(std::abs(value), -g)});
      const double chosen = l1_by_bic(units, Bic::shrunk, residual, variance, cells);
      std::vector<double> cost;
      for (const Unit& unit : units) cost.push_back(unit.cost);
      if (g == 0.0) cost.clear();
      EXPECT_EQ(l1_by_bic(z, 1.0, cost, Bic::shrunk, residual, variance, cells), chosen);
      std::vector<double> sizes;
      for (const double value : z) sizes.push_back(std::abs(value));
      std::sort(sizes.begin(), sizes.end(), std::greater<>());
      double best = INFINITY, expected = 0.0;
      for (Index k = 1; k <= d && sizes[k - 1] != 0.0; ++k) {
        const double lambda = k < d ? std::pow(sizes[k], 1.0 + g) : 0.0;
        double distance = 0.0;
        for (Index rank = 0; rank < d; ++rank) {
          const double size = sizes[rank];
          const double x = rank < k ? std::max(size - lambda * std::pow(size, -g), 0.0) : 0.0;
          distance += (size - x) * (size - x);
        }
        const double bic =
            (residual + distance) / variance + static_cast<double>(k) * std::log(cells);
        if (bic < best - 1e-12) {
          best = bic;
          expected = lambda;
        }
      }
      EXPECT_NEAR(chosen, expected, 1e-12);
    }
  }
}

// Units of any curvature and number of entries, with and without pulls: every candidate's loss
// H x^2 - 2 b x written out (b = H z + pull), survivors shortened or not.
TEST(SsvdStep, BicOfUnitsChoosesTheBestCandidate) {
  Rng rng = Rng::named(4, "units");
  for (int trial = 0; trial < 2000; ++trial) {
    const Index d = 1 + rng.below(12);
    const bool equal = trial % 2 == 0, relaxed = trial % 3 != 0;
    std::vector<Unit> units;
    std::vector<double> candidates{0.0};
    for (const double z : random_vector(d, rng)) {
      units.push_back({z});
      if (!equal)
        units.back() = {z, 0.2 + rng.uniform(), static_cast<double>(1 + rng.below(4)),
                        0.1 * rng.normal()};
      candidates.push_back(units.back().curvature * std::abs(z) / units.back().cost);
    }
    const double variance = 0.01 + 0.3 * rng.uniform(), cells = 50.0;
    const double chosen =
        l1_by_bic(units, relaxed ? Bic::relaxed : Bic::shrunk, 0.0, variance, cells);
    double best = INFINITY, best_lambda = 0.0;
    for (const double lambda : candidates) {
      double loss = 0.0;
      int kept = 0;
      for (const Unit& unit : units) {
        const double size = std::abs(unit.z) - lambda * unit.cost / unit.curvature;
        if (size <= 1e-12) continue;
        ++kept;
        const double x = relaxed ? unit.z : std::copysign(size, unit.z);
        loss += unit.curvature * x * x - 2.0 * (unit.curvature * unit.z + unit.pull) * x;
      }
      const double bic = loss / variance + kept * std::log(cells);
      if (kept > 0 && bic < best) {
        best = bic;
        best_lambda = lambda;
      }
    }
    EXPECT_NEAR(chosen, best_lambda, 1e-12) << "trial " << trial;
  }
}

TEST(Ssvd, ObjectiveNeverRisesWithFixedPlainPenalties) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Matrix x = testing::planted_matrix(20, 14, seed);
    const Result result = run("ssvd", Dataset(x),
                              {{"clusters", 3},
                               {"adaptive", 0},
                               {"row-sparsity", "20%"},
                               {"column-sparsity", "30%"},
                               {"tolerance", 1e-9}});
    for (std::size_t i = 1; i < result.trace.size(); ++i) {
      if (result.trace[i].component != result.trace[i - 1].component) continue;
      EXPECT_LE(result.trace[i].objective, result.trace[i - 1].objective * (1 + 1e-12))
          << "seed " << seed;
    }
    EXPECT_EQ(result.status, Status::converged);
  }
}

TEST(Ssvd, WithoutPenaltiesItIsTheSingularValueDecomposition) {
  const Matrix x = testing::planted_matrix(15, 10, 3);
  const Result result = run("ssvd", Dataset(x),
                            {{"clusters", 2},
                             {"adaptive", 0},
                             {"row-sparsity", 0},
                             {"column-sparsity", 0},
                             {"tolerance", 1e-12}});
  const Matrix &u = result.matrix("u"), &v = result.matrix("v");
  for (Index k = 0; k < 2; ++k) {
    double worst = 0.0;
    for (Index i = 0; i < 15; ++i) {  // X v = s u
      double product = 0.0;
      for (Index j = 0; j < 10; ++j) product += x(i, j) * v(j, k);
      worst = std::max(worst, std::abs(product - result.vector("levels")[k] * u(i, k)));
    }
    EXPECT_LT(worst, 1e-9);
  }
}

TEST(Ssvd, FindsThePlantedBlocks) {
  const MethodInfo& info = find_method("ssvd");
  Options strong(info.simulators[0].options);
  strong.set("level", "4");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Simulation made = info.simulators[0].make(strong, Rng::named(seed, "planted"));
    const Dataset data(std::move(made.blocks));
    const Result result = run("ssvd", data, {{"clusters", 3}});
    // Blocks come out in any order: compare which rows are together.
    const std::vector<Index> truth = strongest(made.memberships[0]), found = result.labels("rows");
    Index wrong = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
      wrong += (truth[i] < 0) != (found[i] < 0) ? 1 : 0;
    EXPECT_LE(wrong, 4) << "seed " << seed;
    EXPECT_TRUE(verify_result(data, result).passed());
  }
}

TEST(Ssvd, MoreComponentsThanTheRankAreEmptyAndSaidToBe) {
  Matrix x(6, 5);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 5; ++j) x(i, j) = static_cast<double>((i + 1) * (j + 1));
  }
  const Dataset data(x);
  const Result result =
      run("ssvd", data, {{"clusters", 3}, {"row-sparsity", 0}, {"column-sparsity", 0}});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_NEAR(result.model.components[0].explained, 1.0, 1e-12);
  EXPECT_EQ(size_of(result.membership("rows"), 1), 0);
  EXPECT_EQ(result.model.notes.size(), 2u);
  EXPECT_TRUE(verify_result(data, result).passed());
}

// Two overlapping blocks in noise, more components than there are: the objective with and without
// each of them by its definition.
TEST(Ssvd, NoComponentCostsMoreThanItExplains) {
  Index n_left_out = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng = Rng::named(seed, "overlap");
    Matrix x(20, 15);
    for (double& value : x.values()) value = rng.normal();
    for (Index i = 0; i < 20; ++i) {
      for (Index j = 0; j < 15; ++j) {
        x(i, j) +=
            (i < 8 && j < 6 ? 2.0 : 0.0) + (i >= 5 && i < 14 && j >= 3 && j < 10 ? 2.0 : 0.0);
      }
    }
    if (seed % 3 == 2) {
      for (double& value : x.values()) value = rng.uniform() < 0.2 ? std::nan("") : value;
    }
    const Dataset data(x);
    const Result result = run(
        "ssvd", data,
        {{"clusters", 6}, {"adaptive", 0}, {"row-sparsity", "40%"}, {"column-sparsity", "40%"}});
    const Matrix &u = result.matrix("u"), &v = result.matrix("v");
    const std::vector<double>& s = result.vector("s");
    const auto objective = [&](Index without) {
      double total = 0.0;
      for (Index i = 0; i < 20; ++i) {
        for (Index j = 0; j < 15; ++j) {
          double rest = x(i, j);
          for (Index k = 0; k < 6; ++k) rest -= k == without ? 0.0 : s[k] * u(i, k) * v(j, k);
          if (!std::isnan(rest)) total += 0.5 * rest * rest;
        }
      }
      for (Index k = 0; k < 6; ++k) {
        if (k == without) continue;
        for (Index i = 0; i < 20; ++i) {
          total += result.model.used[0].values[k] * s[k] * std::abs(u(i, k));
        }
        for (Index j = 0; j < 15; ++j) {
          total += result.model.used[1].values[k] * s[k] * std::abs(v(j, k));
        }
      }
      return total;
    };
    double empty = 0.0;
    for (const double value : x.values()) empty += std::isnan(value) ? 0.0 : 0.5 * value * value;
    EXPECT_LE(result.terms.objective(), empty);
    if (seed % 3 != 2) {  // all observed: an entry's penalty does not depend on its cells
      EXPECT_NEAR(result.terms.objective(), objective(-1), 1e-9 * empty);
    }
    for (Index k = 0; k < 6; ++k) {
      EXPECT_GE(objective(k), objective(-1) - 1e-9 * empty) << "seed " << seed << ", " << k;
      if (s[k] != 0.0) continue;
      ++n_left_out;
      EXPECT_EQ(size_of(result.membership("rows"), k), 0);
      EXPECT_EQ(result.model.components[k].explained, 0.0);
    }
    EXPECT_TRUE(verify_result(data, result).passed());
  }
  EXPECT_GT(n_left_out, 0);
}

TEST(Ssvd, DataWithoutAnythingGiveAnEmptyModelThatSaysSo) {
  Matrix zero(6, 5), missing(6, 5);
  for (double& value : missing.values()) value = std::nan("");
  for (const bool is_zero : {true, false}) {
    const Dataset data(is_zero ? zero : missing);
    const Result result = run("ssvd", data, {{"clusters", 2}});
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_EQ(result.terms.objective(), 0.0);
    for (Index k = 0; k < 2; ++k) EXPECT_EQ(size_of(result.membership("rows"), k), 0);
    ASSERT_FALSE(result.model.notes.empty());
    EXPECT_NE(result.model.notes[0].find(is_zero ? "zero" : "observed"), std::string::npos)
        << result.model.notes[0];
    EXPECT_TRUE(verify_result(data, result).passed());
  }
}

// A loss that is the difference of two large numbers keeps its digits.
TEST(Ssvd, TheRunningLossOfANearlyPerfectFitIsExact) {
  Rng rng = Rng::named(9, "perfect");
  Matrix x(12, 9);
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < 9; ++j) {
      x(i, j) = static_cast<double>((i + 1) * (j + 2)) + 1e-7 * rng.normal();
    }
  }
  const Result result =
      run("ssvd", Dataset(x), {{"adaptive", 0}, {"row-sparsity", 0}, {"column-sparsity", 0}});
  EXPECT_GT(result.terms.loss, 0.0);
  EXPECT_NEAR(result.trace.back().objective, result.terms.loss, 1e-6 * result.terms.loss);
}

}  // namespace
}  // namespace gingham
