#include <gtest/gtest.h>

#include <numeric>

#include "gingham/metrics/scores.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/checkerboard/oracle.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

using testing::all_kinds;
using testing::bregman_kinds;
using testing::descending_kinds;
using testing::Kind;
using testing::Labeling;
using testing::least_loss;
using testing::naive_loss;
using testing::random_positive;

Dataset sparse_data(const Matrix& x, Unlisted unlisted = Unlisted::zero) {
  return Dataset(Block("X", SparseMatrix::from_dense(x), {}, unlisted));
}

Result fit(const Kind& kind, const Dataset& data, std::vector<Setting> more = {}) {
  return run(kind.method, data, kind.settings(std::move(more)));
}

void expect_verified(const Dataset& data, const Result& result) {
  const Verification verification = verify_result(data, result);
  EXPECT_TRUE(verification.passed()) << (verification.passed() ? "" : verification.differences[0]);
}

TEST(Checkerboard, ReportsTheLossOfTheDefinition) {
  Rng rng = Rng::named(1, "definition");
  for (const Kind& kind : all_kinds()) {
    for (int trial = 0; trial < 20; ++trial) {
      SCOPED_TRACE(kind.text() + " trial " + std::to_string(trial));
      const Matrix x = random_positive(2 + rng.below(9), 2 + rng.below(9), rng, trial % 2 == 1);
      const Dataset data{x};
      const Result result = fit(kind, data, {{"row-clusters", 3}, {"column-clusters", 2}});
      EXPECT_EQ(result.status, Status::converged);
      EXPECT_NEAR(result.terms.objective(),
                  naive_loss(kind, x, result.labels("rows"), result.labels("columns")),
                  1e-12 * (1.0 + result.terms.objective()));
      expect_verified(data, result);
    }
  }
}

// I(X; Y) - I(X^; Y^) of the groups found, from the distributions.
TEST(Itcc, LosesTheMutualInformationItReports) {
  Rng rng = Rng::named(2, "information");
  const auto information = [](const Matrix& p) {
    double total = 0.0;
    for (Index i = 0; i < p.rows(); ++i) {
      for (Index j = 0; j < p.cols(); ++j) {
        double row = 0.0, column = 0.0;
        for (Index b = 0; b < p.cols(); ++b) row += p(i, b);
        for (Index a = 0; a < p.rows(); ++a) column += p(a, j);
        if (p(i, j) > 0.0) total += p(i, j) * std::log(p(i, j) / (row * column));
      }
    }
    return total;
  };
  for (int trial = 0; trial < 20; ++trial) {
    Matrix p = random_positive(8, 7, rng, trial % 2 == 1);
    const double total = std::accumulate(p.values().begin(), p.values().end(), 0.0);
    const Result result = run("itcc", Dataset(p), {{"row-clusters", 3}, {"column-clusters", 4}});
    for (double& value : p.values()) value /= total;
    Matrix groups(3, 4);
    for (Index i = 0; i < 8; ++i) {
      for (Index j = 0; j < 7; ++j)
        groups(result.labels("rows")[i], result.labels("columns")[j]) += p(i, j);
    }
    EXPECT_NEAR(result.terms.objective(), information(p) - information(groups), 1e-13);
    double explained = 0.0;
    for (const Component& one : result.model.components) explained += one.explained;
    EXPECT_NEAR(explained, information(groups) / information(p), 1e-12);
  }
}

TEST(Checkerboard, IsNeverBelowTheBestOfAllLabelingsAndOftenAtIt) {
  Rng rng = Rng::named(3, "brute force");
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(kind.text());
    int reached = 0;
    for (int trial = 0; trial < 12; ++trial) {
      const Matrix x = random_positive(5, 4, rng, trial % 3 == 1);
      const double least = least_loss(kind, x, 2, 2);
      const double found =
          fit(kind, Dataset(x), {{"clusters", 2}, {"restarts", 40}}).terms.objective();
      EXPECT_GE(found, least * (1 - 1e-9) - 1e-12);
      reached += found <= least * (1 + 1e-9) + 1e-12 ? 1 : 0;
    }
    // Two k-means that do not know of each other seldom meet the best pair.
    EXPECT_GE(reached, kind.method == "kmeans-coclustering" ? 1 : 10);
  }
}

// At the end no row or column does better in another group, the averages of the blocks as they are.
TEST(Checkerboard, ConvergedMeansThatNoItemWantsToMove) {
  Rng rng = Rng::named(4, "moves");
  for (const char* divergence : {"euclidean", "i-divergence"}) {
    const bool squares = std::string(divergence) == "euclidean";
    for (int trial = 0; trial < 20; ++trial) {
      const Matrix x = random_positive(12, 9, rng, trial % 2 == 1);
      const Result result =
          run("bregman", Dataset(x), {{"divergence", divergence}, {"restarts", 1}});
      ASSERT_EQ(result.status, Status::converged);
      const Matrix& blocks = result.matrix("blocks");
      const Labeling rows = result.labels("rows"), columns = result.labels("columns");
      const auto cost = [&](double v, double f) {
        if (squares) return (v - f) * (v - f);
        if (v == 0.0) return f;
        return f > 0.0 ? v * std::log(v / f) - v + f : INFINITY;
      };
      for (Index g = 0; g < 3; ++g) {
        for (Index i = 0; i < 12; ++i) {
          double here = 0.0, there = 0.0;
          for (Index j = 0; j < 9; ++j) {
            here += cost(x(i, j), blocks(rows[i], columns[j]));
            there += cost(x(i, j), blocks(g, columns[j]));
          }
          EXPECT_LE(here, there * (1 + 1e-8));
        }
        for (Index j = 0; j < 9; ++j) {
          double here = 0.0, there = 0.0;
          for (Index i = 0; i < 12; ++i) {
            here += cost(x(i, j), blocks(rows[i], columns[j]));
            there += cost(x(i, j), blocks(rows[i], g));
          }
          EXPECT_LE(here, there * (1 + 1e-8));
        }
      }
    }
  }
}

TEST(Checkerboard, TheObjectiveNeverRises) {
  Rng rng = Rng::named(5, "descent");
  for (const Kind& kind : descending_kinds()) {
    for (int trial = 0; trial < 30; ++trial) {
      const Matrix x = random_positive(30, 25, rng, trial % 2 == 1);
      const Result result = fit(kind, trial % 4 < 2 ? Dataset(x) : sparse_data(x),
                                {{"clusters", Index{2 + trial % 5}}, {"restarts", 1}});
      EXPECT_EQ(result.status, Status::converged);
      for (std::size_t i = 1; i < result.trace.size(); ++i)
        EXPECT_LE(result.trace[i].objective, result.trace[i - 1].objective * (1 + 1e-12))
            << kind.text();
      EXPECT_NEAR(result.terms.objective(), result.trace.back().objective,
                  1e-10 * result.terms.objective());
    }
  }
}

TEST(Checkerboard, SparseAndDenseStorageAgree) {
  Rng rng = Rng::named(6, "storage");
  for (const Kind& kind : descending_kinds()) {
    for (int trial = 0; trial < 10; ++trial) {
      SCOPED_TRACE(kind.text());
      const Matrix x = random_positive(20, 17, rng, true);
      const Result dense = fit(kind, Dataset(x)), sparse = fit(kind, sparse_data(x));
      EXPECT_EQ(dense.labels("rows"), sparse.labels("rows"));
      EXPECT_EQ(dense.labels("columns"), sparse.labels("columns"));
      EXPECT_NEAR(dense.terms.objective(), sparse.terms.objective(),
                  1e-10 * dense.terms.objective());
      expect_verified(sparse_data(x), sparse);
    }
  }
}

TEST(Bregman, MissingValuesDoNotCount) {
  Rng rng = Rng::named(7, "missing");
  for (const char* divergence : {"euclidean", "i-divergence"}) {
    const Kind kind{"bregman", divergence, "blocks"};
    for (int trial = 0; trial < 20; ++trial) {
      SCOPED_TRACE(kind.text() + " trial " + std::to_string(trial));
      Matrix x = random_positive(14, 11, rng);  // no zeros: what is listed is what is observed
      for (double& value : x.values()) value = rng.uniform() < 0.3 ? std::nan("") : value;
      for (double& value : x.row(3)) value = std::nan("");
      Matrix as_zero = x;
      for (double& value : as_zero.values()) value = std::isnan(value) ? 0.0 : value;
      const Dataset dense{x}, listed = sparse_data(x),
                              unlisted = sparse_data(as_zero, Unlisted::missing);
      const Result result = fit(kind, dense);
      EXPECT_NEAR(result.terms.objective(),
                  naive_loss(kind, x, result.labels("rows"), result.labels("columns")), 1e-11);
      expect_verified(dense, result);
      for (const Dataset& other : {listed, unlisted}) {
        const Result same = fit(kind, other);
        EXPECT_NEAR(same.terms.objective(), result.terms.objective(), 1e-11);
        expect_verified(other, same);
      }
    }
  }
}

TEST(Bregman, MissingAmongUnlistedZeros) {
  Rng rng = Rng::named(8, "missing and zero");
  for (const char* divergence : {"euclidean", "i-divergence"}) {
    const Kind kind{"bregman", divergence, "blocks"};
    for (int trial = 0; trial < 20; ++trial) {
      Matrix x = random_positive(13, 12, rng, true);
      for (double& value : x.values()) value = rng.uniform() < 0.2 ? std::nan("") : value;
      const Result dense = fit(kind, Dataset(x)), sparse = fit(kind, sparse_data(x));
      EXPECT_NEAR(dense.terms.objective(), sparse.terms.objective(), 1e-11);
      expect_verified(sparse_data(x), sparse);
    }
  }
}

TEST(Checkerboard, ScalesAsItsDivergenceDoes) {
  Rng rng = Rng::named(9, "scale");
  const Matrix x = random_positive(15, 12, rng, true);
  for (const Kind& kind : all_kinds()) {
    const Result plain = fit(kind, Dataset(x));
    for (const double c : {3.0, 1e-5, 1e40}) {
      SCOPED_TRACE(kind.text());
      const Result scaled = fit(kind, Dataset(testing::scaled(x, c)));
      const double factor = kind.method == "itcc" ? 1.0 : kind.squares() ? c * c : c;
      EXPECT_NEAR(scaled.terms.objective() / (factor * plain.terms.objective()), 1.0, 1e-9);
      EXPECT_EQ(scaled.labels("rows"), plain.labels("rows"));
    }
  }
}

TEST(Checkerboard, ALargeOffsetDoesNotMatterToSquares) {
  Rng rng = Rng::named(10, "offset");
  Matrix x(25, 18);
  for (double& value : x.values()) value = rng.normal();
  Matrix shifted = x;
  for (double& value : shifted.values()) value += 1e6;
  for (const char* scheme : {"blocks", "margins"}) {
    const Kind kind{"bregman", "euclidean", scheme};
    const Result plain = fit(kind, Dataset(x)), far = fit(kind, Dataset(shifted));
    EXPECT_EQ(plain.labels("rows"), far.labels("rows"));
    EXPECT_NEAR(plain.terms.objective(), far.terms.objective(), 1e-6 * plain.terms.objective());
    expect_verified(Dataset(shifted), far);
  }
}

// The best of many starts is the best whatever the order of rows and columns.
TEST(Checkerboard, PermutingRowsAndColumnsPermutesTheBest) {
  Rng rng = Rng::named(11, "order");
  const Matrix x = random_positive(9, 7, rng);
  const std::vector<Index> rows = rng.permutation(9), columns = rng.permutation(7);
  Matrix y(9, 7);
  for (Index i = 0; i < 9; ++i) {
    for (Index j = 0; j < 7; ++j) y(i, j) = x(rows[i], columns[j]);
  }
  for (const Kind& kind : descending_kinds()) {
    SCOPED_TRACE(kind.text());
    const std::vector<Setting> many{{"clusters", 2}, {"restarts", 100}};
    const Result plain = fit(kind, Dataset(x), many), permuted = fit(kind, Dataset(y), many);
    EXPECT_NEAR(plain.terms.objective(), permuted.terms.objective(),
                1e-12 * plain.terms.objective());
    // The same groups, perhaps under other numbers.
    const Labeling a = plain.labels("rows"), b = permuted.labels("rows");
    for (Index i = 0; i < 9; ++i) {
      for (Index k = 0; k < 9; ++k) EXPECT_EQ(b[i] == b[k], a[rows[i]] == a[rows[k]]);
    }
  }
}

TEST(Checkerboard, IsTheSameForAnyNumberOfThreads) {
  Rng rng = Rng::named(12, "threads");
  Matrix x = random_positive(900, 400, rng, true), holes = x;
  for (double& value : holes.values()) value = rng.uniform() < 0.1 ? std::nan("") : value;
  for (const Kind& kind : all_kinds()) {
    std::vector<Dataset> data{Dataset(x)};
    if (kind.method != "kmeans-coclustering") data.push_back(sparse_data(x));
    if (kind.method == "bregman" && !kind.margins()) data.push_back(Dataset(holes));
    for (const Dataset& one : data) {
      SCOPED_TRACE(kind.text());
      const std::vector<Setting> settings{{"clusters", 3}, {"restarts", 2}, {"max-iterations", 8}};
      Result first;
      for (const Index threads : {1, 2, 3}) {
        std::vector<Setting> now = settings;
        now.push_back({"threads", threads});
        const Result result = fit(kind, one, now);
        if (threads == 1) first = result;
        EXPECT_EQ(result.terms.loss, first.terms.loss);
        EXPECT_EQ(result.labels("rows"), first.labels("rows"));
        EXPECT_EQ(result.labels("columns"), first.labels("columns"));
        EXPECT_TRUE(
            std::ranges::equal(result.matrix("blocks").values(), first.matrix("blocks").values()));
      }
    }
  }
}

TEST(Checkerboard, ZeroRowsAndColumnsHaveAPlace) {
  Rng rng = Rng::named(13, "zeros");
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(kind.text());
    Matrix x = random_positive(9, 8, rng);
    for (const Index i : {2, 5}) {
      for (double& value : x.row(i)) value = 0.0;
    }
    for (Index i = 0; i < 9; ++i) x(i, 4) = 0.0;
    const Result result = fit(kind, Dataset(x));
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_EQ(result.labels("rows").size(), 9u);
    EXPECT_NEAR(result.terms.objective(),
                naive_loss(kind, x, result.labels("rows"), result.labels("columns")), 1e-11);
    expect_verified(Dataset(x), result);
  }
}

TEST(Checkerboard, NothingToGroup) {
  const Dataset zeros{Matrix(5, 4)};
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(kind.text());
    if (kind.margins() && !kind.squares()) {
      EXPECT_THROW(fit(kind, zeros), Error);
      continue;
    }
    const Result result = fit(kind, zeros);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_EQ(result.terms.objective(), 0.0);
    expect_verified(zeros, result);
  }
  Matrix missing(4, 3);
  for (double& value : missing.values()) value = std::nan("");
  EXPECT_THROW(run("bregman", Dataset(missing), {}), Error);
}

TEST(Checkerboard, OneRowAndMoreGroupsThanItems) {
  Rng rng = Rng::named(14, "small");
  for (const Kind& kind : all_kinds()) {
    for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {1, 6}, {6, 1}, {4, 3}}) {
      SCOPED_TRACE(kind.text() + " " + std::to_string(rows) + " x " + std::to_string(columns));
      const Matrix x = random_positive(rows, columns, rng);
      const Result result = fit(kind, Dataset(x), {{"row-clusters", 7}, {"column-clusters", 9}});
      EXPECT_EQ(result.status, Status::converged);
      EXPECT_NEAR(result.terms.objective(), 0.0, 1e-12);  // every item has a group of its own
      EXPECT_EQ(result.matrix("blocks").rows(), 7);
      EXPECT_EQ(result.model.components.size(), 9u);
      expect_verified(Dataset(x), result);
    }
  }
}

TEST(Checkerboard, NumbersOfGroupsDefaultToClusters) {
  Rng rng = Rng::named(15, "defaults");
  const Dataset data{random_positive(20, 15, rng)};
  for (const Kind& kind : all_kinds()) {
    const auto shape = [&](std::vector<Setting> settings) {
      const Result result = fit(kind, data, std::move(settings));
      return std::pair(result.matrix("blocks").rows(), result.matrix("blocks").cols());
    };
    EXPECT_EQ(shape({}), std::pair(Index{3}, Index{3}));
    EXPECT_EQ(shape({{"clusters", 4}}), std::pair(Index{4}, Index{4}));
    EXPECT_EQ(shape({{"clusters", 4}, {"row-clusters", 2}}), std::pair(Index{2}, Index{4}));
    EXPECT_EQ(shape({{"row-clusters", 2}, {"column-clusters", 5}}), std::pair(Index{2}, Index{5}));
    EXPECT_TRUE(find_method(kind.method).traits.checkerboard);
  }
}

TEST(Checkerboard, RefusesWhatItsDivergenceCannotTake) {
  Matrix negative(4, 4);
  for (Index i = 0; i < 4; ++i) negative(i, i) = i == 2 ? -1.0 : 1.0;
  Matrix hole(4, 4);
  for (Index i = 0; i < 4; ++i) hole(i, i) = 1.0;
  hole(1, 2) = std::nan("");
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(kind.text());
    if (kind.squares()) {
      EXPECT_NO_THROW(fit(kind, Dataset(negative)));
    } else {
      try {
        fit(kind, Dataset(negative));
        ADD_FAILURE() << "took a negative value";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::input);
        EXPECT_NE(std::string(error.what()).find("row 3, column 3"), std::string::npos);
      }
    }
    if (kind.method == "bregman" && !kind.margins()) {
      EXPECT_NO_THROW(fit(kind, Dataset(hole)));
    } else {
      EXPECT_THROW(fit(kind, Dataset(hole)), Error);
    }
  }
  EXPECT_THROW(run("kmeans-coclustering", sparse_data(negative), {}), Error);
}

// With margins kept, i-divergence is the sum of the data times what itcc loses.
TEST(Bregman, InformationWithMarginsIsItcc) {
  Rng rng = Rng::named(16, "itcc");
  for (int trial = 0; trial < 10; ++trial) {
    const Matrix x = random_positive(25, 20, rng, trial % 2 == 1);
    const double total = std::accumulate(x.values().begin(), x.values().end(), 0.0);
    const Result itcc = run("itcc", Dataset(x), {});
    const Result bregman =
        run("bregman", Dataset(x), {{"divergence", "i-divergence"}, {"scheme", "margins"}});
    EXPECT_EQ(itcc.labels("rows"), bregman.labels("rows"));
    EXPECT_NEAR(bregman.terms.objective(), total * itcc.terms.objective(),
                1e-12 * bregman.terms.objective());
  }
}

// Where all rows and all columns have the same sum, keeping the margins changes nothing: block
// averages alone have the same fit.
TEST(Bregman, MarginsOfADoublyStochasticMatrixAreInItsBlocks) {
  const Index n = 8;
  Rng rng = Rng::named(17, "stochastic");
  Matrix x(n, n);  // circulant: every row and every column is the same numbers
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& value : values) value = 0.1 + rng.uniform();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) x(i, j) = values[(i + j) % n];
  }
  const Kind blocks{"bregman", "i-divergence", "blocks"},
      margins{"bregman", "i-divergence", "margins"};
  Labeling rows(static_cast<std::size_t>(n)), columns(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    rows[i] = rng.below(2);
    columns[i] = rng.below(3);
  }
  EXPECT_NEAR(naive_loss(blocks, x, rows, columns), naive_loss(margins, x, rows, columns), 1e-12);
  const Result result = fit(margins, Dataset(x));
  EXPECT_NEAR(result.terms.objective(),
              naive_loss(blocks, x, result.labels("rows"), result.labels("columns")), 1e-12);
}

TEST(Checkerboard, FindsPlantedGroups) {
  const MethodInfo& info = find_method("bregman");
  for (const Kind& kind : all_kinds()) {
    SCOPED_TRACE(kind.text());
    Options options(info.simulators.at(0).options);
    options.set("counts", kind.squares() ? "no" : "yes");
    options.set("separation", kind.squares() ? "3" : "1.5");
    const Simulation made = info.simulators[0].make(options, Rng::named(3, "planted"));
    const Dataset data(made.blocks);
    const Result result = fit(kind, data, {{"row-clusters", 4}, {"column-clusters", 3}});
    expect_verified(data, result);
    for (std::size_t mode = 0; mode < 2; ++mode) {
      const auto scores = score_labels(strongest(result.model.memberships[mode]),
                                       strongest(made.memberships[mode]));
      for (const auto& [name, value] : scores.values) {
        if (name != "ari") continue;
        EXPECT_GT(value, 0.99) << "mode " << mode;
      }
    }
    double weight = 0.0;
    for (const Component& one : result.model.components) weight += one.weight;
    EXPECT_NEAR(weight, 1.0, 1e-12);
  }
}

TEST(Checkerboard, VerifiesAtEveryScale) {
  Rng rng = Rng::named(18, "extremes");
  const Matrix x = random_positive(9, 8, rng, true);
  for (const Kind& kind : descending_kinds()) {
    for (const double factor : {1e-300, 1e-150, 1e-30, 1e30, 1e150, 1e300}) {
      SCOPED_TRACE(kind.text() + " at " + std::to_string(factor));
      for (const Dataset& data :
           {Dataset(testing::scaled(x, factor)), sparse_data(testing::scaled(x, factor))}) {
        const Result result = fit(kind, data);
        if (kind.squares() && (factor > 1e200 || factor < 1e-200)) continue;  // squares do not fit
        EXPECT_EQ(result.status, Status::converged);
        expect_verified(data, result);
      }
    }
  }
}

// Exact blocks: the loss is 0, and nothing else is.
TEST(Checkerboard, ExactBlocksLeaveNothing) {
  for (const double unit : {1.0, 0.1, 1e-8, 1e8}) {
    Matrix x(9, 6);
    for (Index i = 0; i < 9; ++i) {
      for (Index j = 0; j < 6; ++j)
        x(i, j) = unit * static_cast<double>(1 + (i % 3) * (1 + j % 2) * (1 + j % 2));
    }
    for (const Kind& kind : all_kinds()) {
      SCOPED_TRACE(kind.text());
      const Dataset data{x};
      const Result result = fit(kind, data, {{"row-clusters", 3}, {"column-clusters", 2}});
      EXPECT_EQ(result.status, Status::converged);
      EXPECT_NEAR(result.terms.objective() / (kind.squares() ? unit * unit : unit), 0.0, 1e-20);
      expect_verified(data, result);
    }
  }
}

// Zeros that are not listed are summed by group; what is left of them is as exact as the residuals
// of dense cells.
TEST(Checkerboard, ExactBlocksLeaveNothingWhereZerosAreNotListed) {
  for (const double unit : {1.0, 0.1, 1e-8, 1e8}) {
    Matrix x(35, 22);
    for (Index i = 0; i < 35; ++i) {
      for (Index j = 0; j < 22; ++j)
        x(i, j) = unit * (i % 5 == 0 && j % 3 == 0 ? 3.1 : (i % 5 > 2 && j % 3 == 1 ? 0.7 : 0.0));
    }
    for (const Kind& kind : descending_kinds()) {
      SCOPED_TRACE(kind.text());
      const Dataset data = sparse_data(x);
      const Result result = fit(kind, data, {{"row-clusters", 3}, {"column-clusters", 3}});
      EXPECT_EQ(result.status, Status::converged);
      EXPECT_NEAR(result.terms.objective() / (kind.squares() ? unit * unit : unit), 0.0, 1e-27);
      expect_verified(data, result);
    }
  }
}

}  // namespace
}  // namespace gingham
