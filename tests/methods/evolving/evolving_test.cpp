// What must hold for co-clusters over time, beyond the contract of all methods.
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/kernels/tv_prox.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

// A planted block whose rows move from time to time, in noise; `rows` may differ between times.
std::vector<Matrix> planted_series(const std::vector<Index>& rows, Index columns,
                                   std::uint64_t seed, double level = 3.0) {
  Rng rng = Rng::named(seed, "series");
  std::vector<Matrix> series;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Matrix x(rows[i], columns);
    for (double& value : x.values()) value = rng.normal();
    for (Index r = 0; r < rows[i] / 3; ++r) {
      for (Index j = 0; j < columns / 3; ++j) {
        x((r + static_cast<Index>(i)) % rows[i], j) += level;
      }
    }
    series.push_back(std::move(x));
  }
  return series;
}

Dataset dataset(const std::vector<Matrix>& series) {
  std::vector<Block> blocks;
  for (const Matrix& x : series) blocks.emplace_back("time " + std::to_string(blocks.size()), x);
  return Dataset(std::move(blocks));
}

void make_holes(std::vector<Matrix>& series, double share, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "holes");
  for (Matrix& x : series) {
    for (double& value : x.values()) value = rng.uniform() < share ? std::nan("") : value;
  }
}

std::string name(const char* letter, Index time) {
  return letter + std::string("_") + std::to_string(time);
}

void expect_verified(const Dataset& data, const Result& result) {
  const Verification verification = verify_result(data, result);
  EXPECT_TRUE(verification.passed()) << (verification.passed() ? "" : verification.differences[0]);
}

TEST(Evolving, SharesOfTheTimesAddUpToTheWhole) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Matrix> series = planted_series({12, 15, 9, 12}, 10, seed);
    if (seed % 2 == 1) make_holes(series, 0.2, seed);
    for (double& value : series[3].values()) value = seed % 3 == 0 ? 0.0 : 5.0 * value;
    std::vector<double> squares;
    double all = 0.0;
    for (const Matrix& x : series) {
      squares.push_back(0.0);
      for (const double value : x.values())
        squares.back() += std::isnan(value) ? 0.0 : value * value;
      all += squares.back();
    }
    const Dataset data = dataset(series);
    const Result result = run("evolving", data, {{"clusters", 3}});
    expect_verified(data, result);
    for (const Component& component : result.model.components) {
      ASSERT_EQ(component.block_explained.size(), 4u);
      double sum = 0.0;
      for (std::size_t i = 0; i < 4; ++i) sum += squares[i] * component.block_explained[i];
      EXPECT_NEAR(sum / all, component.explained, 1e-12);
      if (squares[3] == 0.0) {
        EXPECT_EQ(component.block_explained[3], 0.0);
      }
    }
    const Result alone = run("evolving", Dataset(series[0]), {{"clusters", 1}});
    EXPECT_TRUE(alone.model.components[0].block_explained.empty());
  }
}

TEST(Evolving, WithoutFusionItIsTheSparseSvdOfEachMatrix) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<Matrix> series = planted_series({12, 15, 9}, 10, seed);
    const Result together = run("evolving", dataset(series),
                                {{"clusters", 2},
                                 {"row-sparsity", 0.7},
                                 {"column-sparsity", 0.4},
                                 {"column-fusion", 0},
                                 {"tolerance", 1e-12},
                                 {"max-iterations", 20000}});
    for (Index i = 0; i < 3; ++i) {
      const Result alone = run("ssvd", Dataset(series[i]),
                               {{"clusters", 2},
                                {"row-sparsity", 0.7},
                                {"column-sparsity", 0.4},
                                {"adaptive", 0},
                                {"tolerance", 1e-12},
                                {"max-iterations", 20000}});
      for (Index k = 0; k < 2; ++k) {
        EXPECT_NEAR(together.matrix("s")(i, k), alone.vector("s")[k], 1e-9);
        EXPECT_NEAR(together.matrix("levels")(i, k), alone.vector("levels")[k], 1e-9);
        // Signs are aligned over time: both vectors may be turned round.
        const Matrix &u = together.matrix(name("u", i)), &v = together.matrix(name("v", i));
        double product = 0.0;
        for (Index j = 0; j < 10; ++j) product += v(j, k) * alone.matrix("v")(j, k);
        const double sign = product < 0.0 ? -1.0 : 1.0;
        for (Index r = 0; r < series[i].rows(); ++r) {
          EXPECT_NEAR(sign * u(r, k), alone.matrix("u")(r, k), 1e-9);
        }
        for (Index j = 0; j < 10; ++j) {
          EXPECT_NEAR(sign * v(j, k), alone.matrix("v")(j, k), 1e-9);
        }
      }
    }
  }
}

TEST(Evolving, WithoutFusionTheObjectiveNeverRises) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Result result = run("evolving", dataset(planted_series({20, 14, 17}, 12, seed)),
                              {{"clusters", 3},
                               {"row-sparsity", "20%"},
                               {"column-sparsity", "30%"},
                               {"column-fusion", 0},
                               {"tolerance", 1e-9}});
    for (std::size_t i = 1; i < result.trace.size(); ++i) {
      if (result.trace[i].component != result.trace[i - 1].component) continue;
      EXPECT_LE(result.trace[i].objective, result.trace[i - 1].objective * (1 + 1e-12));
    }
  }
}

TEST(Evolving, AtTheMaximumNothingChangesOverTime) {
  const std::vector<Matrix> series = planted_series({12, 15, 9, 30}, 10, 1);
  for (const char* fusion : {"max", "auto", "1e9"}) {
    for (const char* sparsity : {"auto", "0", "30%"}) {
      const Dataset data = dataset(series);
      const Result result = run("evolving", data,
                                {{"clusters", 3},
                                 {"row-sparsity", sparsity},
                                 {"column-sparsity", sparsity},
                                 {"column-fusion", fusion}});
      for (Index i = 1; i < 4; ++i) {
        for (Index k = 0; k < 3; ++k) {
          EXPECT_EQ(result.matrix("s")(i, k), result.matrix("s")(0, k));
          for (Index j = 0; j < 10; ++j) {
            EXPECT_EQ(result.matrix(name("v", i))(j, k), result.matrix("v_0")(j, k));
          }
        }
      }
      EXPECT_EQ(result.terms.penalties[3].value, 0.0);
      EXPECT_EQ(result.model.measures[0].name, "column_variation");
      EXPECT_EQ(result.model.measures[0].value, 0.0);
      expect_verified(data, result);
    }
  }
}

TEST(Evolving, VariationFallsAsFusionGrows) {
  const Dataset data = dataset(planted_series({40, 50, 45, 38, 60}, 60, 2));
  double before = INFINITY;
  for (const char* fusion : {"0", "0.01", "0.1", "1", "3", "10", "100", "1e4"}) {
    const Result result = run("evolving", data,
                              {{"row-sparsity", 0.5},
                               {"column-sparsity", 0.5},
                               {"column-fusion", fusion},
                               {"tolerance", 1e-8},
                               {"max-iterations", 5000}});
    EXPECT_EQ(result.status, Status::converged) << fusion;
    EXPECT_LE(result.model.measures[0].value, before * (1 + 1e-9)) << fusion;
    before = result.model.measures[0].value;
    expect_verified(data, result);
  }
  EXPECT_EQ(before, 0.0);
}

TEST(Evolving, EveryCombinationOfPenaltiesVerifies) {
  for (const double holes : {0.0, 0.3}) {
    std::vector<Matrix> series = planted_series({15, 15, 15, 15}, 11, 3);
    make_holes(series, holes, 1);
    const Dataset data = dataset(series);
    for (const char* row_fusion : {"0", "20%", "0.8", "max"}) {
      for (const char* column_fusion : {"0", "20%", "0.8", "max"}) {
        for (const char* sparsity : {"auto", "25%", "0.5"}) {
          SCOPED_TRACE(std::string(row_fusion) + " " + column_fusion + " " + sparsity + " " +
                       to_text(holes));
          const Result result = run("evolving", data,
                                    {{"clusters", 2},
                                     {"row-sparsity", sparsity},
                                     {"column-sparsity", sparsity},
                                     {"row-fusion", row_fusion},
                                     {"column-fusion", column_fusion}});
          EXPECT_NE(result.status, Status::numerical_failure);
          expect_verified(data, result);
        }
      }
    }
  }
}

TEST(Evolving, RowsFusedWithDifferentColumnsIsTheMirrorImage) {
  const std::vector<Matrix> series = planted_series({12, 15, 9}, 10, 4);
  std::vector<Matrix> mirrored;
  for (const Matrix& x : series) {
    Matrix y(x.cols(), x.rows());
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j) y(j, i) = x(i, j);
    }
    mirrored.push_back(y);
  }
  const Result plain = run("evolving", dataset(series),
                           {{"clusters", 2},
                            {"row-sparsity", 0.6},
                            {"column-sparsity", 0.3},
                            {"column-fusion", 0.5},
                            {"tolerance", 1e-10},
                            {"max-iterations", 5000}});
  const Result mirror = run("evolving", dataset(mirrored),
                            {{"clusters", 2},
                             {"row-sparsity", 0.3},
                             {"column-sparsity", 0.6},
                             {"row-fusion", 0.5},
                             {"column-fusion", 0},
                             {"tolerance", 1e-10},
                             {"max-iterations", 5000}});
  EXPECT_NEAR(plain.terms.objective(), mirror.terms.objective(), 1e-7 * plain.terms.objective());
  for (Index i = 0; i < 3; ++i) {
    for (Index k = 0; k < 2; ++k) {
      double sign = 0.0;
      for (Index j = 0; j < 10; ++j) {
        sign += plain.matrix(name("v", i))(j, k) * mirror.matrix(name("u", i))(j, k);
      }
      EXPECT_NEAR(std::abs(sign), 1.0, 1e-7);
    }
  }
  EXPECT_THROW(run("evolving", dataset(mirrored)), Error);  // the columns are not shared
}

TEST(Evolving, DualAndExactAgree) {
  const Dataset data = dataset(planted_series({20, 25, 22}, 30, 5));
  for (const auto& [fusion, sparsity] :
       {std::pair{"0.3", "0.5"}, {"30%", "0.5"}, {"2", "0.5"}, {"30%", "auto"}, {"2", "20%"}}) {
    const auto with = [&](const char* solver) {
      return run("evolving", data,
                 {{"row-sparsity", sparsity},
                  {"column-sparsity", sparsity},
                  {"column-fusion", fusion},
                  {"solver", solver},
                  {"tolerance", 1e-6},
                  {"max-iterations", 3000}});
    };
    const Result exact = with("exact"), dual = with("dual");
    EXPECT_EQ(dual.status, Status::converged);
    EXPECT_NEAR(exact.terms.objective(), dual.terms.objective(), 1e-6 * exact.terms.objective());
    const Matrix& gaps = dual.matrix("dual_gaps");
    EXPECT_GT(gaps.rows(), 2);
    for (Index i = 1; i < gaps.rows(); ++i) EXPECT_LE(gaps(i, 0), gaps(i - 1, 0));
    expect_verified(data, dual);
  }
}

TEST(Evolving, WeightsOfOneAreNoWeights) {
  // A column that is missing altogether changes nothing for the others, but the data then go
  // through the weighted path.
  std::vector<Matrix> series = planted_series({14, 11, 16}, 9, 6);
  std::vector<Matrix> wider;
  for (const Matrix& x : series) {
    Matrix y(x.rows(), x.cols() + 1);
    for (Index i = 0; i < x.rows(); ++i) {
      std::copy(x.row(i).begin(), x.row(i).end(), y.row(i).begin());
      y(i, x.cols()) = std::nan("");
    }
    wider.push_back(y);
  }
  for (const char* fusion : {"0", "0.7", "max"}) {
    for (const char* sparsity : {"auto", "0.4", "20%"}) {
      const auto fit = [&](const std::vector<Matrix>& matrices) {
        return run("evolving", dataset(matrices),
                   {{"clusters", 2},
                    {"row-sparsity", sparsity},
                    {"column-sparsity", sparsity},
                    {"column-fusion", fusion},
                    {"tolerance", 1e-9},
                    {"max-iterations", 5000}});
      };
      const Result plain = fit(series), weighted = fit(wider);
      if (plain.status != Status::converged || weighted.status != Status::converged) continue;
      // Only BIC sees the missing column: it counts one unknown more.
      const bool exact = std::string(sparsity) != "auto";
      EXPECT_NEAR(plain.terms.objective(), weighted.terms.objective(),
                  (exact ? 1e-8 : 1e-2) * plain.terms.objective())
          << fusion << " " << sparsity;
    }
  }
}

TEST(Evolving, MissingValuesAreLeftOutNotFilledIn) {
  // Rank one, every second cell missing: without penalties the rest is fitted exactly.
  Rng rng = Rng::named(7, "rank one");
  std::vector<double> v(12);
  for (double& value : v) value = 1.0 + rng.uniform();
  std::vector<Matrix> series;
  for (Index i = 0; i < 3; ++i) {
    Matrix x(15, 12);
    for (Index r = 0; r < 15; ++r) {
      const double u = 1.0 + rng.uniform();
      for (Index j = 0; j < 12; ++j) x(r, j) = u * v[j];
    }
    series.push_back(x);
  }
  make_holes(series, 0.5, 2);
  const Dataset data = dataset(series);
  const Result result = run("evolving", data,
                            {{"row-sparsity", 0},
                             {"column-sparsity", 0},
                             {"column-fusion", 0},
                             {"tolerance", 1e-10},
                             {"max-iterations", 5000}});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LT(result.terms.loss, 1e-12);
  expect_verified(data, result);
}

TEST(Evolving, AwkwardSeriesHaveAStatedOutcome) {
  std::vector<Matrix> series = planted_series({8, 8, 8}, 6, 8);
  const std::vector<Setting> settings{{"clusters", 9}};
  {
    std::vector<Matrix> with_zero = series;
    with_zero[1] = Matrix(8, 6);
    const Dataset data = dataset(with_zero);
    expect_verified(data, run("evolving", data, settings));
    expect_verified(data, run("evolving", data, {{"column-fusion", 0}, {"clusters", 3}}));
  }
  {
    const Dataset data = dataset({series[0]});
    expect_verified(data, run("evolving", data, settings));
  }
  {
    std::vector<Matrix> with_hole = series;
    for (double& value : with_hole[2].row(3)) value = std::nan("");
    const Dataset data = dataset(with_hole);
    const Result result = run("evolving", data, {{"row-sparsity", 0}, {"clusters", 2}});
    expect_verified(data, result);
    EXPECT_EQ(result.matrix("u_2")(3, 0), 0.0);
  }
  {
    std::vector<Matrix> nothing = series;
    for (double& value : nothing[0].values()) value = std::nan("");
    const Dataset data = dataset(nothing);
    expect_verified(data, run("evolving", data, {{"clusters", 2}}));
  }
  {
    const Dataset data = dataset(planted_series({5, 7}, 1, 9));
    expect_verified(data, run("evolving", data, settings));
  }
}

TEST(Evolving, SparseAndDenseAgreeWithMissingValues) {
  std::vector<Matrix> series = planted_series({20, 25}, 15, 10);
  for (Matrix& x : series) {
    for (double& value : x.values()) value = value < 0.8 ? 0.0 : value;
  }
  make_holes(series, 0.2, 3);
  std::vector<Block> sparse;
  for (const Matrix& x : series) sparse.emplace_back("sparse", SparseMatrix::from_dense(x));
  const Dataset data(std::move(sparse));
  const std::vector<Setting> settings{{"clusters", 3}, {"tolerance", 1e-9}};
  const Result a = run("evolving", dataset(series), settings), b = run("evolving", data, settings);
  EXPECT_NEAR(a.terms.objective(), b.terms.objective(), 1e-10 * a.terms.objective());
  expect_verified(data, b);
}

TEST(Evolving, MoreRestartsAreNeverWorse) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Dataset data = dataset(planted_series({20, 25, 22, 30}, 18, seed, 1.5));
    const Result one = run("evolving", data, {{"row-sparsity", 0.5}, {"column-sparsity", 0.5}});
    const Result many =
        run("evolving", data, {{"row-sparsity", 0.5}, {"column-sparsity", 0.5}, {"restarts", 5}});
    EXPECT_LE(many.terms.objective(), one.terms.objective());
    expect_verified(data, many);
  }
}

TEST(Evolving, SharesMeanTheSameInEveryRestart) {
  const Dataset data = dataset(planted_series({20, 25, 22}, 18, 12, 1.5));
  const std::vector<Setting> settings{
      {"row-sparsity", "20%"}, {"column-sparsity", "20%"}, {"column-fusion", "40%"}};
  std::vector<Setting> many = settings;
  many.emplace_back("restarts", 6);
  const Result one = run("evolving", data, settings), best = run("evolving", data, many);
  for (std::size_t k = 0; k < one.model.used.size(); ++k) {
    EXPECT_EQ(one.model.used[k].values, best.model.used[k].values) << one.model.used[k].option;
  }
  EXPECT_THROW(run("evolving", data, {{"row-sparsity", "1,2"}}), Error);
}

TEST(Evolving, TheSeedDoesNotMatterWithoutRestarts) {
  const Dataset data = dataset(planted_series({60, 70, 80}, 90, 13, 0.5));
  const Result one = run("evolving", data, {{"clusters", 3}, {"seed", 1}});
  const Result two = run("evolving", data, {{"clusters", 3}, {"seed", 2}});
  EXPECT_EQ(one.terms.objective(), two.terms.objective());
}

TEST(Evolving, SignsAreAlignedWithoutFusionToo) {
  Rng rng = Rng::named(14, "signs");
  std::vector<Matrix> series(2, Matrix(20, 4));
  const double columns[2][4] = {{1.1, -1.0, 0.5, 0.0}, {1.0, -1.1, 0.5, 0.0}};
  for (Index r = 0; r < 20; ++r) {
    const double u = rng.normal();
    for (Index i = 0; i < 2; ++i) {
      for (Index j = 0; j < 4; ++j) series[i](r, j) = u * columns[i][j] + 0.1 * rng.normal();
    }
  }
  const Result result = run("evolving", dataset(series), {{"column-fusion", 0}});
  double product = 0.0;
  for (Index j = 0; j < 4; ++j) product += result.matrix("v_0")(j, 0) * result.matrix("v_1")(j, 0);
  EXPECT_GT(product, 0.9);
}

TEST(Evolving, AFlippedSignAtOneTimeChangesNothing) {
  std::vector<Matrix> series = planted_series({20, 20, 20}, 15, 11);
  const std::vector<Setting> settings{
      {"column-fusion", 0.5}, {"row-sparsity", 0.5}, {"column-sparsity", 0.5}, {"tolerance", 1e-9}};
  const Result before = run("evolving", dataset(series), settings);
  for (double& value : series[1].values()) value = -value;
  const Result after = run("evolving", dataset(series), settings);
  EXPECT_NEAR(before.terms.objective(), after.terms.objective(), 1e-9 * before.terms.objective());
  for (Index j = 0; j < 15; ++j) {
    EXPECT_NEAR(before.matrix("v_1")(j, 0), after.matrix("v_1")(j, 0), 1e-6);
  }
}

// The last step of the columns: its targets are X_i' u_i.
double allowed_gap(const std::vector<Matrix>& series, const Result& result, double share) {
  double half_square = 0.0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Matrix& u = result.matrix(name("u", static_cast<Index>(i)));
    for (Index j = 0; j < series[i].cols(); ++j) {
      double a = 0.0;
      for (Index r = 0; r < series[i].rows(); ++r) a += series[i](r, j) * u(r, 0);
      half_square += 0.5 * a * a;
    }
  }
  return share * std::max(1.0, half_square);
}

TEST(Evolving, TheDualEndsAtTheGapThatWasAskedFor) {
  const std::vector<Matrix> series = planted_series({20, 25, 22, 18, 21, 20}, 18, 15);
  const Dataset data = dataset(series);
  for (const double share : {1e-8, 1e-12}) {
    const Result result = run("evolving", data,
                              {{"column-fusion", 2.0},
                               {"solver", "dual"},
                               {"dual-gap", share},
                               {"row-sparsity", 0.5},
                               {"column-sparsity", 0.5}});
    const Matrix& gaps = result.matrix("dual_gaps");
    const double allowed = allowed_gap(series, result, share);
    ASSERT_GT(gaps.rows(), 1);
    EXPECT_LE(gaps(gaps.rows() - 1, 0), allowed * (1 + 1e-9));
    EXPECT_GT(gaps(gaps.rows() - 2, 0), allowed * (1 - 1e-9));
    expect_verified(data, result);
    for (NamedArray one : result.model.arrays) {
      if (one.name != "dual_gaps") continue;
      Result changed = result;
      std::get<Matrix>(one.values)(gaps.rows() / 3, 0) *= 1.01;
      for (NamedArray& array : changed.model.arrays) {
        if (array.name == "dual_gaps") array = one;
      }
      EXPECT_FALSE(verify_result(data, changed).passed());
    }
  }
  EXPECT_THROW(run("evolving", data, {{"dual-gap", 0}}), Error);
}

TEST(Evolving, NoResultIsWorseThanTheEmptyModel) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    std::vector<Matrix> series = planted_series({14, 14, 14}, 12, seed, 1.5);
    if (seed % 2 == 1) make_holes(series, 0.2, seed);
    double empty = 0.0;
    for (const Matrix& x : series) {
      for (const double value : x.values()) empty += std::isnan(value) ? 0.0 : 0.5 * value * value;
    }
    for (const char* fusion : {"0", "30%", "max"}) {
      const Dataset data = dataset(series);
      const Result result = run("evolving", data,
                                {{"clusters", 4},
                                 {"row-sparsity", "30%"},
                                 {"column-sparsity", "30%"},
                                 {"column-fusion", fusion}});
      EXPECT_LE(result.terms.objective(), empty * (1 + 1e-12)) << seed << " " << fusion;
      expect_verified(data, result);
    }
  }
}

}  // namespace
}  // namespace gingham
