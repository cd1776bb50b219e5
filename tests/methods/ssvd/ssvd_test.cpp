#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gingham/engine/run.hpp"
#include "gingham/methods/rank_one/sparse_step.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

using methods::rank_one::fixed_threshold;
using methods::rank_one::share_of_maximum;
using methods::rank_one::shrink;
using methods::rank_one::shrink_by_bic;
using methods::rank_one::Threshold;
using methods::rank_one::Units;

std::vector<double> random_vector(Index size, Rng& rng, double scale = 1.0) {
  std::vector<double> z(static_cast<std::size_t>(size));
  for (double& value : z) value = scale * rng.normal();
  return z;
}

Units units(const std::vector<double>& z) { return {z, {}, {}, {}}; }

// x minimises 0.5 (z - x)^2 + lambda |z|^-g |x| entry by entry: compared with a fine grid.
TEST(SsvdStep, ShrinkMinimisesEachEntry) {
  Rng rng = Rng::named(1, "shrink");
  for (const double g : {0.0, 1.0, 2.0}) {
    for (int trial = 0; trial < 50; ++trial) {
      const std::vector<double> z = random_vector(5, rng);
      const double lambda = std::exp(rng.normal());
      std::vector<double> x(z.size());
      shrink(units(z), fixed_threshold(lambda), g, x);
      for (std::size_t j = 0; j < z.size(); ++j) {
        const auto cost = [&](double v) {
          return 0.5 * (z[j] - v) * (z[j] - v) +
                 lambda * std::pow(std::abs(z[j]), -g) * std::abs(v);
        };
        for (double v = -4.0; v <= 4.0; v += 0.01) EXPECT_LE(cost(x[j]), cost(v) + 1e-12);
      }
    }
  }
}

TEST(SsvdStep, TheMaximumRemovesEverythingAndLessDoesNot) {
  Rng rng = Rng::named(2, "maximum");
  for (const double g : {0.0, 2.0}) {
    for (const double scale : {1e-150, 1.0, 1e150}) {
      const std::vector<double> z = random_vector(7, rng, scale);
      std::vector<double> x(z.size());
      shrink(units(z), share_of_maximum(units(z), g, 1.0), g, x);
      EXPECT_EQ(std::count(x.begin(), x.end(), 0.0), 7);
      shrink(units(z), share_of_maximum(units(z), g, 0.999), g, x);
      EXPECT_EQ(std::count(x.begin(), x.end(), 0.0), 6);
    }
  }
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
      std::vector<double> chosen(z.size());
      shrink_by_bic(units(z), g, methods::rank_one::Bic::shrunk, residual, variance, cells, chosen);
      std::vector<Index> order(z.size());
      std::iota(order.begin(), order.end(), Index{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](Index a, Index b) { return std::abs(z[a]) > std::abs(z[b]); });
      double best = INFINITY;
      std::vector<double> expected(z.size(), 0.0);
      for (Index k = 1; k <= d && z[order[k - 1]] != 0.0; ++k) {
        const double next = k < d ? std::abs(z[order[k]]) : 0.0;
        const double lambda = std::pow(next, 1.0 + g);
        std::vector<double> x(z.size(), 0.0);
        double distance = 0.0;
        for (Index rank = 0; rank < d; ++rank) {
          const Index j = order[rank];
          if (rank < k) {
            const double kept =
                std::max(std::abs(z[j]) - lambda * std::pow(std::abs(z[j]), -g), 0.0);
            x[j] = std::copysign(kept, z[j]);
          }
          distance += (z[j] - x[j]) * (z[j] - x[j]);
        }
        const double bic =
            (residual + distance) / variance + static_cast<double>(k) * std::log(cells);
        if (bic < best - 1e-12) {
          best = bic;
          expected = x;
        }
      }
      for (std::size_t j = 0; j < z.size(); ++j) EXPECT_NEAR(chosen[j], expected[j], 1e-12);
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
    Units given;
    given.z = random_vector(d, rng);
    std::vector<double> h(given.z.size(), 1.0), n(given.z.size(), 1.0), b = given.z;
    for (std::size_t j = 0; j < h.size() && !equal; ++j) {
      h[j] = 0.2 + rng.uniform();
      n[j] = static_cast<double>(1 + rng.below(4));
      given.pull.push_back(0.1 * rng.normal());
      b[j] = h[j] * given.z[j] + given.pull[j];
    }
    if (!equal) {
      given.curvature = h;
      given.entries = n;
    }
    const double variance = 0.01 + 0.3 * rng.uniform(), cells = 50.0;
    std::vector<double> chosen(given.z.size());
    const Threshold threshold = shrink_by_bic(
        given, 0.0, relaxed ? methods::rank_one::Bic::relaxed : methods::rank_one::Bic::shrunk, 0.0,
        variance, cells, chosen);
    std::vector<double> candidates{0.0};
    for (std::size_t j = 0; j < h.size(); ++j) {
      candidates.push_back(h[j] * std::abs(given.z[j]) / n[j]);
    }
    double best = INFINITY, best_lambda = 0.0;
    for (const double lambda : candidates) {
      double loss = 0.0;
      int kept = 0;
      for (std::size_t j = 0; j < h.size(); ++j) {
        const double size = std::abs(given.z[j]) - lambda * n[j] / h[j];
        if (size <= 1e-12) continue;
        ++kept;
        const double x = relaxed ? given.z[j] : std::copysign(size, given.z[j]);
        loss += h[j] * x * x - 2.0 * b[j] * x;
      }
      const double bic = loss / variance + kept * std::log(cells);
      if (kept > 0 && bic < best) {
        best = bic;
        best_lambda = lambda;
      }
    }
    EXPECT_NEAR(threshold.lambda(0.0), best_lambda, 1e-12) << "trial " << trial;
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
