#include "gingham/methods/nonnegative/transform.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/contract_data.hpp"
#include "methods/nonnegative/fits.hpp"
#include "support/arrays.hpp"
#include "support/storages.hpp"

namespace gingham::methods::nonnegative {
namespace {

using testing::options_of;
using testing::transposed;
using Real = long double;
using Reals = std::vector<Real>;

// New items as rows of x, NaN where missing, and the fixed factor, one row per cell of an item.
struct Problem {
  Matrix x, other;
  SideRules rules;
  double size = 1.0;  // of the entries of the fit

  Index rank() const { return other.cols(); }
};

double ridge_of(const SideRules& rules) { return rules.penalty->rest().ridge / 2.0; }
double l1_of(const SideRules& rules) { return rules.penalty->rest().l1; }

void set_entries(SideRules& rules, double ridge, double l1) {
  EntryRule rule = kNonneg;
  rule.ridge = 2.0 * ridge;
  rule.l1 = l1;
  rules.penalty = std::make_shared<Separable>(rule);
}

Problem random_problem(Rng& rng) {
  const Index n = rng.below(10) + 1, cells = rng.below(12) + 1, rank = rng.below(4) + 1;
  Problem p{Matrix(n, cells), Matrix(cells, rank), {}};
  const Index holes = rng.below(4), is_signed = rng.below(4);
  const bool has_ties = rng.below(4) == 0;
  const auto draw = [&] {
    if (rng.below(4) == 0) return 0.0;
    return has_ties ? static_cast<double>(rng.below(2) + 1) : rng.uniform();
  };
  for (double& value : p.other.values()) value = draw();
  if (rank > 1 && rng.below(4) == 0) {  // twice the same component
    for (Index j = 0; j < cells; ++j) p.other(j, 1) = p.other(j, 0);
  }
  for (double& value : p.x.values()) {
    value = is_signed == 0 ? draw() - 0.5 : draw();
    if (holes > 0 && rng.below(2 * holes) == 0) value = std::nan("");
  }
  if (rng.below(3) == 0) {
    for (double& value : p.x.row(rng.below(n))) value = 0.0;
  }
  if (rng.below(3) == 0) {
    for (double& value : p.x.row(rng.below(n))) value = std::nan("");
  }
  const double ridge = rng.below(3) == 0 ? rng.uniform() : 0.0;
  set_entries(p.rules, ridge, rng.below(3) == 0 ? rng.uniform() : 0.0);
  if (rng.below(3) == 0) p.rules.cross = rng.uniform();
  return p;
}

Model model_of(const Problem& p, Index mode) {
  Model model;
  Matrix own(1, p.rank());
  std::fill_n(own.data(), own.size(), p.size);
  model.arrays = {{"W", mode == 0 ? own : p.other}, {"H", transposed(mode == 0 ? p.other : own)}};
  model.components.resize(static_cast<std::size_t>(p.rank()));
  return model;
}

struct Found {
  Transformed all;
  Matrix f;  // items x components
};

Found run(const Problem& p, Index mode, test::Storage storage = test::Storage::dense,
          int threads = 1) {
  ThreadPool pool(threads);
  Context ctx(pool, 0, 0);
  const Dataset fresh(test::block_of(mode == 0 ? p.x : transposed(p.x), storage));
  Found found{transform(fresh, model_of(p, mode), mode, p.rules, ctx), {}};
  EXPECT_EQ(found.all.arrays.size(), 1);
  EXPECT_EQ(found.all.arrays[0].name, mode == 0 ? "W" : "H");
  const Matrix& factor = std::get<Matrix>(found.all.arrays[0].values);
  found.f = mode == 0 ? factor : transposed(factor);
  EXPECT_EQ(found.f.rows(), p.x.rows());
  EXPECT_EQ(found.f.cols(), p.rank());
  return found;
}

// One item by plain loops.
class Oracle {
 public:
  Oracle(const Problem& p, Index item) : p_(p), item_(item) {}

  Real loss(const Reals& f) const {
    Real total = 0;
    for (Index j = 0; j < p_.x.cols(); ++j) {
      if (std::isnan(p_.x(item_, j))) continue;
      Real left = p_.x(item_, j);
      for (Index k = 0; k < p_.rank(); ++k) left -= p_.other(j, k) * f[k];
      total += left * left / 2;
    }
    return total;
  }
  Real penalty(const Reals& f) const {
    Real squares = 0, all = 0;
    for (const Real one : f) {
      squares += one * one;
      all += one;
    }
    return ridge_of(p_.rules) * squares + l1_of(p_.rules) * all + p_.rules.cross * all * all;
  }
  Real objective(const Reals& f) const { return loss(f) + penalty(f); }

  // The best over all sets of positive entries; of sets that depend on themselves, smaller ones are
  // as good.
  Reals best() const {
    Reals best(static_cast<std::size_t>(p_.rank()), 0);
    for (Index set = 1; set < Index{1} << p_.rank(); ++set) {
      Reals f(best.size(), 0);
      if (solve(set, f) && objective(f) < objective(best)) best = f;
    }
    return best;
  }

 private:
  // The least value over the entries of the set; false where it is not unique or not allowed.
  bool solve(Index set, Reals& f) const {
    std::vector<Index> in;
    for (Index k = 0; k < p_.rank(); ++k) {
      if ((set >> k & 1) != 0) in.push_back(k);
    }
    const std::size_t n = in.size();
    std::vector<Reals> q(n, Reals(n + 1, 0));
    for (std::size_t a = 0; a < n; ++a) {
      for (Index j = 0; j < p_.x.cols(); ++j) {
        if (std::isnan(p_.x(item_, j))) continue;
        const Real own = p_.other(j, in[a]);
        for (std::size_t b = 0; b < n; ++b) q[a][b] += own * p_.other(j, in[b]);
        q[a][n] += own * p_.x(item_, j);
      }
      for (std::size_t b = 0; b < n; ++b) q[a][b] += 2 * static_cast<Real>(p_.rules.cross);
      q[a][a] += 2 * static_cast<Real>(ridge_of(p_.rules));
      q[a][n] -= l1_of(p_.rules);
    }
    for (std::size_t a = 0; a < n; ++a) {  // elimination without exchange: Q is semidefinite
      Real whole = 0;
      for (std::size_t b = 0; b < n; ++b) whole = std::max(whole, std::abs(q[b][b]));
      if (!(q[a][a] > 1e-15L * whole)) return false;
      for (std::size_t b = 0; b < n; ++b) {
        if (b == a) continue;
        const Real factor = q[b][a] / q[a][a];
        for (std::size_t c = a; c <= n; ++c) q[b][c] -= factor * q[a][c];
      }
    }
    for (std::size_t a = 0; a < n; ++a) {
      f[in[a]] = q[a][n] / q[a][a];
      if (f[in[a]] < 0) return false;
    }
    return true;
  }

  const Problem& p_;
  Index item_;
};

Real squares_of(const Matrix& x) {
  Real total = 0;
  for (const double value : x.values()) total += std::isnan(value) ? 0 : Real{value} * value;
  return total;
}

void expect_best(const Problem& p, const Found& found) {
  Real loss = 0, penalty = 0;
  const Real size = squares_of(p.x);
  for (Index i = 0; i < p.x.rows(); ++i) {
    const Oracle oracle(p, i);
    const ConstVec row = std::as_const(found.f).row(i);
    const Reals f(row.begin(), row.end()), best = oracle.best();
    for (const Real one : f) EXPECT_GE(one, 0);
    EXPECT_LE(oracle.objective(f), oracle.objective(best) + 1e-13L * size);
    loss += oracle.loss(f);
    penalty += oracle.penalty(f);
  }
  const Terms& terms = found.all.terms;
  EXPECT_NEAR(terms.loss, static_cast<double>(loss), static_cast<double>(1e-13L * size));
  EXPECT_EQ(terms.penalties.size(), p.rules.has_cost() ? 1 : 0);
  EXPECT_NEAR(terms.objective() - terms.loss, static_cast<double>(penalty),
              static_cast<double>(1e-12L * penalty + 1e-15L * size));
  ASSERT_EQ(terms.gaps.size(), 1);
  EXPECT_LE(terms.gap(), 1e-12);
}

TEST(NonnegativeTransform, IsTheBestOfAllSetsOfPositiveEntries) {
  Rng rng = Rng::named(1, "nonnegative transform");
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    const Problem p = random_problem(rng);
    for (const Index mode : {0, 1}) {
      for (const test::Storage storage : test::kStorages) expect_best(p, run(p, mode, storage));
    }
  }
}

TEST(NonnegativeTransform, OfManyCellsWithFewOrManyHoles) {
  Rng rng = Rng::named(2, "nonnegative transform");
  for (const Index holes : {1, 2, 6, 300, 590, 598}) {
    Problem p{Matrix(5, 600), Matrix(600, 4), {}};
    for (double& value : p.other.values()) value = rng.uniform();
    for (Index j = 1; j < 600; ++j) p.other(j, 3) *= 3e-8;  // next to nothing but for one cell
    p.other(0, 3) = 30.1;
    for (double& value : p.x.values()) value = rng.below(2) == 0 ? 0.0 : rng.uniform();
    for (Index i = 0; i < 5; ++i) {
      for (const Index j : rng.sample(600, holes)) p.x(i, j) = std::nan("");
    }
    p.x(0, 0) = std::nan("");
    for (const Index mode : {0, 1}) {
      for (const test::Storage storage : test::kStorages) {
        expect_best(p, run(p, mode, storage));
      }
    }
  }
}

// Units of the data and of the factor change nothing but the units of what is found.
TEST(NonnegativeTransform, TakesAnyUnits) {
  Rng rng = Rng::named(3, "nonnegative transform");
  for (int trial = 0; trial < 60; ++trial) {
    Problem p = random_problem(rng);
    if (trial % 2 == 0) p.rules = {};
    for (const Index mode : {0, 1}) {
      const Found expected = run(p, mode);
      for (const int of_x : {-900, -27, 27, 900}) {
        for (const int of_b : {-900, -27, 27, 900}) {
          if (std::abs(of_x - of_b) > 1000) continue;
          Problem scaled = p;
          scaled.size = std::ldexp(1.0, of_x - of_b);
          for (double& value : scaled.x.values()) value = std::ldexp(value, of_x);
          for (double& value : scaled.other.values()) value = std::ldexp(value, of_b);
          const double ridge = std::ldexp(ridge_of(p.rules), 2 * of_b);
          const double l1 = std::ldexp(l1_of(p.rules), of_x + of_b);
          set_entries(scaled.rules, ridge, l1);
          scaled.rules.cross = std::ldexp(p.rules.cross, 2 * of_b);
          const bool is_lost = l1_of(p.rules) > 0.0 && !std::isnormal(l1);
          if (is_lost || (!std::isnormal(ridge + scaled.rules.cross) &&
                          ridge_of(p.rules) + p.rules.cross > 0.0))
            continue;
          for (const test::Storage storage : test::kStorages) {
            const Found found = run(scaled, mode, storage);
            for (Index at = 0; at < found.f.size(); ++at)
              EXPECT_NEAR(std::ldexp(found.f.values()[at], of_b - of_x), expected.f.values()[at],
                          1e-9 * (1.0 + std::abs(expected.f.values()[at])));
            EXPECT_LE(found.all.terms.gap(), 1e-12) << of_x << " " << of_b;
          }
        }
      }
      for (const double factor : {1e-8, 1e8}) {
        Problem scaled = p;
        scaled.x = testing::scaled(p.x, factor);
        expect_best(scaled, run(scaled, mode));
        scaled = p;
        scaled.other = testing::scaled(p.other, factor);
        expect_best(scaled, run(scaled, mode));
      }
    }
  }
}

// Near a perfect fit |x|^2 - 2 y^T f + f^T Q f is nothing but rounding.
TEST(NonnegativeTransform, TheLossOfANearlyPerfectFitIsThatOfItsResiduals) {
  Rng rng = Rng::named(6, "nonnegative transform");
  Problem p{Matrix(4, 9), Matrix(9, 2), {}};
  for (double& value : p.other.values()) value = static_cast<double>(rng.below(5) + 1);
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 9; ++j)
      p.x(i, j) =
          2.0 * p.other(j, 0) + static_cast<double>(i) * p.other(j, 1) + 1e-8 * rng.uniform();
  }
  for (const Index mode : {0, 1}) {
    for (const test::Storage storage : test::kStorages) {
      const Found found = run(p, mode, storage);
      Real loss = 0;
      for (Index i = 0; i < 4; ++i) {
        const ConstVec row = std::as_const(found.f).row(i);
        loss += Oracle(p, i).loss({row.begin(), row.end()});
      }
      EXPECT_NEAR(found.all.terms.loss, static_cast<double>(loss),
                  1e-5 * static_cast<double>(loss));
    }
  }
}

Problem one_item(const Problem& p, Index i) {
  Problem one = p;
  one.x = Matrix(1, p.x.cols());
  std::copy(p.x.row(i).begin(), p.x.row(i).end(), one.x.data());
  return one;
}

TEST(NonnegativeTransform, AnItemDoesNotDependOnTheOthersNorOnThreads) {
  Rng rng = Rng::named(4, "nonnegative transform");
  for (int trial = 0; trial < 12; ++trial) {
    Problem p = random_problem(rng);
    if (trial % 2 == 0) {  // several tiles, and more components than a register holds
      p = {Matrix(75, 150), Matrix(150, 21), p.rules};
      for (double& value : p.other.values()) value = rng.uniform();
      for (double& value : p.x.values()) {
        value = rng.below(3) == 0 ? 0.0 : rng.uniform();
        if (trial % 4 == 0 && rng.below(100) == 0) value = std::nan("");
      }
    }
    for (const Index mode : {0, 1}) {
      for (const test::Storage storage : test::kStorages) {
        const Found all = run(p, mode, storage), threaded = run(p, mode, storage, 3);
        EXPECT_EQ(all.all.terms.objective(), threaded.all.terms.objective());
        EXPECT_EQ(all.all.terms.gap(), threaded.all.terms.gap());
        EXPECT_EQ(test::bits_of(all.f.values()), test::bits_of(threaded.f.values()));
        for (Index i = 0; i < p.x.rows(); ++i) {
          const Found own = run(one_item(p, i), mode, storage);
          EXPECT_EQ(test::bits_of(all.f.row(i)), test::bits_of(own.f.values()));
        }
      }
    }
  }
}

TEST(NonnegativeTransform, SaysWhatIsNotAskedAndWhatWasNotSeen) {
  Problem p{Matrix(3, 2), Matrix(2, 2), {}};
  for (double& value : p.other.values()) value = 1.0;
  p.other(0, 0) = 3.0;
  p.x(0, 0) = p.x(0, 1) = std::nan("");
  p.x(2, 0) = 1.0;
  p.rules.is_in_ball = true;
  p.rules.groups = std::make_shared<Groups>(
      Groups::from_lines(std::vector<std::string>{"a", "a"}, 2, "groups", "row"));
  p.rules.factors = {1.0};
  p.rules.set_beta(1.0);
  for (const Index mode : {0, 1}) {
    for (const test::Storage storage : test::kStorages) {
      const Transformed found = run(p, mode, storage).all;
      ASSERT_EQ(found.memberships.size(), 1);
      EXPECT_EQ(found.memberships[0].mode, mode == 0 ? "rows" : "columns");
      EXPECT_EQ(strongest(found.memberships[0]), (std::vector<Index>{-1, -1, 0}));
      const std::string items = mode == 0 ? "rows" : "columns";
      ASSERT_EQ(found.notes.size(), 4);
      EXPECT_NE(found.notes[0].find("groups ties " + items), std::string::npos) << found.notes[0];
      EXPECT_NE(found.notes[1].find(mode == 0 ? "W's columns" : "H's rows"), std::string::npos);
      EXPECT_NE(found.notes[2].find("1 new " + items + " have no observed"), std::string::npos);
      EXPECT_NE(found.notes[3].find("2 of 3 new " + items), std::string::npos) << found.notes[3];
    }
  }
}

TEST(NonnegativeTransform, SaysWhichArrayDoesNotFit) {
  Rng rng = Rng::named(5, "nonnegative transform");
  Problem p = random_problem(rng);
  ThreadPool pool(1);
  Context ctx(pool, 0, 0);
  for (const Index mode : {0, 1}) {
    const Dataset fresh(mode == 0 ? p.x : transposed(p.x));
    Model less = model_of(p, mode), other = less, narrow = less;
    less.arrays.clear();
    other.arrays[static_cast<std::size_t>(1 - mode)].values = Matrix(99, 1);
    narrow.components.emplace_back();
    for (const Model& bad : {less, other, narrow})
      test::expect_error(ErrorCode::input, {mode == 0 ? "H" : "W", "fit once more"},
                         [&] { transform(fresh, bad, mode, p.rules, ctx); });
  }
}

const Matrix& array(const Model& model, const std::string& name) {
  return find_matrix(model, name, -1, -1);
}

// At a minimum every row and every column is where it would be found again.
TEST(NonnegativeTransform, FindsTheFactorsOfAFitAgain) {
  const Matrix x = testing::planted_matrix(24, 18, 3);
  Matrix holes = x;
  for (Index at = 0; at < x.size(); at += 7) holes.data()[at] = std::nan("");
  struct Case {
    std::string method;
    std::vector<Setting> settings;
    std::vector<Index> modes;  // whose items the fit does not tie together
  };
  const std::vector<Case> cases{
      {"nmf", {{"rank", "3"}}, {0, 1}},
      {"nmf", {{"rank", "2"}, {"solver", "bpp"}}, {0, 1}},
      {"nmf", {{"rank", "3"}, {"penalty", "frobenius"}, {"alpha", "0.7"}}, {0, 1}},
      {"nmf", {{"rank", "3"}, {"penalty", "l1"}, {"alpha", "0.7"}, {"beta", "0.4"}}, {0, 1}},
      {"nmf", {{"rank", "3"}, {"penalty", "l1"}}, {1}},
      {"groupnmf", {{"rank", "3"}, {"beta", "0"}}, {0, 1}},
      {"groupnmf", {{"rank", "3"}, {"alpha", "0.3"}, {"beta", "2"}}, {0}},
      {"groupnmf", {{"rank", "3"}, {"alpha", "0.3"}, {"beta", "2"}, {"axis", "rows"}}, {1}}};
  ThreadPool pool(1);
  Context ctx(pool, 0, 0);
  for (const Case& one : cases) {
    for (const Matrix* data : {&x, &std::as_const(holes)}) {
      std::vector<Setting> settings = one.settings;
      settings.insert(settings.end(),
                      {{"tolerance", 1e-10}, {"max-iterations", 100000}, {"restarts", 1}});
      const MethodInfo& info = find_method(one.method);
      const Result result = gingham::run(info, Dataset(*data), options_of(one.method, settings));
      ASSERT_EQ(result.status, Status::converged);
      for (const Index mode : one.modes) {
        const Transformed found =
            info.transform(Dataset(*data), result.options, result.model, mode, ctx);
        const Matrix& expected = array(result.model, mode == 0 ? "W" : "H");
        const Matrix& again = std::get<Matrix>(found.arrays.at(0).values);
        ASSERT_EQ(again.size(), expected.size());
        double size = 0.0;
        for (const double value : expected.values()) size = std::max(size, value);
        for (Index at = 0; at < again.size(); ++at)
          EXPECT_NEAR(again.values()[at], expected.values()[at], 1e-5 * size);
        EXPECT_NEAR(found.terms.loss, result.terms.loss, 1e-5 * result.terms.loss);
        EXPECT_EQ(strongest(found.memberships.at(0)),
                  strongest(result.model.memberships.at(static_cast<std::size_t>(mode))));
      }
    }
  }
}

TEST(NonnegativeTransform, GroupsAndMissingGroupsAreOfTheFit) {
  const Matrix x = testing::planted_matrix(12, 8, 3);
  const MethodInfo& info = find_method("groupnmf");
  const Options options = options_of("groupnmf", {{"rank", 2}},
                                     {{"groups", {"a", "a", "b", "b", "a/c", "", "b", "a,b"}},
                                      {"missing-groups", std::vector<std::string>(12, "")}});
  const Result result = gingham::run(info, Dataset(x), options);
  ThreadPool pool(1);
  Context ctx(pool, 0, 0);
  const auto notes_of = [&](const Matrix& fresh, Index mode) {
    return info.transform(Dataset(fresh), result.options, result.model, mode, ctx).notes;
  };
  const std::vector<std::string> rows = notes_of(testing::planted_matrix(5, 8, 4), 0);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_NE(rows[0].find("W's columns"), std::string::npos) << rows[0];
  EXPECT_NE(rows[1].find("--missing-groups"), std::string::npos) << rows[1];
  const std::vector<std::string> columns = notes_of(testing::planted_matrix(12, 3, 4), 1);
  ASSERT_EQ(columns.size(), 2);
  EXPECT_NE(columns[0].find("ties columns together"), std::string::npos) << columns[0];
}

}  // namespace
}  // namespace gingham::methods::nonnegative
