// The sweep over factors against one update after the other in plain loops.
#include "gingham/alternation/alternation.hpp"

#include <cmath>

#include "gingham/penalties/group_norms.hpp"
#include "gingham/penalties/request.hpp"
#include "operators/cases.hpp"
#include "support/shuffled_executor.hpp"

namespace gingham {
namespace {

using alternation::Alternation;
using alternation::Beside;
using alternation::Rule;
using test::all_cases;
using test::Case;
using test::Place;
using test::Real;

std::shared_ptr<const Penalty> penalty(const std::string& words) {
  const PenaltyRequest request = PenaltyRequest::parse(words, "--penalty");
  return request.make(request.numbers(), nullptr);
}

std::vector<Rule> rules_of(const std::string& words, const Shape& shape) {
  std::vector<Rule> rules;
  for (std::size_t n = 0; n < shape.size(); ++n) rules.push_back({.penalty = penalty(words)});
  return rules;
}

// Of entries a_ik of a mode, the others as they are: b_i and h_i by cells, beside the columns that
// `explains` names.
struct Column {
  std::vector<double> b, h;
};
template <class Explains>
Column column_of(const Case& one, Index mode, Index k, const Explains& explains) {
  std::vector<Real> b(static_cast<std::size_t>(one.shape[mode])), h(b.size());
  one.for_observed([&](const Place& at, double x) {
    const Real own = one.weights[k] * one.z(at, k, mode);
    Real left = x;
    for (Index l = 0; l < one.rank(); ++l) {
      if (l != k && explains(l)) left -= one.weights[l] * one.z(at, l);
    }
    b[at[mode]] += own * left;
    h[at[mode]] += own * own;
  });
  return {{b.begin(), b.end()}, {h.begin(), h.end()}};
}

// In units in which b, h and the entries are compared.
double size_of(const Case& one, Index mode) {
  Real largest = 1;
  for (Index k = 0; k < one.rank(); ++k) {
    const Column own = column_of(one, mode, k, [](Index) { return false; });
    for (const double h : own.h) largest = std::max(largest, static_cast<Real>(h));
    for (const double b : own.b) largest = std::max(largest, std::abs(static_cast<Real>(b)));
  }
  return static_cast<double>(largest);
}

Alternation<double> begun(const Case& one, const Observed& data, const std::string& words,
                          Index first, Executor& executor) {
  Alternation<double> made(data, rules_of(words, one.shape));
  made.begin(one.factors, one.weights, first, executor);
  return made;
}

TEST(Alternation, KnowsItsPoint) {
  ThreadPool pool(2);
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Observed data(one.block, pool);
    for (const Index first : {Index{0}, one.rank() / 2}) {
      Alternation<double> here = begun(one, data, "free", first, pool);
      const Index rank = one.rank();
      std::vector<Real> c(static_cast<std::size_t>(rank)), h(c.size() * c.size()), lost(c.size());
      one.for_observed([&](const Place& at, double x) {
        for (Index k = 0; k < rank; ++k) {
          c[k] += x * one.z(at, k);
          for (Index l = 0; l < rank; ++l) h[k * rank + l] += one.z(at, k) * one.z(at, l);
          const Real m = one.weights[k] * one.z(at, k);
          lost[k] += m * (2 * (x - one.model_at(at)) + m);
        }
      });
      double size = data.squares();
      for (Index k = 0; k < rank; ++k) size += static_cast<double>(h[k * rank + k]);
      const double near = 1e-12 * (1.0 + size);
      const auto loss = static_cast<double>(one.loss());
      EXPECT_NEAR(here.squares_left(), loss, near);
      EXPECT_NEAR(here.exact_squares_left(pool), loss, 1e-11 * loss);
      for (Index k = 0; k < rank; ++k) {
        EXPECT_NEAR(here.linear()[k], static_cast<double>(c[k]), near);
        for (Index l = 0; l < rank; ++l)
          EXPECT_NEAR(here.quadratic()(k, l), static_cast<double>(h[k * rank + l]), near);
        EXPECT_NEAR(here.lost_without(k), static_cast<double>(lost[k]), near);
      }
    }
  }
}

TEST(Alternation, ColumnsAreThoseOfThePlainLoop) {
  ThreadPool pool(2);
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Observed data(one.block, pool);
    for (const Index first : {Index{0}, one.rank() / 2}) {
      Alternation<double> here = begun(one, data, "l1:0.1", first, pool);
      for (Index mode = 0; mode < data.n_modes(); ++mode) {
        const double near = 1e-11 * size_of(one, mode);
        for (const Beside beside : {Beside::all, Beside::before, Beside::none}) {
          Index next = first;
          here.for_each_column(
              mode, beside,
              [&](Index k, ConstVec b, Curvature h) {
                EXPECT_EQ(k, next++);
                const Column own = column_of(one, mode, k, [&](Index l) {
                  return beside == Beside::all || (beside == Beside::before && l < k);
                });
                for (std::size_t i = 0; i < b.size(); ++i) {
                  EXPECT_NEAR(b[i], own.b[i], near);
                  EXPECT_NEAR(h[i], own.h[i], near);
                }
              },
              pool);
          EXPECT_EQ(next, one.rank());
        }
      }
    }
  }
}

// Items in their order, whatever blocks they were seen in: columns, and gaps of penalties that look
// at neighbours.
TEST(Alternation, ItemsOfSeveralClassesKeepTheirOrder) {
  Rng rng = Rng::named(2, "classes");
  for (const Index n_rows : {11, 700}) {
    Case one = test::make_case({n_rows, 9}, test::Store::dense, 3, 0.0, rng);
    MissingBlocks missing;
    missing.is_missing = {0, 1, 1, 0, 0, 0};
    for (Index i = 0; i < n_rows; ++i) missing.classes[0].push_back(i < 200 ? i % 3 : 2);
    for (Index j = 0; j < 9; ++j) missing.classes[1].push_back(j % 2);
    ThreadPool pool(3);
    const Observed data(one.block, missing, pool);
    for (Index i = 0; i < n_rows; ++i) {
      for (Index j = 0; j < 9; ++j) {
        if (missing.is_missing[missing.classes[0][i] * 2 + missing.classes[1][j]] != 0)
          one.cells[i * 9 + j] = std::nan("");
      }
    }
    for (const std::string words : {"nonneg+unimodal", "fused:0.3", "nonneg+smooth:0.2"}) {
      std::vector<Rule> rules = rules_of("nonneg", one.shape);
      rules[0].judged = rules[1].judged = penalty(words);
      Alternation<double> here(data, rules);
      here.begin(one.factors, one.weights, 0, pool);
      // Judged at what the penalty itself does, and away from it.
      for (Index mode = 0; mode < 2; ++mode) {
        here.change(rules_of(words, one.shape));
        here.update(mode, 1, {}, pool);
        here.change(rules);
        one.factors[mode] = here.factors()[mode];
      }
      for (Index mode = 0; mode < 2; ++mode) {
        const double near = 1e-9 * size_of(one, mode);
        const std::vector<double> gaps = here.gaps(mode, 0, Beside::all, {}, {}, pool);
        here.for_each_column(
            mode, Beside::all,
            [&](Index k, ConstVec b, Curvature h) {
              const Column own = column_of(one, mode, k, [](Index) { return true; });
              std::vector<double> z;
              for (std::size_t i = 0; i < b.size(); ++i) {
                EXPECT_NEAR(b[i], own.b[i], near);
                EXPECT_NEAR(h[i], own.h[i], near);
                z.push_back(one.factors[mode](static_cast<Index>(i), k));
              }
              EXPECT_NEAR(std::sqrt(gaps[k]), rules[0].judged->gap(z, own.b, own.h),
                          1e-6 * size_of(one, mode));
            },
            pool);
      }
    }
  }
}

// Each column at its minimum, one after the other, as a plain loop does it; and where each is at
// its minimum the gap is 0.
TEST(Alternation, UpdatesAreThoseOfThePlainLoop) {
  ThreadPool pool(1);
  for (const std::string words :
       {"free", "nonneg+l1:0.2", "nonneg+ridge:0.3", "box", "nonneg+top:2", "fused:0.1",
        "l1:0.1+fused:0.1", "nonneg+unimodal", "nonneg+ball"}) {
    const std::shared_ptr<const Penalty> g = penalty(words);
    for (const Case& given : all_cases()) {
      if (given.cells.size() > 200) continue;
      SCOPED_TRACE(words + " " + given.what);
      const Observed data(given.block, pool);
      for (const Index first : {Index{0}, given.rank() / 2}) {
        Alternation<double> here = begun(given, data, words, first, pool);
        Case one = given;
        for (Index mode = 0; mode < data.n_modes(); ++mode) {
          const double near = 1e-9 * size_of(one, mode);
          double moved = 0.0;
          for (Index k = first; k < one.rank(); ++k) {
            const Column own = column_of(one, mode, k, [](Index) { return true; });
            std::vector<double> z(own.b.size());
            for (std::size_t i = 0; i < z.size(); ++i) z[i] = one.factors[mode](i, k);
            const std::vector<double> before = z;
            g->minimise(own.b, own.h, z);
            for (std::size_t i = 0; i < z.size(); ++i) {
              one.factors[mode](i, k) = z[i];
              moved += own.h[i] * (z[i] - before[i]) * (z[i] - before[i]);
            }
          }
          here.update(mode, 1, {}, pool);
          EXPECT_NEAR(here.moved(mode), std::sqrt(moved), near);
          // What is compared is what counts: entries of little curvature may lie far apart.
          for (Index k = 0; k < one.rank(); ++k) {
            const Column own = column_of(one, mode, k, [](Index) { return true; });
            for (Index i = 0; i < one.shape[mode]; ++i) {
              const double off = here.factors()[mode](i, k) - one.factors[mode](i, k);
              EXPECT_NEAR(std::sqrt(own.h[i]) * off, 0.0, near);
            }
          }
          one.factors[mode] = here.factors()[mode];  // differences do not add up
          EXPECT_NEAR(here.squares_left(), static_cast<double>(one.loss()),
                      1e-10 * (1.0 + data.squares()));
        }
        for (Index mode = 0; mode < data.n_modes(); ++mode) {
          const std::vector<double> gaps = here.gaps(mode, first, Beside::all, {}, {}, pool);
          for (Index k = first; k < one.rank(); ++k) {
            const Column own = column_of(one, mode, k, [](Index) { return true; });
            std::vector<double> z(own.b.size());
            for (std::size_t i = 0; i < z.size(); ++i) z[i] = one.factors[mode](i, k);
            EXPECT_NEAR(std::sqrt(gaps[k]), g->gap(z, own.b, own.h), 1e-6 * size_of(one, mode));
          }
        }
      }
    }
  }
}

TEST(Alternation, WeightsAreAtTheirMinimum) {
  ThreadPool pool(1);
  for (const Case& given : all_cases()) {
    SCOPED_TRACE(given.what);
    const Observed data(given.block, pool);
    Alternation<double> here = begun(given, data, "free", 0, pool);
    here.update_weights(2.0, 1);
    Case one = given;
    for (Index k = 0; k < one.rank(); ++k) {
      Real b = 0, h = 0;
      one.for_observed([&](const Place& at, double x) {
        const Real z = one.z(at, k);
        b += z * (x - one.model_at(at) + one.weights[k] * z);
        h += z * z;
      });
      if (h > 0) one.weights[k] = std::clamp(static_cast<double>(b / h), 0.0, 2.0);
      EXPECT_NEAR(here.weights()[k], one.weights[k], 1e-9);
    }
    if (one.rank() > 1) continue;
    EXPECT_NEAR(here.weights_gap(0, Beside::all, 2.0), 0.0, 1e-9);
  }
}

TEST(Alternation, RescalingAndRemovingKeepEverythingInStep) {
  ThreadPool pool(1);
  Rng rng = Rng::named(1, "scales");
  for (const Case& given : all_cases()) {
    SCOPED_TRACE(given.what);
    const Observed data(given.block, pool);
    Alternation<double> here = begun(given, data, "free", 0, pool);
    for (Index mode = 0; mode < data.n_modes(); ++mode) here.product(mode, pool);
    Matrix scales(data.n_modes(), given.rank());
    for (double& by : scales.values()) by = rng.uniform() < 0.3 ? 1.0 : 0.5 + rng.uniform();
    here.rescale(scales, -kInfinity, kInfinity, pool);
    here.remove(given.rank() - 1);
    Alternation<double> anew(data, rules_of("free", given.shape));
    anew.begin(here.factors(), here.weights(), 0, pool);
    const double near = 1e-10 * (1.0 + data.squares());
    for (Index mode = 0; mode < data.n_modes(); ++mode) {
      const Matrix &kept = here.product(mode, pool), &made = anew.product(mode, pool);
      for (Index e = 0; e < kept.size(); ++e) EXPECT_NEAR(kept.data()[e], made.data()[e], near);
    }
    for (Index k = 0; k < given.rank(); ++k)
      EXPECT_NEAR(here.linear()[k], anew.linear()[k], near * (1.0 + std::abs(anew.linear()[k])));
    EXPECT_NEAR(here.squares_left(), anew.squares_left(), near);
  }
}

// A component that costs more than it explains goes, and with it whatever costs more than nothing.
TEST(Alternation, CostlyComponentsAreRemoved) {
  ThreadPool pool(1);
  Case one;
  one.shape = {4, 4};
  one.cells = {9, 9, 0, 0, 9, 9, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
  one.store = test::Store::dense;
  one.factors.assign(2, Matrix(4, 2));
  one.factors[0](0, 0) = one.factors[0](1, 0) = one.factors[1](0, 0) = one.factors[1](1, 0) = 3.0;
  one.factors[0](2, 1) = one.factors[1](2, 1) = 1.0;
  one.weights = {1.0, 1.0};
  one.make_block();
  const Observed data(one.block, pool);
  Alternation<double> here = begun(one, data, "nonneg", 0, pool);
  const auto cost = [&](double each) {
    return [&here, each] {
      alternation::Savings saved;
      for (const double weight : here.weights()) {
        saved.of_component.push_back(weight > 0.0 ? each : 0.0);
        saved.all += saved.of_component.back();
      }
      return saved;
    };
  };
  EXPECT_FALSE(here.remove_costly(cost(0.4)));  // each explains at least 1/2
  EXPECT_TRUE(here.remove_costly(cost(0.6)));
  EXPECT_EQ(here.weights(), (std::vector<double>{1.0, 0.0}));
  EXPECT_NEAR(here.weights_moved(), 1.0, 1e-12);
  EXPECT_TRUE(here.remove_costly(cost(200.0)));
  EXPECT_NEAR(here.squares_left(), data.squares(), 1e-9);
}

TEST(Alternation, AnyThreadsAndAnyOrderGiveTheSameBits) {
  Rng rng = Rng::named(4, "threads");
  for (const test::Store store : test::kStores) {
    for (const Shape& shape : {Shape{700, 90}, Shape{90, 80, 30}}) {
      const Case one = test::make_case(shape, store, 5, 0.2, rng);
      SCOPED_TRACE(one.what);
      std::vector<std::vector<Matrix>> found;
      ThreadPool single(1), three(3);
      testing::ShuffledExecutor shuffled(7);
      for (Executor* executor : std::initializer_list<Executor*>{&single, &three, &shuffled}) {
        const Observed data(one.block, *executor);
        Alternation<double> here = begun(one, data, "nonneg+l1:0.1", 0, *executor);
        for (Index mode = 0; mode < data.n_modes(); ++mode) here.update(mode, 2, {}, *executor);
        found.push_back(here.factors());
        found.back().push_back(here.quadratic());
      }
      for (std::size_t m = 0; m < found[0].size(); ++m) {
        EXPECT_EQ(test::bits_of(found[1][m].values()), test::bits_of(found[0][m].values()));
        EXPECT_EQ(test::bits_of(found[2][m].values()), test::bits_of(found[0][m].values()));
      }
    }
  }
}

TEST(Alternation, GapsOfSetsAreTheSameBitsWithAnyThreads) {
  Rng rng = Rng::named(6, "sets");
  const Case one = test::make_case({600, 40}, test::Store::dense_with_gaps, 4, 0.2, rng);
  std::vector<std::string> lines;
  for (Index i = 0; i < 600; ++i) lines.push_back("g" + std::to_string(i % 50));
  const auto groups =
      std::make_shared<const Groups>(Groups::from_lines(lines, 600, "groups", "item"));
  std::vector<std::vector<double>> found;
  ThreadPool single(1), three(3);
  testing::ShuffledExecutor shuffled(7);
  for (Executor* executor : std::initializer_list<Executor*>{&single, &three, &shuffled}) {
    const Observed data(one.block, *executor);
    std::vector<Rule> rules = rules_of("nonneg", one.shape);
    rules[0].penalty =
        std::make_shared<GroupNorms>(groups, 0.3, GroupNorm::two, EntryRule{.low = 0.0});
    Alternation<double> here(data, rules);
    here.begin(one.factors, one.weights, 0, *executor);
    for (Index mode = 0; mode < 2; ++mode) here.update(mode, 2, {}, *executor);
    found.push_back(here.gaps(0, 0, Beside::all, {}, {}, *executor));
  }
  EXPECT_GT(found[0][0], 0.0);
  EXPECT_EQ(test::bits_of(found[1]), test::bits_of(found[0]));
  EXPECT_EQ(test::bits_of(found[2]), test::bits_of(found[0]));
}

// Non-negative least squares: the whole factor at its minimum, with weights of any size.
TEST(Alternation, WholeFactorsAreAtTheirMinimum) {
  ThreadPool pool(1);
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.what);
    const Observed data(one.block, pool);
    Alternation<double> here(data, rules_of("nonneg+l1:0.1", one.shape), true);
    here.begin(one.factors, one.weights, 0, pool);
    for (Index mode = 0; mode < data.n_modes(); ++mode) {
      const double size = 1.0 + data.squares();
      here.update(mode, 1, {}, pool);
      for (const double gap : here.gaps(mode, 0, Beside::all, {}, {}, pool))
        EXPECT_NEAR(gap, 0.0, 1e-12 * size);
    }
  }
}

TEST(Alternation, ASupportIsOfItemsThatAreSweptOneByOne) {
  ThreadPool pool(1);
  Rng rng = Rng::named(7, "support");
  const Case one = test::make_case({6, 5}, test::Store::dense, 2, 0.0, rng);
  const Observed data(one.block, pool);
  for (const bool whole : {false, true}) {
    Alternation<double> here(data, rules_of(whole ? "nonneg" : "fused:0.1", one.shape), whole);
    here.begin(one.factors, one.weights, 0, pool);
    here.restrict_to({alternation::Support(12, 1), alternation::Support(10, 1)});
    EXPECT_THROW(here.update(0, 1, {}, pool), Error);
  }
}

// The same problem in single precision, to its rounding.
TEST(Alternation, SinglePrecisionFollowsDouble) {
  ThreadPool pool(1);
  for (const Case& one : all_cases()) {
    if (one.shape.size() != 2) continue;
    SCOPED_TRACE(one.what);
    const Observed data(one.block, pool);
    Alternation<double> exact = begun(one, data, "nonneg+l1:0.1", 0, pool);
    Alternation<float> single(data, rules_of("nonneg+l1:0.1", one.shape));
    std::vector<MatrixF> factors;
    for (const Matrix& factor : one.factors) {
      factors.emplace_back(factor.rows(), factor.cols());
      for (Index e = 0; e < factor.size(); ++e)
        factors.back().data()[e] = static_cast<float>(factor.data()[e]);
    }
    single.begin(std::move(factors), one.weights, 0, pool);
    for (Index mode = 0; mode < 2; ++mode) {
      const double size = size_of(one, mode);
      exact.update(mode, 1, {}, pool);
      single.update(mode, 1, {}, pool);
      EXPECT_NEAR(single.moved(mode), exact.moved(mode), 1e-4 * size);
    }
    EXPECT_NEAR(single.squares_left(), exact.squares_left(), 1e-4 * (1.0 + data.squares()));
  }
}

}  // namespace
}  // namespace gingham
