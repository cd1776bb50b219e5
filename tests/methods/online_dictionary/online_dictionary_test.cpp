#include "gingham/methods/online_dictionary/online_dictionary.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/methods/dictionary/simulate.hpp"
#include "support/arrays.hpp"

namespace gingham::methods::online_dictionary {

MethodInfo info();

namespace {

Atoms<double> random_atoms(Index m, Index p, Rng& rng) {
  Atoms<double> atoms(m, p);
  for (Index j = 0; j < m; ++j) {
    double square = 0.0;
    for (Index t = 0; t < p; ++t) square += std::pow(atoms.row(j)[t] = rng.normal(), 2);
    for (Index t = 0; t < p; ++t) atoms.row(j)[t] *= rng.uniform(0.5, 1.0) / std::sqrt(square);
  }
  return atoms;
}

// Samples in padded rows, and codes in several lists; atoms from `unused` on are in none.
struct Batch {
  Batch(const Atoms<double>& atoms, Index n, Index unused, Rng& rng)
      : rows(static_cast<std::size_t>(n * atoms.stride())), codes(3) {
    for (Index i = 0; i < n; ++i) {
      for (Index t = 0; t < atoms.length(); ++t) rows[i * atoms.stride() + t] = rng.normal();
      std::vector<std::int32_t> support;
      std::vector<double> values;
      for (const Index j : rng.sample(unused, rng.below(std::min<Index>(unused, 5) + 1))) {
        support.push_back(static_cast<std::int32_t>(j));
        values.push_back(rng.normal());
      }
      codes[i * 3 / n].add({support.data(), values.data(), std::ssize(support)});
    }
  }
  std::vector<CodeView<double>> by_sample() const {
    std::vector<CodeView<double>> all;
    for (const CodeList<double>& list : codes) {
      for (Index i = 0; i < list.count(); ++i) all.push_back(list.code(i));
    }
    return all;
  }

  std::vector<double> rows;
  std::vector<CodeList<double>> codes;
};

// 1/2 tr(D^T D A) - tr(D^T B)
long double surrogate(const Statistics& seen, const Atoms<double>& atoms) {
  long double total = 0;
  for (Index j = 0; j < atoms.count(); ++j) {
    for (Index t = 0; t < atoms.length(); ++t) {
      long double pull = 0;
      for (Index l = 0; l < atoms.count(); ++l)
        pull += static_cast<long double>(seen.products()(j, l)) * atoms.row(l)[t];
      total += atoms.row(j)[t] * (pull / 2 - seen.samples()(j, t));
    }
  }
  return total;
}

long double batch_loss(const Batch& batch, const Atoms<double>& atoms) {
  long double total = 0;
  const std::vector<CodeView<double>> codes = batch.by_sample();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    for (Index t = 0; t < atoms.length(); ++t) {
      long double r = batch.rows[i * atoms.stride() + t];
      for (Index e = 0; e < codes[i].size; ++e)
        r -= static_cast<long double>(codes[i].values[e]) * atoms.row(codes[i].atoms[e])[t];
      total += r * r / 2;
    }
  }
  return total;
}

double longest(const Atoms<double>& atoms) {
  long double most = 0;
  for (Index j = 0; j < atoms.count(); ++j) {
    long double square = 0;
    for (Index t = 0; t < atoms.length(); ++t)
      square += static_cast<long double>(atoms.row(j)[t]) * atoms.row(j)[t];
    most = std::max(most, square);
  }
  return static_cast<double>(std::sqrt(most));
}

TEST(WeightOfPast, ForgetsTheStartAndLessAndLessOfTheRest) {
  EXPECT_DOUBLE_EQ(weight_of_past(1, 512), 1.0 / 513.0);
  EXPECT_DOUBLE_EQ(weight_of_past(512, 512), (512.0 * 512.0 - 511.0) / (512.0 * 512.0 + 1.0));
  for (const Index batch : {1, 2, 16, 512}) {
    for (Index t = 1; t < 2000; ++t) {
      EXPECT_GT(weight_of_past(t, batch), 0.0);
      EXPECT_LT(weight_of_past(t, batch), weight_of_past(t + 1, batch));
      EXPECT_LT(weight_of_past(t, batch), 1.0);
    }
  }
}

TEST(OnlineStatistics, AreTheSumsOverTheCodes) {
  Rng rng = Rng::named(1, "statistics");
  ThreadPool pool(2);
  const Index m = 30, p = 11;
  const Atoms<double> atoms = random_atoms(m, p, rng);
  Statistics seen(atoms);
  Matrix a(m, m), b(m, p);
  for (const double beta : {0.5, 0.9}) {
    const Batch batch(atoms, 40, m, rng);
    seen.add(beta, batch.codes, batch.rows.data(), pool);
    for (double& value : a.values()) value *= beta;
    for (double& value : b.values()) value *= beta;
    const std::vector<CodeView<double>> codes = batch.by_sample();
    for (std::size_t i = 0; i < codes.size(); ++i) {
      for (Index e = 0; e < codes[i].size; ++e) {
        const Index j = codes[i].atoms[e];
        for (Index f = 0; f < codes[i].size; ++f)
          a(j, codes[i].atoms[f]) += codes[i].values[e] * codes[i].values[f];
        for (Index t = 0; t < p; ++t)
          b(j, t) += codes[i].values[e] * batch.rows[i * atoms.stride() + t];
      }
    }
  }
  for (Index j = 0; j < m; ++j) {
    for (Index l = 0; l < m; ++l) EXPECT_NEAR(seen.products()(j, l), a(j, l), 1e-12);
    for (Index t = 0; t < p; ++t) EXPECT_NEAR(seen.samples()(j, t), b(j, t), 1e-12);
  }
}

TEST(OnlineStatistics, ImprovingNeverRaisesTheLossAndStaysInTheBall) {
  Rng rng = Rng::named(2, "statistics");
  ThreadPool pool(2);
  for (const auto& [m, p] :
       std::vector<std::pair<Index, Index>>{{1, 1}, {3, 8}, {150, 6}, {70, 40}}) {
    Atoms<double> atoms = random_atoms(m, p, rng);
    Statistics seen(atoms);
    for (int round = 0; round < 6; ++round) {
      const Batch batch(atoms, 60, std::max<Index>(1, m - 2), rng);
      seen.add(round == 0 ? 0.0 : 0.7, batch.codes, batch.rows.data(), pool);
      const Atoms<double> old = atoms;
      const long double before = surrogate(seen, atoms), loss = batch_loss(batch, atoms);
      seen.improve(atoms, pool);
      EXPECT_LE(surrogate(seen, atoms), before + 1e-12L * std::fabs(before));
      if (round == 0) {  // nothing but this batch was seen
        EXPECT_LE(batch_loss(batch, atoms), loss * (1 + 1e-12L));
      }
      EXPECT_LE(longest(atoms), 1.0 + 1e-14);
      for (Index j = 0; j < m; ++j) {
        if (seen.products()(j, j) > 0.0) continue;
        for (Index t = 0; t < p; ++t) EXPECT_EQ(atoms.row(j)[t], old.row(j)[t]);  // unused: left
      }
    }
  }
}

// One atom after the other, by the formula.
TEST(OnlineStatistics, ImprovingIsBlockCoordinateDescent) {
  Rng rng = Rng::named(3, "statistics");
  ThreadPool pool(1);
  const Index m = 140, p = 17;
  Atoms<double> atoms = random_atoms(m, p, rng);
  Statistics seen(atoms);
  const Batch batch(atoms, 500, m, rng);
  seen.add(0.0, batch.codes, batch.rows.data(), pool);
  Atoms<double> naive = atoms;
  for (Index j = 0; j < m; ++j) {
    std::vector<long double> fresh(static_cast<std::size_t>(p));
    long double square = 0;
    for (Index t = 0; t < p; ++t) {
      long double pull = seen.samples()(j, t);
      for (Index l = 0; l < m; ++l)
        pull -= static_cast<long double>(seen.products()(j, l)) * naive.row(l)[t];
      fresh[t] = naive.row(j)[t] + pull / seen.products()(j, j);
      square += fresh[t] * fresh[t];
    }
    const long double length = std::max(1.0L, std::sqrt(square));
    for (Index t = 0; t < p; ++t) naive.row(j)[t] = static_cast<double>(fresh[t] / length);
  }
  seen.improve(atoms, pool);
  for (Index j = 0; j < m; ++j) {
    for (Index t = 0; t < p; ++t) EXPECT_NEAR(atoms.row(j)[t], naive.row(j)[t], 1e-10);
  }
}

Result fitted(const Dataset& data, const std::vector<std::pair<std::string, std::string>>& settings,
              Executor* executor = nullptr) {
  Options options = info().make_options();
  for (const auto& [name, value] : settings) options.set(name, value);
  return run(info(), data, options, {}, executor);
}

const Matrix& dictionary_of(const Result& result) {
  return std::get<Matrix>(result.model.arrays.at(0).values);
}

// Share of the planted atoms that some atom found points along.
double recovered(const Matrix& planted, const Matrix& found) {
  Index n_found = 0;
  for (Index j = 0; j < planted.cols(); ++j) {
    double best = 0.0;
    for (Index l = 0; l < found.cols(); ++l) {
      double product = 0.0, square = 0.0;
      for (Index t = 0; t < planted.rows(); ++t) {
        product += planted(t, j) * found(t, l);
        square += found(t, l) * found(t, l);
      }
      if (square > 0.0) best = std::max(best, std::fabs(product) / std::sqrt(square));
    }
    n_found += best >= 0.99 ? 1 : 0;
  }
  return static_cast<double>(n_found) / static_cast<double>(planted.cols());
}

TEST(OnlineDictionary, RecoversAPlantedDictionary) {
  constexpr int kSeeds = 3;
  double share = 0.0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Options options(dictionary::simulator().options);
    options.set("samples", "6000");
    options.set("atoms", "64");
    const Simulation made = dictionary::simulator().make(options, Rng::named(seed, "simulate"));
    const Result result =
        fitted(Dataset(made.blocks[0]),
               {{"atoms", "64"}, {"epochs", "20"}, {"batch", "64"}, {"lambda", "0.1"}});
    share += recovered(std::get<Matrix>(made.truth[0].values), dictionary_of(result)) / kSeeds;
  }
  EXPECT_GE(share, 0.95);
}

TEST(OnlineDictionary, ItsCodesAreExact) {
  Options options(dictionary::simulator().options);
  options.set("samples", "700");
  const Dataset data(dictionary::simulator().make(options, Rng::named(2, "simulate")).blocks[0]);
  for (const char* batch : {"1", "64", "512", "5000"}) {
    const Result result = fitted(data, {{"atoms", "40"}, {"epochs", "2"}, {"batch", batch}});
    ASSERT_EQ(result.terms.gaps.at(0).name, "codes");
    EXPECT_LE(result.terms.gaps[0].value, 1e-6) << "batch " << batch;
  }
}

TEST(OnlineDictionary, IsTheSameOnOneAndTwoThreads) {
  Options options(dictionary::simulator().options);
  options.set("samples", "900");
  const Dataset data(dictionary::simulator().make(options, Rng::named(3, "simulate")).blocks[0]);
  ThreadPool one(1), two(2);
  const std::vector<std::pair<std::string, std::string>> settings{{"atoms", "130"},
                                                                  {"epochs", "2"}};
  const Result a = fitted(data, settings, &one), b = fitted(data, settings, &two);
  const Matrix &d = dictionary_of(a), &e = dictionary_of(b);
  ASSERT_EQ(d.size(), e.size());
  EXPECT_TRUE(std::equal(d.values().begin(), d.values().end(), e.values().begin()));
  EXPECT_EQ(a.terms.objective(), b.terms.objective());
}

}  // namespace
}  // namespace gingham::methods::online_dictionary
