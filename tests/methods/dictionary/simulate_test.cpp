#include "gingham/methods/dictionary/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/arrays.hpp"

namespace gingham::methods::dictionary {
namespace {

Simulation made(const std::vector<std::pair<std::string, std::string>>& settings,
                std::uint64_t seed = 1) {
  Options options(simulator().options);
  for (const auto& [name, value] : settings) options.set(name, value);
  return simulator().make(options, Rng::named(seed, "simulate"));
}

const Matrix& planted_atoms(const Simulation& simulation) {
  return std::get<Matrix>(simulation.truth.at(0).values);
}
const SparseMatrix& planted_codes(const Simulation& simulation) {
  return std::get<SparseMatrix>(simulation.truth.at(1).values);
}

TEST(SimulateDictionary, PlantsUnitAtomsAndFewCoefficientsAwayFromZero) {
  const Simulation simulation =
      made({{"samples", "200"}, {"length", "9"}, {"atoms", "14"}, {"sparsity", "4"}});
  const Matrix& d = planted_atoms(simulation);
  const SparseMatrix& z = planted_codes(simulation);
  EXPECT_EQ(simulation.truth[0].name, "dictionary");
  EXPECT_EQ(simulation.truth[1].name, "codes");
  ASSERT_TRUE(d.rows() == 9 && d.cols() == 14 && z.rows() == 200 && z.cols() == 14);
  for (Index j = 0; j < d.cols(); ++j) {
    long double square = 0, mean = 0;
    for (Index i = 0; i < d.rows(); ++i) {
      square += static_cast<long double>(d(i, j)) * d(i, j);
      mean += d(i, j);
    }
    EXPECT_NEAR(static_cast<double>(square), 1.0, 1e-14);
    EXPECT_NEAR(static_cast<double>(mean), 0.0, 1e-14);
  }
  Index n_positive = 0;
  for (Index i = 0; i < z.rows(); ++i) {
    EXPECT_EQ(z.pointers()[i + 1] - z.pointers()[i], 4);
    for (Index e = z.pointers()[i]; e < z.pointers()[i + 1]; ++e) {
      EXPECT_GE(std::fabs(z.values()[e]), 0.5);
      EXPECT_LE(std::fabs(z.values()[e]), 1.5);
      n_positive += z.values()[e] > 0.0 ? 1 : 0;
    }
  }
  EXPECT_NEAR(static_cast<double>(n_positive), 400.0, 100.0);  // seven standard deviations
}

TEST(SimulateDictionary, TheNoiseIsAsLoudAsAskedFor) {
  for (const double decibels : {0.0, 20.0, 60.0}) {
    const Simulation simulation = made({{"snr", std::to_string(decibels)}});
    const Matrix& x = *simulation.blocks[0].dense_matrix();
    const Matrix& d = planted_atoms(simulation);
    const SparseMatrix& z = planted_codes(simulation);
    long double signal = 0, noise = 0;
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index c = 0; c < x.cols(); ++c) {
        long double clean = 0;
        for (Index e = z.pointers()[i]; e < z.pointers()[i + 1]; ++e)
          clean += static_cast<long double>(z.values()[e]) * d(c, z.columns()[e]);
        signal += clean * clean;
        noise += (x(i, c) - clean) * (x(i, c) - clean);
      }
    }
    // 96,000 normal numbers: the variance is off by half a percent.
    EXPECT_NEAR(10.0 * std::log10(static_cast<double>(signal / noise)), decibels, 0.15);
  }
}

TEST(SimulateDictionary, LabelsNameTheStrongestAtom) {
  const Simulation simulation = made({{"samples", "50"}});
  const SparseMatrix& z = planted_codes(simulation);
  const std::vector<Index> labels = strongest(simulation.memberships.at(0));
  for (Index i = 0; i < z.rows(); ++i) {
    double own = 0.0, largest = 0.0;
    for (Index e = z.pointers()[i]; e < z.pointers()[i + 1]; ++e) {
      largest = std::max(largest, std::fabs(z.values()[e]));
      if (z.columns()[e] == labels[i]) own = std::fabs(z.values()[e]);
    }
    EXPECT_EQ(own, largest);
  }
}

TEST(SimulateDictionary, DependsOnTheSeedAlone) {
  EXPECT_EQ(made({}).blocks[0].digest(), made({}).blocks[0].digest());
  EXPECT_NE(made({}).blocks[0].digest(), made({}, 2).blocks[0].digest());
  EXPECT_NO_THROW(made({{"samples", "1"}, {"length", "2"}, {"atoms", "1"}, {"sparsity", "1"}}));
  test::expect_error(ErrorCode::usage, {"--sparsity"}, [] {
    made({{"atoms", "2"}, {"sparsity", "3"}});
  });
}

}  // namespace
}  // namespace gingham::methods::dictionary
