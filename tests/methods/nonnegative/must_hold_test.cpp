// What must hold of nmf and groupnmf among each other.
#include "methods/nonnegative/fits.hpp"
#include "support/arrays.hpp"
#include "support/shuffled_executor.hpp"

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
using testing::relative_distance;
using testing::runs_of_groups;
using testing::singletons;
using testing::Start;
using testing::start_at_random;
using testing::transposed;

TEST(GroupNmf, WithoutBetaIsNmf) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Matrix x = low_rank(14, 12, 3, 0.3, seed);
    const std::vector<Setting> common{{"rank", 3}, {"restarts", 2}, {"max-iterations", 60}};
    std::vector<Setting> own = common;
    own.push_back({"beta", seed % 2 == 0 ? "0" : "0%"});
    const Result plain = fit("nmf", Dataset(x), common);
    const Result grouped = fit("groupnmf", Dataset(x), own, {{"groups", runs_of_groups(12, 3)}});
    EXPECT_NEAR(plain.terms.objective(), grouped.terms.objective(),
                1e-10 * plain.terms.objective());
    EXPECT_LE(relative_distance(product(plain.matrix("W"), plain.matrix("H")),
                                product(grouped.matrix("W"), grouped.matrix("H"))),
              1e-8);
  }
}

// Entries of H at the minimum of 1/2 |X - W H|^2 + beta sum H, and W of length 1, by plain loops.
void expect_shrunk_by_entry(const Matrix& x, const Result& result, double beta) {
  const Matrix &w = result.matrix("W"), &h = result.matrix("H");
  const Matrix model = product(w, h);
  double sum = 0.0;
  for (Index k = 0; k < w.cols(); ++k) {
    double length = 0.0;
    for (Index i = 0; i < w.rows(); ++i) length += w(i, k) * w(i, k);
    for (Index j = 0; j < h.cols(); ++j) {
      double pull = 0.0;
      for (Index i = 0; i < w.rows(); ++i) pull += w(i, k) * (x(i, j) - model(i, j));
      const double best = length > 0.0 ? std::max(h(k, j) + (pull - beta) / length, 0.0) : h(k, j);
      EXPECT_NEAR(h(k, j), best, 1e-6) << "component " << k << ", column " << j;
      sum += h(k, j);
    }
    if (length > 0.0) {
      EXPECT_NEAR(length, 1.0, 1e-9);
    }
  }
  EXPECT_NEAR(result.terms.penalties[0].value, beta * sum, 1e-9 * (1.0 + beta * sum));
}

TEST(GroupNmf, AGroupPerColumnShrinksEntries) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Matrix x = low_rank(10, 8, 3, 0.2, seed);
    const Start start = start_at_random(10, 8, 3, seed);
    const Result result = fit_from(start, "groupnmf", Dataset(x),
                                   {{"beta", 0.3}, {"tolerance", 1e-9}, {"max-iterations", 20000}},
                                   {{"groups", singletons(8)}});
    EXPECT_EQ(result.status, Status::converged);
    expect_shrunk_by_entry(x, result, 0.3);
  }
}

// One component: h <- (X^T w - beta)_+, w <- X h / (|h|^2 + beta sum h), then w at length 1 and h
// longer or shorter by what w was.
TEST(GroupNmf, OneComponentWithAGroupPerColumnIsThePowerMethodWithShrinking) {
  const Matrix x = low_rank(9, 7, 2, 0.2, 3);
  const Start start = start_at_random(9, 7, 1, 4);
  std::vector<double> w(9), h(7);
  const auto normalise = [&] {
    double squares = 0.0;
    for (const double one : w) squares += one * one;
    for (double& one : w) one /= std::sqrt(squares);
    for (double& one : h) one *= std::sqrt(squares);
  };
  for (Index i = 0; i < 9; ++i) w[i] = start.w(i, 0);
  normalise();
  for (int iteration = 1; iteration <= 5; ++iteration) {
    double price = 0.0;
    for (Index j = 0; j < 7; ++j) {
      double pull = 0.0;
      for (Index i = 0; i < 9; ++i) pull += x(i, j) * w[i];
      h[j] = std::max(pull - 0.5, 0.0);
      price += h[j] * h[j] + 0.5 * h[j];
    }
    for (Index i = 0; i < 9; ++i) {
      w[i] = 0.0;
      for (Index j = 0; j < 7; ++j) w[i] += x(i, j) * h[j] / price;
    }
    normalise();
    const Result result =
        fit_from(start, "groupnmf", Dataset(x), {{"beta", 0.5}, {"max-iterations", iteration}},
                 {{"groups", singletons(7)}});
    for (Index i = 0; i < 9; ++i) EXPECT_NEAR(result.matrix("W")(i, 0), w[i], 1e-12);
    for (Index j = 0; j < 7; ++j) EXPECT_NEAR(result.matrix("H")(0, j), h[j], 1e-12);
  }
}

TEST(GroupNmf, BothNormsAgreeOnGroupsOfOne) {
  for (const char* axis : {"columns", "rows"}) {
    for (const char* alpha : {"auto", "0.2"}) {
      for (const char* solver : {"vector", "matrix"}) {
        const Matrix x = low_rank(11, 11, 3, 0.2, 7);
        const Start start = start_at_random(11, 11, 3, 8);
        std::vector<Setting> settings{{"beta", 0.2},
                                      {"axis", axis},
                                      {"alpha", alpha},
                                      {"solver", solver},
                                      {"max-iterations", 40}};
        const Result two =
            fit_from(start, "groupnmf", Dataset(x), settings, {{"groups", singletons(11)}});
        settings.push_back({"norm", "inf"});
        const Result most =
            fit_from(start, "groupnmf", Dataset(x), settings, {{"groups", singletons(11)}});
        expect_same(two, most);
      }
    }
  }
}

TEST(Nmf, BothSolversAgree) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const char* penalty : {"none", "frobenius", "l1"}) {
      const Matrix x = low_rank(12, 10, 2, 0.05, seed);
      std::vector<Setting> settings{
          {"rank", 2}, {"restarts", 1}, {"penalty", penalty}, {"max-iterations", 20000}};
      const Result hals = fit("nmf", Dataset(x), settings);
      settings.push_back({"solver", "bpp"});
      const Result bpp = fit("nmf", Dataset(x), settings);
      EXPECT_EQ(hals.status, Status::converged);
      EXPECT_EQ(bpp.status, Status::converged);
      EXPECT_NEAR(hals.terms.objective(), bpp.terms.objective(), 1e-4 * hals.terms.objective())
          << penalty << " " << seed;
    }
  }
}

TEST(GroupNmf, BothSolversAgree) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const char* norm : {"2", "inf"}) {
      for (const char* alpha : {"auto", "0.1"}) {
        const Matrix x = low_rank(12, 10, 2, 0.05, seed);
        std::vector<Setting> settings{{"rank", 2},      {"restarts", 1}, {"norm", norm},
                                      {"alpha", alpha}, {"beta", 0.1},   {"max-iterations", 20000}};
        const std::vector<Attached> lines{{"groups", runs_of_groups(10, 3)}};
        const Result vector = fit("groupnmf", Dataset(x), settings, lines);
        settings.push_back({"solver", "matrix"});
        const Result matrix = fit("groupnmf", Dataset(x), settings, lines);
        EXPECT_EQ(vector.status, Status::converged);
        EXPECT_EQ(matrix.status, Status::converged);
        EXPECT_NEAR(vector.terms.objective(), matrix.terms.objective(),
                    1e-4 * vector.terms.objective())
            << norm << " " << alpha << " " << seed;
        for (const Result* result : {&vector, &matrix}) EXPECT_LE(result->terms.gap(), 1e-6);
      }
    }
  }
}

TEST(Nmf, RefusesNegativeEntriesByPlace) {
  Matrix x = low_rank(6, 5, 2, 0.1, 1);
  x(3, 2) = -0.25;
  for (const char* method : {"nmf", "groupnmf"}) {
    test::expect_error(ErrorCode::input, {"row 4, column 3", "-0.25", "--allow-negative"}, [&] {
      run(method, Dataset(x), {{"rank", 2}});
    });
    const Result result = fit(method, Dataset(x), {{"rank", 2}, {"allow-negative", true}});
    for (const char* name : {"W", "H"}) {
      for (const double value : result.matrix(name).values()) EXPECT_GE(value, 0.0);
    }
  }
}

TEST(Nmf, RefusesWhatHasNoMinimum) {
  const Dataset data(low_rank(6, 5, 2, 0.1, 1));
  const auto refused = [&](const char* method, const std::vector<Setting>& settings) {
    test::expect_error(ErrorCode::usage, {"--alpha", "no minimum", "grows", "the product stays"},
                       [&] { run(method, data, settings); });
  };
  refused("groupnmf", {{"alpha", 0}, {"beta", 1}});
  refused("groupnmf", {{"alpha", 0}, {"beta", "10%"}});
  refused("groupnmf", {{"alpha", 1}, {"beta", 0}});
  refused("groupnmf", {{"alpha", 1}, {"free", "all"}});
  for (const char* penalty : {"frobenius", "l1"}) {
    refused("nmf", {{"penalty", penalty}, {"alpha", 0}, {"beta", 1}});
    refused("nmf", {{"penalty", penalty}, {"alpha", 1}, {"beta", 0}});
    fit("nmf", data, {{"penalty", penalty}, {"alpha", 0}, {"beta", 0}});
    fit("nmf", data, {{"penalty", penalty}, {"alpha", 1}, {"beta", 1}});
  }
  test::expect_error(ErrorCode::usage, {"--alpha", "--penalty none"}, [&] {
    run("nmf", data, {{"alpha", 1}});
  });
  fit("groupnmf", data, {{"alpha", 0}, {"beta", 0}});
}

Matrix thinned(Matrix x) {
  for (double& value : x.values()) value = value < 0.8 ? 0.0 : value;
  return x;
}

// All that changes how the work is done.
struct Kind {
  const char* method;
  std::vector<Setting> settings;
  std::vector<Attached> lines;
};

std::vector<Kind> kinds(Index columns) {
  const Attached runs{"groups", runs_of_groups(columns, 4)};
  Attached overlapping = runs, tree = runs;
  for (Index j = 0; j < columns; j += 3) overlapping.lines[j] += ",odd";
  for (Index j = 0; j < columns; ++j) tree.lines[j] = "t/" + tree.lines[j];
  tree.lines[1] = "";
  return {{"nmf", {}, {}},
          {"nmf", {{"solver", "bpp"}}, {}},
          {"nmf", {{"penalty", "l1"}, {"beta", 0.3}}, {}},
          {"nmf", {{"penalty", "frobenius"}, {"alpha", 0.2}, {"solver", "bpp"}}, {}},
          {"groupnmf", {}, {runs}},
          {"groupnmf", {{"norm", "inf"}, {"alpha", 0.1}, {"beta", 0.2}}, {runs}},
          {"groupnmf", {{"solver", "matrix"}}, {runs}},
          {"groupnmf", {{"norm", "inf"}, {"free", "g1"}}, {overlapping}},
          {"groupnmf", {{"solver", "matrix"}, {"norm", "inf"}}, {tree}},
          {"groupnmf", {}, {tree, {"group-weights", {"t 0", "t/g2\t3"}}}}};
}

std::vector<Setting> with(std::vector<Setting> settings, const std::vector<Setting>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST(Nmf, SparseIsDense) {
  const Matrix x = thinned(low_rank(20, 16, 4, 0.2, 2));
  const Start start = start_at_random(20, 16, 4, 3);
  const Dataset sparse(Block("X", SparseMatrix::from_dense(x)));
  for (const Kind& kind : kinds(16)) {
    std::vector<Setting> settings = with(kind.settings, {{"max-iterations", 30}});
    expect_same(fit_from(start, kind.method, Dataset(x), settings, kind.lines),
                fit_from(start, kind.method, sparse, settings, kind.lines), 1e-8);
    settings.push_back({"precision", "float"});
    const double objective =
        fit_from(start, kind.method, Dataset(x), settings, kind.lines).terms.objective();
    EXPECT_NEAR(fit_from(start, kind.method, sparse, settings, kind.lines).terms.objective(),
                objective, 1e-4 * objective);
  }
}

TEST(Nmf, FloatAgreesWithDouble) {
  for (const Kind& kind : kinds(16)) {
    const Dataset data(low_rank(20, 16, 3, 0.1, 4));
    std::vector<Setting> settings = with(kind.settings, {{"rank", 3}, {"max-iterations", 300}});
    const Result exact = fit(kind.method, data, settings, kind.lines);
    settings.push_back({"precision", "float"});
    const Result single = fit(kind.method, data, settings, kind.lines);
    EXPECT_NEAR(exact.terms.objective(), single.terms.objective(), 1e-4 * exact.terms.objective());
  }
}

TEST(Nmf, AnyThreadsAndAnyOrderGiveTheSameBits) {
  const Dataset dense(low_rank(400, 60, 5, 0.3, 5));
  const Dataset sparse(Block("X", SparseMatrix::from_dense(thinned(low_rank(60, 400, 5, 0.3, 6)))));
  ThreadPool one(1), two(2), three(3);
  testing::ShuffledExecutor shuffled(1);
  for (const Dataset* data : {&dense, &sparse}) {
    for (const Kind& kind : kinds(data->block(0).shape()[1])) {
      const Options options = options_of(
          kind.method, with(kind.settings, {{"rank", 7}, {"restarts", 2}, {"max-iterations", 2}}),
          kind.lines);
      const MethodInfo& info = find_method(kind.method);
      const std::string expected = digest_of(run(info, *data, options, {}, &one));
      for (Executor* executor : std::vector<Executor*>{&two, &three, &shuffled})
        EXPECT_EQ(digest_of(run(info, *data, options, {}, executor)), expected);
    }
  }
}

class Snapshots final : public Observer {
 public:
  Verdict notice(const Event& event) override {
    taken.push_back(event.session.snapshot());
    return Verdict::go_on;
  }
  std::vector<std::vector<std::byte>> taken;
};

void expect_resumes(const MethodInfo& info, const Dataset& data, const Options& options) {
  Snapshots snapshots;
  const std::string expected = digest_of(run(info, data, options, {&snapshots}));
  const std::size_t stride = snapshots.taken.size() / 30 | 1;  // odd: both halves of iterations
  for (std::size_t i = 0; i < snapshots.taken.size(); i += stride) {
    EXPECT_EQ(digest_of(run(info, data, options, {}, nullptr, snapshots.taken[i])), expected)
        << "step " << i;
  }
}

TEST(Nmf, GoesOnFromEveryStepToTheSameBits) {
  Matrix holes = low_rank(15, 12, 3, 0.2, 9);
  holes(2, 3) = holes(7, 7) = holes(7, 8) = std::nan("");
  for (const Matrix& x : {low_rank(15, 12, 3, 0.2, 8), holes}) {
    for (const Kind& kind : kinds(12)) {
      for (const char* precision : {"double", "float"}) {
        const Options options = options_of(
            kind.method,
            with(kind.settings,
                 {{"rank", 3}, {"restarts", 3}, {"max-iterations", 6}, {"precision", precision}}),
            kind.lines);
        expect_resumes(find_method(kind.method), Dataset(x), options);
      }
    }
  }
}

TEST(Nmf, ShufflingRowsAndColumnsShufflesTheFactors) {
  const Index m = 13, n = 12, rank = 3;
  const Matrix x = low_rank(m, n, rank, 0.2, 10);
  const Start start = start_at_random(m, n, rank, 11);
  Rng rng = Rng::named(1, "order");
  const std::vector<Index> rows = rng.permutation(m), columns = rng.permutation(n);
  Matrix y(m, n);
  Start shuffled{Matrix(m, rank), Matrix(rank, n)};
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) y(i, j) = x(rows[i], columns[j]);
    for (Index k = 0; k < rank; ++k) shuffled.w(i, k) = start.w(rows[i], k);
  }
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < rank; ++k) shuffled.h(k, j) = start.h(k, columns[j]);
  }
  for (const Kind& kind : kinds(n)) {
    std::vector<Attached> lines = kind.lines;
    for (Index j = 0; !lines.empty() && j < n; ++j)
      lines[0].lines[j] = kind.lines[0].lines[columns[j]];
    // A number: what 100 % is depends on a start that is drawn for the given order.
    const std::vector<Setting> more =
        std::string(kind.method) == "groupnmf"
            ? std::vector<Setting>{{"max-iterations", 25}, {"beta", 0.2}}
            : std::vector<Setting>{{"max-iterations", 25}};
    const Result plain =
        fit_from(start, kind.method, Dataset(x), with(kind.settings, more), kind.lines);
    const Result other =
        fit_from(shuffled, kind.method, Dataset(y), with(kind.settings, more), lines);
    EXPECT_NEAR(plain.terms.objective(), other.terms.objective(), 1e-9 * plain.terms.objective());
    for (Index k = 0; k < rank; ++k) {
      for (Index i = 0; i < m; ++i)
        EXPECT_NEAR(other.matrix("W")(i, k), plain.matrix("W")(rows[i], k), 1e-8);
      for (Index j = 0; j < n; ++j)
        EXPECT_NEAR(other.matrix("H")(k, j), plain.matrix("H")(k, columns[j]), 1e-8);
    }
  }
}

TEST(GroupNmf, GroupsOfRowsAreGroupsOfTheTransposesColumns) {
  const Matrix x = low_rank(12, 9, 3, 0.2, 12);
  const Start start = start_at_random(12, 9, 3, 13);
  const Start turned{transposed(start.h), transposed(start.w)};
  for (const Kind& kind : kinds(12)) {
    if (std::string(kind.method) != "groupnmf") continue;
    const std::vector<Setting> settings =
        with(kind.settings, {{"max-iterations", 25}, {"beta", 0.2}});
    const Result rows =
        fit_from(start, "groupnmf", Dataset(x), with(settings, {{"axis", "rows"}}), kind.lines);
    const Result columns =
        fit_from(turned, "groupnmf", Dataset(transposed(x)), settings, kind.lines);
    EXPECT_LE(relative_distance(rows.matrix("W"), transposed(columns.matrix("H"))), 1e-9);
    EXPECT_LE(relative_distance(rows.matrix("H"), transposed(columns.matrix("W"))), 1e-9);
    EXPECT_LE(relative_distance(rows.matrix("group_norms"), columns.matrix("group_norms")), 1e-9);
    EXPECT_NEAR(rows.terms.objective(), columns.terms.objective(), 1e-9 * rows.terms.objective());
  }
}

// What H pays after the first update of the first restart.
double paid_at_first(const Dataset& data, const std::vector<Setting>& settings,
                     const std::vector<Attached>& lines) {
  const Options options = options_of("groupnmf", settings, lines);
  ThreadPool pool(1);
  Context context(pool, 0, 0);
  const MethodInfo& info = find_method("groupnmf");
  const std::unique_ptr<Method> method = info.make(options);
  context = Context(pool, 0, 0, nullptr, info.derive(data, options, context));
  method->start(data, context);
  EXPECT_EQ(method->step(context), Done::nothing);
  for (const NamedValue& penalty : method->terms(context, Accuracy::running).penalties) {
    if (penalty.name == "H") return penalty.value;
  }
  return -1.0;
}

TEST(GroupNmf, AHundredPercentIsTheSmallestWeightThatSwitchesAllOffAtFirst) {
  std::vector<std::string> overlapping, tree;
  for (Index j = 0; j < 12; ++j) {
    overlapping.push_back(j % 4 == 0 ? "a,b" : j % 4 == 1 ? "b,c" : j % 4 == 2 ? "a" : "c");
    tree.push_back(j < 4 ? "a/b/c" : j < 7 ? "a/b" : j < 10 ? "a/d" : "e");
  }
  for (const auto& groups : {runs_of_groups(12, 3), overlapping, tree}) {
    const std::vector<Attached> lines{{"groups", groups}};
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Dataset data(low_rank(15, 12, 3, 0.3, seed));
      for (const char* norm : {"2", "inf"}) {
        for (const char* alpha : {"auto", "0.3"}) {
          for (const char* start : {"nndsvd", "random"}) {
            for (const char* solver : {"vector", "matrix"}) {
              std::vector<Setting> settings{{"rank", 3},
                                            {"norm", norm},
                                            {"start", start},
                                            {"alpha", alpha},
                                            {"solver", solver}};
              settings.push_back({"beta", "100%"});
              EXPECT_EQ(paid_at_first(data, settings, lines), 0.0)
                  << groups[0] << " " << norm << " " << alpha << " " << start << " " << solver;
              settings.back().text = "99.999%";
              EXPECT_GT(paid_at_first(data, settings, lines), 0.0)
                  << groups[0] << " " << norm << " " << alpha << " " << start << " " << solver;
            }
          }
        }
      }
    }
  }
}

// The objective without component k (all components: -1), by plain loops.
double objective_without(Index k, const Matrix& x, const Result& result, double alpha, double beta,
                         const std::string& method) {
  Matrix w = result.matrix("W"), h = result.matrix("H");
  for (Index l = 0; l < w.cols(); ++l) {
    if (l != k && k >= 0) continue;
    for (Index i = 0; i < w.rows(); ++i) w(i, l) = 0.0;
    for (Index j = 0; j < h.cols(); ++j) h(l, j) = 0.0;
  }
  const Matrix model = product(w, h);
  double total_cost = 0.0;
  for (Index e = 0; e < x.size(); ++e)
    total_cost += 0.5 * std::pow(x.data()[e] - model.data()[e], 2);
  for (const double one : w.values()) total_cost += alpha * one * one;
  if (method == "groupnmf") {
    for (Index l = 0; l < h.rows(); ++l) {
      for (Index from = 0; from < h.cols(); from += 5) {
        double squares = 0.0;
        for (Index j = from; j < from + 5; ++j) squares += h(l, j) * h(l, j);
        total_cost += beta * std::sqrt(squares);
      }
    }
  } else {
    for (Index j = 0; j < h.cols(); ++j) {
      double sum = 0.0;
      for (Index l = 0; l < h.rows(); ++l) sum += h(l, j);
      total_cost += beta * sum * sum;
    }
  }
  return total_cost;
}

// Around the weights at which the best model becomes the empty one, fits end in components that are
// at rest and cost more than they explain.
TEST(GroupNmf, NoComponentCostsMoreThanItExplains) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Matrix x = low_rank(10, 10, 3, 0.6, seed);
    for (const std::string method : {"nmf", "groupnmf"}) {
      for (double beta = 1.0; beta < 40.0; beta *= 1.15) {
        std::vector<Setting> settings{{"rank", 2},
                                      {"restarts", 1},
                                      {"alpha", 0.6},
                                      {"beta", beta},
                                      {"max-iterations", beta < 2.0 ? 2 : 300}};
        if (method == "nmf") settings.push_back({"penalty", "l1"});
        std::vector<Attached> lines;
        if (method == "groupnmf") lines = {{"groups", runs_of_groups(10, 2)}};
        const Result result = fit(method, Dataset(x), settings, lines);
        const double now = result.terms.objective() * (1.0 - 1e-9);
        for (const Index k : {-1, 0, 1})
          EXPECT_GE(objective_without(k, x, result, 0.6, beta, method), now) << method << beta;
      }
    }
  }
}

TEST(GroupNmf, ReportsTheNormsOfGroups) {
  const Dataset data(low_rank(15, 12, 3, 0.3, 1));
  for (const char* norm : {"2", "inf"}) {
    const Result result = fit("groupnmf", data, {{"rank", 3}, {"norm", norm}, {"beta", "30%"}},
                              {{"groups", runs_of_groups(12, 4)}});
    const Matrix &norms = result.matrix("group_norms"), &h = result.matrix("H");
    ASSERT_EQ(norms.rows(), 4);
    EXPECT_EQ(find_method("groupnmf").panels[0].labels(result.options),
              (std::vector<std::string>{"g0", "g1", "g2", "g3"}));
    for (Index g = 0; g < 4; ++g) {
      for (Index k = 0; k < 3; ++k) {
        double squares = 0.0, largest = 0.0;
        for (Index j = 3 * g; j < 3 * g + 3; ++j) {
          squares += h(k, j) * h(k, j);
          largest = std::max(largest, h(k, j));
        }
        EXPECT_NEAR(norms(g, k), *norm == '2' ? std::sqrt(squares) : largest, 1e-12);
      }
    }
  }
}

TEST(GroupNmf, SaysWhereAScaleHasNoBestValue) {
  const Dataset data(low_rank(12, 10, 3, 0.2, 5));
  const auto has_note = [&](const char* alpha) {
    const Result result =
        fit("groupnmf", data,
            {{"rank", 3}, {"restarts", 1}, {"alpha", alpha}, {"beta", 1e6}, {"free", "g1"}},
            {{"groups", runs_of_groups(10, 2)}});
    for (const std::string& note : result.model.notes) {
      if (note.find("free groups alone") != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(has_note("1"));
  EXPECT_FALSE(has_note("auto"));
}

}  // namespace
}  // namespace gingham
