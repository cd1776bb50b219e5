#include "gingham/kernels/coding.hpp"

#include <algorithm>

#include "gingham/kernels/dictionary_step.hpp"
#include "kernels/support.hpp"

namespace gingham {
namespace {

using Real = long double;

template <class T>
struct Problem {
  Atoms<T> atoms;
  std::vector<T> samples;  // padded
  Index n = 0;
  T lambda = 0;

  const T* sample(Index i) const { return samples.data() + i * atoms.stride(); }
};

// Atoms in the ball, among them repeated and zero ones; samples of all sizes, zeros too.
template <class T>
Problem<T> random_problem(Rng& rng, Index most_atoms = 60, Index most_length = 150) {
  ThreadPool pool(1);
  Problem<T> made;
  const Index m = 1 + rng.below(most_atoms), p = 1 + rng.below(most_length);
  made.atoms = Atoms<T>(m, p);
  for (Index j = 0; j < m; ++j) {
    if (rng.uniform() < 0.05) continue;
    const bool repeats = j > 0 && rng.uniform() < 0.1;
    Real squares = 0;
    for (Index t = 0; t < p; ++t) {
      made.atoms.row(j)[t] = repeats ? made.atoms.row(j - 1)[t] : static_cast<T>(rng.normal());
      squares += static_cast<Real>(made.atoms.row(j)[t]) * made.atoms.row(j)[t];
    }
    const Real factor = (rng.uniform() < 0.7 ? 1.0L : 0.3L) / std::sqrt(squares);
    for (Index t = 0; t < p && !repeats && squares > 0; ++t)
      made.atoms.row(j)[t] = static_cast<T>(made.atoms.row(j)[t] * factor);
  }
  made.atoms.refresh(pool);
  made.n = 1 + rng.below(TileCoder<T>::kTile);
  made.samples.assign(static_cast<std::size_t>(made.n * made.atoms.stride()), T{0});
  for (Index i = 0; i < made.n; ++i) {
    if (rng.uniform() < 0.1) continue;
    for (Index t = 0; t < p; ++t)
      made.samples[i * made.atoms.stride() + t] =
          static_cast<T>(rng.normal() / std::sqrt(static_cast<double>(p)));
  }
  made.lambda = static_cast<T>(rng.uniform() < 0.1 ? 10.0 : rng.uniform(0.01, 0.4));
  return made;
}

template <class T>
std::vector<Real> residual(const Problem<T>& problem, Index i, const CodeView<T>& code) {
  std::vector<Real> r(problem.sample(i), problem.sample(i) + problem.atoms.length());
  for (Index k = 0; k < code.size; ++k) {
    for (std::size_t t = 0; t < r.size(); ++t)
      r[t] -= static_cast<Real>(code.values[k]) * problem.atoms.row(code.atoms[k])[t];
  }
  return r;
}

template <class T>
Real objective(const Problem<T>& problem, Index i, const CodeView<T>& code) {
  Real total = 0;
  for (const Real value : residual(problem, i, code)) total += value * value / 2;
  for (Index k = 0; k < code.size; ++k) total += problem.lambda * std::abs(code.values[k]);
  return total;
}

// The gap as the specification has it.
template <class T>
Real plain_gap(const Problem<T>& problem, Index i, const CodeView<T>& code) {
  const std::vector<Real> r = residual(problem, i, code);
  Real squares = 0, inner = 0, most = 0;
  for (std::size_t t = 0; t < r.size(); ++t) {
    squares += r[t] * r[t];
    inner += r[t] * problem.sample(i)[t];
  }
  for (Index j = 0; j < problem.atoms.count(); ++j) {
    Real g = 0;
    for (std::size_t t = 0; t < r.size(); ++t) g += r[t] * problem.atoms.row(j)[t];
    most = std::max(most, std::abs(g));
  }
  if (squares == 0) return objective(problem, i, code);
  Real s = inner / squares;
  if (most > 0) s = std::clamp<Real>(s, -problem.lambda / most, problem.lambda / most);
  return objective(problem, i, code) - s * inner + s * s * squares / 2;
}

template <class T>
class Coding : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Coding, Precisions);

template <class T>
constexpr double kRounding = std::is_same_v<T, float> ? 2e-5 : 1e-13;

TYPED_TEST(Coding, ProductsAreRightAndARowsBitsAreItsOwn) {
  using T = TypeParam;
  Rng rng = Rng::named(1, "atoms");
  for (int trial = 0; trial < 60; ++trial) {
    const Problem<T> problem = random_problem<T>(rng, 130, 300);
    const Atoms<T>& atoms = problem.atoms;
    std::vector<T> all(static_cast<std::size_t>(problem.n * atoms.width())), one(all.size());
    atoms.products(problem.samples.data(), problem.n, all.data());
    for (Index i = 0; i < problem.n; ++i) {
      atoms.products(problem.sample(i), 1, one.data());
      for (Index j = 0; j < atoms.width(); ++j) {
        Real exact = 0;
        for (Index t = 0; t < atoms.length() && j < atoms.count(); ++t)
          exact += static_cast<Real>(atoms.row(j)[t]) * problem.sample(i)[t];
        EXPECT_NEAR(static_cast<double>(exact), all[i * atoms.width() + j], kRounding<T>);
        EXPECT_EQ(all[i * atoms.width() + j], one[j]);
      }
    }
  }
}

TYPED_TEST(Coding, AVisitNeverRaisesAndLeavesTheResidual) {
  using T = TypeParam;
  Rng rng = Rng::named(2, "visits");
  for (int trial = 0; trial < 80; ++trial) {
    const Problem<T> problem = random_problem<T>(rng);
    CodingRules<T> rules{.lambda = problem.lambda, .steps = 1 + rng.below(4)};
    TileCoder<T> coder(problem.atoms, rules);
    CodeList<T> before;
    for (Index i = 0; i < problem.n; ++i) before.add({});
    for (int visit = 0; visit < 3; ++visit) {
      std::vector<CodeView<T>> begin;
      double gap = 0.0;
      for (Index i = 0; i < problem.n; ++i) {
        begin.push_back(before.code(i));
        gap += static_cast<double>(plain_gap(problem, i, before.code(i)));
      }
      std::vector<T> rows = problem.samples;
      CodeList<T> after;
      const CodingSums sums = coder.code(rows.data(), problem.n, begin.data(), after);
      ASSERT_EQ(after.count(), problem.n);
      ASSERT_TRUE(after.fits(problem.atoms.count()));
      double loss = 0.0, size = 0.0;
      for (Index i = 0; i < problem.n; ++i) {
        const std::vector<Real> r = residual(problem, i, after.code(i));
        for (std::size_t t = 0; t < r.size(); ++t) {
          EXPECT_NEAR(static_cast<double>(r[t]), rows[i * problem.atoms.stride() + t],
                      kRounding<T>);
          loss += static_cast<double>(r[t] * r[t] / 2);
        }
        for (Index k = 0; k < after.code(i).size; ++k) {
          EXPECT_NE(after.code(i).values[k], T{0});
          size += std::abs(after.code(i).values[k]);
        }
        EXPECT_LE(objective(problem, i, after.code(i)),
                  objective(problem, i, before.code(i)) + kRounding<T>);
      }
      EXPECT_NEAR(sums.loss, loss, 40 * kRounding<T>);
      EXPECT_NEAR(sums.size, size, 40 * kRounding<T>);
      EXPECT_NEAR(sums.gap, gap, 200 * kRounding<T> * (1.0 + problem.lambda));
      before = after;
    }
  }
}

TEST(CodingOfTiles, ManyVisitsReachTheOptimum) {
  Rng rng = Rng::named(3, "optimum");
  for (int trial = 0; trial < 30; ++trial) {
    const Problem<double> problem = random_problem<double>(rng, 30, 40);
    CodingRules<double> rules{.lambda = problem.lambda, .steps = 50};
    TileCoder<double> coder(problem.atoms, rules);
    CodeList<double> codes;
    for (Index i = 0; i < problem.n; ++i) codes.add({});
    for (int visit = 0; visit < 200; ++visit) {
      std::vector<CodeView<double>> begin;
      for (Index i = 0; i < problem.n; ++i) begin.push_back(codes.code(i));
      std::vector<double> rows = problem.samples;
      CodeList<double> next;
      coder.code(rows.data(), problem.n, begin.data(), next);
      codes = std::move(next);
    }
    for (Index i = 0; i < problem.n; ++i)
      EXPECT_LT(static_cast<double>(plain_gap(problem, i, codes.code(i))), 1e-6) << trial;
  }
}

TYPED_TEST(Coding, ACodeDoesNotDependOnItsNeighbours) {
  using T = TypeParam;
  Rng rng = Rng::named(4, "neighbours");
  for (int trial = 0; trial < 30; ++trial) {
    const Problem<T> problem = random_problem<T>(rng);
    const CodingRules<T> rules{.lambda = problem.lambda};
    TileCoder<T> coder(problem.atoms, rules);
    const std::vector<CodeView<T>> nothing(static_cast<std::size_t>(problem.n));
    std::vector<T> rows = problem.samples;
    CodeList<T> together;
    coder.code(rows.data(), problem.n, nothing.data(), together);
    for (Index i = 0; i < problem.n; ++i) {
      std::vector<T> row(problem.sample(i), problem.sample(i) + problem.atoms.stride());
      CodeList<T> alone;
      coder.code(row.data(), 1, nothing.data(), alone);
      const CodeView<T> a = alone.code(0), b = together.code(i);
      ASSERT_EQ(a.size, b.size);
      for (Index k = 0; k < a.size; ++k) {
        EXPECT_EQ(a.atoms[k], b.atoms[k]);
        EXPECT_EQ(a.values[k], b.values[k]);
      }
    }
  }
}

// Algorithm 1, step 1 and 2, by plain loops.
TYPED_TEST(Coding, OneSampleIsCodedToTheLetter) {
  using T = TypeParam;
  Rng rng = Rng::named(5, "letter");
  for (int trial = 0; trial < 60; ++trial) {
    const Problem<T> problem = random_problem<T>(rng);
    const Atoms<T>& atoms = problem.atoms;
    const Index m = atoms.count(), steps = 1 + rng.below(4);
    SampleCoder<T> coder(m);
    std::vector<std::int32_t> support;
    std::vector<T> values;
    std::vector<Real> z(static_cast<std::size_t>(m), 0);
    for (int visit = 0; visit < 2; ++visit) {
      const std::vector<std::int32_t> old_support = support;
      const std::vector<T> old_values = values;
      const CodeView<T> begin{old_support.data(), old_values.data(), std::ssize(old_support)};
      const Real before = objective(problem, 0, begin);
      std::vector<T> row(problem.sample(0), problem.sample(0) + atoms.stride());
      const double said = coder.code(atoms, {.lambda = problem.lambda, .steps = steps}, row.data(),
                                     begin, support, values);
      EXPECT_NEAR(said, static_cast<double>(before), kRounding<T>);
      std::vector<Real> r = residual(problem, 0, begin);
      std::vector<bool> is_in(z.size(), true);
      for (Index pass = 0; pass < steps; ++pass) {
        for (std::size_t j = 0; j < z.size() && pass == 1; ++j) is_in[j] = z[j] != 0;
        for (Index j = 0; j < m; ++j) {
          if (!is_in[j]) continue;
          Real h = 0, g = 0;
          for (Index t = 0; t < atoms.length(); ++t) {
            h += static_cast<Real>(atoms.row(j)[t]) * atoms.row(j)[t];
            g += atoms.row(j)[t] * r[t];
          }
          if (h == 0) continue;
          const Real v = g + h * z[j];
          const Real best = (v > problem.lambda    ? v - problem.lambda
                             : v < -problem.lambda ? v + problem.lambda
                                                   : 0) /
                            h;
          for (Index t = 0; t < atoms.length(); ++t) r[t] -= (best - z[j]) * atoms.row(j)[t];
          z[j] = best;
        }
      }
      std::vector<Real> found(z.size(), 0);
      for (std::size_t k = 0; k < support.size(); ++k) found[support[k]] = values[k];
      for (std::size_t j = 0; j < z.size(); ++j)
        EXPECT_NEAR(static_cast<double>(found[j]), static_cast<double>(z[j]), 300 * kRounding<T>);
      z = found;  // rounding does not add up
    }
  }
}

template <class T>
Real batch_loss(const Problem<T>& problem, const Atoms<T>& atoms, const CodeList<T>& codes) {
  Problem<T> moved = problem;
  moved.atoms = atoms;
  Real total = 0;
  for (Index i = 0; i < problem.n; ++i) {
    for (const Real value : residual(moved, i, codes.code(i))) total += value * value / 2;
  }
  return total;
}

template <class T>
void expect_in_ball(const Atoms<T>& atoms) {
  for (Index j = 0; j < atoms.count(); ++j) {
    Real squares = 0;
    for (Index t = 0; t < atoms.length(); ++t)
      squares += static_cast<Real>(atoms.row(j)[t]) * atoms.row(j)[t];
    EXPECT_LE(static_cast<double>(squares), 1.0 + kRounding<T>);
  }
}

template <class T>
CodeList<T> random_codes(const Problem<T>& problem, Rng& rng) {
  CodeList<T> codes;
  for (Index i = 0; i < problem.n; ++i) {
    std::vector<std::int32_t> atoms;
    std::vector<T> values;
    for (Index j = 0; j < problem.atoms.count(); ++j) {
      if (rng.uniform() > 0.3) continue;
      atoms.push_back(static_cast<std::int32_t>(j));
      values.push_back(static_cast<T>(rng.normal()));
    }
    codes.add({atoms.data(), values.data(), std::ssize(atoms)});
  }
  return codes;
}

template <class T>
Array<T> residual_rows(const Problem<T>& problem, const CodeList<T>& codes) {
  Array<T> rows(problem.n * problem.atoms.stride());
  for (Index i = 0; i < problem.n; ++i) {
    const std::vector<Real> r = residual(problem, i, codes.code(i));
    for (std::size_t t = 0; t < r.size(); ++t)
      rows.data()[i * problem.atoms.stride() + static_cast<Index>(t)] = static_cast<T>(r[t]);
  }
  return rows;
}

TYPED_TEST(Coding, AtomsInTurnNeverRaiseTheLossOfTheirBatch) {
  using T = TypeParam;
  Rng rng = Rng::named(6, "in turn");
  for (int trial = 0; trial < 120; ++trial) {
    const Problem<T> problem = random_problem<T>(rng);
    const CodeList<T> codes = random_codes(problem, rng);
    const BatchUse<T> use(&codes, 1, problem.atoms.count());
    const Index n_groups = 1 + rng.below(4);
    std::vector<double> curvature(static_cast<std::size_t>(problem.atoms.count()));
    for (double& value : curvature) value = rng.uniform() < 0.5 ? 0.0 : rng.uniform(0.0, 3.0);
    const std::vector<double> curvature_before = curvature;
    std::vector<T> bits;
    for (const int threads : {1, 3}) {
      ThreadPool pool(threads);
      Atoms<T> atoms = problem.atoms;
      Array<T> rows = residual_rows(problem, codes);
      curvature = curvature_before;
      StepScratch<T> scratch;
      step_in_turn(atoms, use, std::as_const(rows).data(), problem.n, n_groups, curvature, scratch,
                   pool);
      EXPECT_LE(static_cast<double>(batch_loss(problem, atoms, codes)),
                static_cast<double>(batch_loss(problem, problem.atoms, codes)) *
                    (1.0 + 100 * kRounding<T>)+kRounding<T>)
          << trial << " groups " << n_groups;
      expect_in_ball(atoms);
      std::vector<T> now(std::as_const(atoms).row(0),
                         std::as_const(atoms).row(0) + atoms.count() * atoms.stride());
      if (threads > 1) {
        EXPECT_TRUE(now == bits);
      }
      bits = now;
    }
    for (Index j = 0; j < problem.atoms.count(); ++j) {
      Real sum = curvature_before[j];
      for (Index i = 0; i < problem.n; ++i) {
        const CodeView<T> code = codes.code(i);
        for (Index k = 0; k < code.size; ++k)
          sum += code.atoms[k] == j ? static_cast<Real>(code.values[k]) * code.values[k] : 0;
      }
      EXPECT_NEAR(curvature[j], static_cast<double>(sum), 1e-9 * (1.0 + curvature[j]));
    }
  }
}

// One group: every atom in turn goes to the best it can be alone, when there is no earlier
// curvature.
TEST(DictionaryStep, InTurnIsWhatPlainLoopsDo) {
  Rng rng = Rng::named(7, "plain");
  ThreadPool pool(1);
  for (int trial = 0; trial < 40; ++trial) {
    const Problem<double> problem = random_problem<double>(rng, 20, 40);
    const CodeList<double> codes = random_codes(problem, rng);
    Atoms<double> plain = problem.atoms, moved = problem.atoms;
    for (Index j = 0; j < plain.count(); ++j) {
      Real h = 0;
      std::vector<Real> g(static_cast<std::size_t>(plain.length()), 0);
      Problem<double> now = problem;
      now.atoms = plain;
      for (Index i = 0; i < problem.n; ++i) {
        const CodeView<double> code = codes.code(i);
        const std::vector<Real> r = residual(now, i, code);
        for (Index k = 0; k < code.size; ++k) {
          if (code.atoms[k] != j) continue;
          h += code.values[k] * code.values[k];
          for (std::size_t t = 0; t < g.size(); ++t) g[t] += code.values[k] * r[t];
        }
      }
      if (h == 0) continue;
      Real squares = 0;
      for (std::size_t t = 0; t < g.size(); ++t) {
        g[t] = plain.row(j)[t] + g[t] / h;
        squares += g[t] * g[t];
      }
      for (std::size_t t = 0; t < g.size(); ++t)
        plain.row(j)[t] = static_cast<double>(squares > 1 ? g[t] / std::sqrt(squares) : g[t]);
    }
    std::vector<double> curvature(static_cast<std::size_t>(plain.count()), 0.0);
    Array<double> rows = residual_rows(problem, codes);
    StepScratch<double> scratch;
    step_in_turn(moved, BatchUse<double>(&codes, 1, plain.count()), std::as_const(rows).data(),
                 problem.n, 1, curvature, scratch, pool);
    for (Index j = 0; j < plain.count(); ++j) {
      for (Index t = 0; t < plain.length(); ++t)
        EXPECT_NEAR(moved.row(j)[t], plain.row(j)[t], 1e-9) << trial;
    }
  }
}

TYPED_TEST(Coding, ASafeStepForOneSampleNeverRaisesItsLoss) {
  using T = TypeParam;
  Rng rng = Rng::named(8, "safe");
  for (int trial = 0; trial < 100; ++trial) {
    const Problem<T> problem = random_problem<T>(rng);
    CodeList<T> codes = random_codes(problem, rng);
    const CodeView<T> code = codes.code(0);
    const std::vector<std::int32_t> support(code.atoms, code.atoms + code.size);
    const std::vector<T> values(code.values, code.values + code.size);
    double size = 0.0;
    for (const T value : values) size += std::abs(value);
    std::vector<double> rates;
    for (const T value : values) rates.push_back(1.0 / (std::abs(value) * size));
    const Array<T> rows = residual_rows(problem, codes);
    Atoms<T> atoms = problem.atoms;
    step_for_one(atoms, support, values, rows.data(), rates);
    Problem<T> moved = problem;
    moved.atoms = atoms;
    EXPECT_LE(static_cast<double>(objective(moved, 0, code)),
              static_cast<double>(objective(problem, 0, code)) * (1.0 + kRounding<T>)+kRounding<T>);
    expect_in_ball(atoms);
  }
}

}  // namespace
}  // namespace gingham
