// Cells and groups that were not observed.
#include "methods/nonnegative/fits.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using testing::Attached;
using testing::digest_of;
using testing::expect_same;
using testing::fit;
using testing::fit_from;
using testing::low_rank;
using testing::options_of;
using testing::product;
using testing::runs_of_groups;
using testing::Start;
using testing::start_at_random;

constexpr Index kRows = 14, kColumns = 12, kRank = 3;

struct Kind {
  const char* method;
  std::vector<Setting> settings;
};

std::vector<Kind> kinds() {
  return {{"nmf", {}},
          {"nmf", {{"solver", "bpp"}}},
          {"nmf", {{"penalty", "l1"}, {"beta", 0.3}}},
          {"nmf", {{"penalty", "frobenius"}, {"alpha", 0.1}, {"solver", "bpp"}}},
          {"groupnmf", {{"beta", 0.2}}},
          {"groupnmf", {{"beta", 0.2}, {"norm", "inf"}, {"alpha", 0.1}}},
          {"groupnmf", {{"beta", 0.2}, {"solver", "matrix"}}},
          {"groupnmf", {{"beta", 0.2}, {"norm", "inf"}, {"solver", "matrix"}, {"free", "g1"}}}};
}

std::vector<Attached> groups_for(const Kind& kind) {
  if (std::string(kind.method) == "nmf") return {};
  return {{"groups", runs_of_groups(kColumns, 4)}};
}

// Zeros, and holes in up to two thirds of each row and column: what is left of every row determines
// its part of the factors, so that rounding does not decide where a fit goes.
Matrix with_holes(double share, std::uint64_t seed) {
  Matrix x = low_rank(kRows, kColumns, kRank, 0.2, seed);
  Rng rng = Rng::named(seed, "holes");
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < kColumns; ++j) {
      if (rng.uniform() < 0.2) x(i, j) = 0.0;
      if (rng.uniform() < share && (i + j) % 3 != 0) x(i, j) = std::nan("");
    }
  }
  return x;
}

// Every cell that is not NaN, zeros too.
SparseMatrix listed(const Matrix& x) {
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      if (std::isnan(x(i, j))) continue;
      row.push_back(static_cast<std::int32_t>(i));
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(x(i, j));
    }
  }
  return SparseMatrix::from_triplets(x.rows(), x.cols(), test::to_array(row),
                                     test::to_array(column), test::to_array(value),
                                     Duplicates::error);
}

TEST(NmfMissing, AllWaysToStoreHolesAgree) {
  const Start start = start_at_random(kRows, kColumns, kRank, 1);
  for (const double share : {0.02, 0.4, 0.7}) {
    const Matrix x = with_holes(share, 2);
    const Dataset dense(x), sparse(Block("X", SparseMatrix::from_dense(x))),
        unlisted(Block("X", listed(x), {}, Unlisted::missing));
    for (const Kind& kind : kinds()) {
      std::vector<Setting> settings = kind.settings;
      settings.push_back({"max-iterations", 5});
      const std::vector<Attached> lines = groups_for(kind);
      const Result expected = fit_from(start, kind.method, dense, settings, lines);
      expect_same(expected, fit_from(start, kind.method, sparse, settings, lines), 1e-7);
      expect_same(expected, fit_from(start, kind.method, unlisted, settings, lines), 1e-7);
    }
  }
}

TEST(NmfMissing, HolesThatArePredictedExactlyChangeNothing) {
  // Rank 1 with holes: still an exact fit, and the holes are filled.
  Rng rng = Rng::named(3, "exact");
  Matrix w = testing::uniform_matrix(8, 1, rng), h = testing::uniform_matrix(1, 9, rng);
  for (Matrix* factor : {&w, &h}) {
    for (double& value : factor->values()) value += 0.1;
  }
  const Matrix full = product(w, h);
  Matrix x = full;
  for (Index i = 0; i < 8; ++i) x(i, (3 * i) % 9) = x(i, (3 * i + 1) % 9) = std::nan("");
  const Result result =
      fit("nmf", Dataset(x), {{"rank", 1}, {"tolerance", 1e-10}, {"max-iterations", 5000}});
  const Matrix filled = product(result.matrix("W"), result.matrix("H"));
  EXPECT_LE(testing::relative_distance(full, filled), 1e-8);
}

// Rows 0, 3, 6, ... miss g1; rows 2, 5, ... miss g0 and g3.
std::vector<std::string> missing_lines(Index n) {
  std::vector<std::string> lines;
  for (Index i = 0; i < n; ++i) lines.push_back(i % 3 == 0 ? "g1" : i % 3 == 2 ? "g3,g0" : "");
  return lines;
}

bool misses(const std::vector<std::string>& missing, const std::vector<std::string>& groups,
            Index item, Index other) {
  return missing[other].find(groups[item]) != std::string::npos;
}

TEST(NmfMissing, MissingGroupsAreTheirCellsAsHoles) {
  const Start start = start_at_random(kRows, kColumns, kRank, 4);
  for (const bool of_rows : {false, true}) {
    const Index n_items = of_rows ? kRows : kColumns, n_others = of_rows ? kColumns : kRows;
    const std::vector<std::string> groups = runs_of_groups(n_items, 4);
    const std::vector<std::string> missing = missing_lines(n_others);
    for (const double share : {0.0, 0.1}) {
      const Matrix x = with_holes(share, 5);
      Matrix holes = x, wrong = x;
      for (Index i = 0; i < kRows; ++i) {
        for (Index j = 0; j < kColumns; ++j) {
          if (!misses(missing, groups, of_rows ? i : j, of_rows ? j : i)) continue;
          holes(i, j) = std::nan("");
          wrong(i, j) = 1e3;
        }
      }
      for (const Kind& kind : kinds()) {
        if (std::string(kind.method) == "nmf") continue;
        std::vector<Setting> settings = kind.settings;
        settings.push_back({"max-iterations", 20});
        settings.push_back({"axis", of_rows ? "rows" : "columns"});
        const std::vector<Attached> lines{{"groups", groups}};
        const std::vector<Attached> both{{"groups", groups}, {"missing-groups", missing}};
        const Result expected = fit_from(start, "groupnmf", Dataset(holes), settings, lines);
        const Result dense = fit_from(start, "groupnmf", Dataset(x), settings, both);
        expect_same(expected, dense, 1e-7);
        EXPECT_FALSE(dense.model.notes.empty());
        EXPECT_EQ(digest_of(fit_from(start, "groupnmf", Dataset(wrong), settings, both)),
                  digest_of(dense));
        const Dataset sparse(Block("X", SparseMatrix::from_dense(x)));
        expect_same(expected, fit_from(start, "groupnmf", sparse, settings, both), 1e-7);
        const Dataset unlisted(Block("X", listed(x), {}, Unlisted::missing));
        expect_same(expected, fit_from(start, "groupnmf", unlisted, settings, both), 1e-7);
      }
    }
  }
}

// What lies in missing groups has no part in starts, percentages or ranks either.
TEST(NmfMissing, ValuesInMissingGroupsDoNotMatter) {
  const std::vector<std::string> groups = runs_of_groups(kColumns, 4);
  const std::vector<std::string> missing = missing_lines(kRows);
  const Matrix x = with_holes(0.0, 6);
  Matrix wrong = x;
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < kColumns; ++j) {
      if (misses(missing, groups, j, i)) wrong(i, j) = 40.0;
    }
  }
  for (const char* rank : {"3", "auto"}) {
    const std::vector<Setting> settings{
        {"rank", rank}, {"max-rank", 4}, {"restarts", 2}, {"max-iterations", 15}};
    const std::vector<Attached> lines{{"groups", groups}, {"missing-groups", missing}};
    EXPECT_EQ(digest_of(fit("groupnmf", Dataset(x), settings, lines)),
              digest_of(fit("groupnmf", Dataset(wrong), settings, lines)));
  }
}

// Rows of several patterns lie between each other: neighbours are those of the data.
TEST(GroupnmfMissing, OrderedPenaltiesGoByTheOrderOfTheItems) {
  const Matrix x = low_rank(12, 8, 2, 0.1, 13);
  std::vector<std::string> missing;
  for (Index i = 0; i < 12; ++i) missing.push_back(i % 3 == 0 ? "g0" : i % 3 == 1 ? "g1" : "");
  for (const std::string penalty : {"rows=nonneg+unimodal", "rows=nonneg+smooth:0.1"}) {
    const Result result =
        fit("groupnmf", Dataset(x),
            {{"rank", 2},
             {"restarts", 1},
             {"beta", 0.1},
             {"penalty", penalty},
             {"tolerance", 1e-5},
             {"max-iterations", 5000}},
            {{"groups", testing::runs_of_groups(8, 2)}, {"missing-groups", missing}});
    EXPECT_EQ(result.status, Status::converged) << penalty;
    EXPECT_LT(result.terms.gap(), 1e-3) << penalty;
  }
}

TEST(NmfMissing, RowsAndColumnsWithoutAnyCellAreZero) {
  Matrix x = low_rank(kRows, kColumns, kRank, 0.2, 7);
  for (double& value : x.row(4)) value = std::nan("");
  for (Index i = 0; i < kRows; ++i) x(i, 2) = std::nan("");
  for (const Kind& kind : kinds()) {
    std::vector<Setting> settings = kind.settings;
    settings.push_back({"rank", kRank});
    for (const Index most : {Index{1}, Index{20}}) {
      settings.push_back({"max-iterations", most});
      for (const Dataset& data : {Dataset(x), Dataset(Block("X", SparseMatrix::from_dense(x))),
                                  Dataset(Block("X", listed(x), {}, Unlisted::missing))}) {
        const Result result = fit(kind.method, data, settings, groups_for(kind));
        for (Index k = 0; k < kRank; ++k) {
          EXPECT_EQ(result.matrix("W")(4, k), 0.0) << kind.method;
          EXPECT_EQ(result.matrix("H")(k, 2), 0.0) << kind.method;
        }
      }
    }
  }
}

// One cell per row and column: most of every factor is fitted to nothing and fades away for ever,
// down to where squares underflow.
TEST(NmfMissing, FadingEntriesDoNotMakeTheObjectiveRise) {
  Matrix x(11, 21);
  for (double& value : x.values()) value = std::nan("");
  for (Index i = 0; i < 11; ++i) x(i, i) = 1.0;
  const Dataset data(Block("X", listed(x), {}, Unlisted::missing));
  for (const char* solver : {"vector", "matrix"}) {
    for (const char* norm : {"2", "inf"}) {
      fit("groupnmf", data,
          {{"rank", 5}, {"start", "random"}, {"beta", 0.001}, {"solver", solver}, {"norm", norm}});
    }
  }
}

TEST(NmfMissing, NothingObservedIsNoFailure) {
  Matrix x(6, 5);
  for (double& value : x.values()) value = std::nan("");
  for (const Kind& kind : kinds()) {
    std::vector<Setting> settings = kind.settings;
    settings.push_back({"rank", 2});
    std::vector<Attached> lines;
    if (std::string(kind.method) == "groupnmf") lines = {{"groups", runs_of_groups(5, 2)}};
    for (const char* rank : {"2", "auto"}) {
      settings.push_back({"rank", rank});
      const Result result = fit(kind.method, Dataset(x), settings, lines);
      EXPECT_EQ(result.terms.objective(), 0.0);
      for (const double value : result.matrix("W").values()) EXPECT_EQ(value, 0.0);
      for (const double value : result.matrix("H").values()) EXPECT_EQ(value, 0.0);
      ASSERT_FALSE(result.model.notes.empty());
      EXPECT_NE(result.model.notes[0].find("no value was observed"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace gingham
