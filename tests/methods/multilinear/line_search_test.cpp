#include "gingham/methods/multilinear/line_search.hpp"

#include <gtest/gtest.h>

#include "methods/multilinear/checks.hpp"

namespace gingham::methods::multilinear {
namespace {

using testing::Cells;
using testing::naive_cost;
using testing::naive_loss;
using testing::one_thread;
using testing::random_case;
using testing::RandomCase;
using testing::Real;

constexpr LineSearch kKinds[] = {LineSearch::none, LineSearch::grid, LineSearch::backtracking,
                                 LineSearch::polynomial, LineSearch::majorize};
constexpr double kLongest = 32.0;

// now + s (now - previous); a component that was taken away does not move.
Factors on_line(const Factors& previous, const Factors& now, double s) {
  Factors point = now;
  for (Index k = 0; k < now.n_components(); ++k) {
    if (now.weights[k] == 0.0) continue;
    point.weights[k] += s * (now.weights[k] - previous.weights[k]);
    for (Index n = 0; n < now.n_modes(); ++n) {
      for (Index i = 0; i < now.modes[n].rows(); ++i) {
        point.modes[n](i, k) += s * (now.modes[n](i, k) - previous.modes[n](i, k));
      }
    }
  }
  return point;
}

Factors clipped(const Problem& problem, Factors point) {
  for (Matrix& mode : point.modes) {
    for (double& a : mode.values()) a = std::clamp(a, problem.low, problem.high);
  }
  for (double& rho : point.weights) {
    if (!problem.fixed_weights) rho = std::clamp(rho, 0.0, problem.weight_cap);
  }
  return point;
}

Iterate iterate_of(Solver& solver) {
  return {Factors::of(solver.factors()), solver.last_product(one_thread()), solver.rounding()};
}

// phi without the box: the penalty of a factor that knows no signs goes on below 0.
Real phi(const Cells& cells, const Problem& problem, const Factors& point, bool straight) {
  if (!straight) return naive_cost(cells, problem, point);
  Real sum = naive_loss(cells, point);
  for (Index n = 0; n < point.n_modes(); ++n) {
    for (const double a : point.modes[n].values()) {
      sum += static_cast<Real>(problem.lambda[n]) * a;
    }
  }
  return sum;
}

struct Chosen {
  double step = 0.0;
  Real value = 0;
};

// The step that a plain search over the costs of the whole line chooses.
Chosen best_of(const std::vector<double>& steps, const Cells& cells, const Problem& problem,
               const Factors& previous, const Factors& now, bool straight, bool first_lower) {
  Chosen best{0.0, phi(cells, problem, now, straight)};
  for (const double s : steps) {
    const Real value = phi(cells, problem, on_line(previous, now, s), straight);
    if (value < best.value) {
      best = {s, value};
      if (first_lower) break;
    }
  }
  return best;
}

TEST(LineSearchOfSolver, LowersTheCostAndKnowsWhereItStands) {
  Rng rng = Rng::named(1, "line search");
  int n_steps = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const RandomCase made = random_case(rng);
    const LineSearch kind = kKinds[trial % 5];
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what + " search " +
                 std::to_string(trial % 5));
    const Observed data(made.block, one_thread());
    Solver solver(data, made.problem);
    solver.begin(made.factors, made.first, one_thread());
    Iterate previous;
    for (int sweep = 0; sweep < 8; ++sweep) {
      solver.run_sweep(one_thread());
      const Factors now = Factors::of(solver.factors());
      const double before = solver.cost(), scale = std::pow(testing::reach(made.cells, now), 2.0);
      const double step = search_line(kind, previous, solver, one_thread());
      EXPECT_LE(solver.cost(), before + 1e-12 * scale);
      EXPECT_TRUE(step == 0.0 || (sweep > 0 && kind != LineSearch::none));
      const Factors expected =
          step > 0.0 ? clipped(made.problem, on_line(previous.factors, now, step)) : now;
      for (Index n = 0; n < now.n_modes(); ++n) {
        for (Index at = 0; at < now.modes[n].size(); ++at) {
          EXPECT_NEAR(
              std::as_const(Factors::of(solver.factors()).modes[n]).data()[at],
              std::as_const(expected.modes[n]).data()[at],
              1e-13 * (1.0 + std::abs(std::as_const(now.modes[n]).data()[at])) * (1.0 + step));
        }
      }
      for (Index k = 0; k < made.first; ++k) {
        EXPECT_EQ(Factors::of(solver.factors()).weights[k], made.factors.weights[k]);
      }
      n_steps += step > 0.0 ? 1 : 0;
      testing::expect_cost(made.cells, solver);
      testing::expect_products(made.cells, solver);
      testing::expect_last(made.cells, solver);
      previous = iterate_of(solver);
    }
  }
  EXPECT_GT(n_steps, 500);
}

TEST(LineSearchOfSolver, ChoosesWhatAPlainSearchOfTheCostsChooses) {
  Rng rng = Rng::named(2, "line search");
  std::vector<double> grid, halved, fine;
  for (double s = 0.125; s <= 8.0; s += 0.125) grid.push_back(s);
  for (double s = 8.0; s >= 0.125; s *= 0.5) halved.push_back(s);
  for (double s = 0.01; s <= kLongest; s *= 1.01) fine.push_back(s);
  int n_taken[3] = {0, 0, 0};
  for (int trial = 0; trial < 480; ++trial) {
    const RandomCase made = random_case(rng);
    const int which = trial % 3;
    const bool is_polynomial = which == 2;
    if ((is_polynomial && made.is_signed) || made.factors.n_components() > 4) continue;
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    Solver solver(data, made.problem);
    solver.begin(made.factors, made.first, one_thread());
    for (int sweep = 0; sweep < 3; ++sweep) solver.run_sweep(one_thread());
    const Iterate previous = iterate_of(solver);
    solver.run_sweep(one_thread());
    const Factors now = Factors::of(solver.factors());
    const LineSearch kind = which == 0   ? LineSearch::grid
                            : which == 1 ? LineSearch::backtracking
                                         : LineSearch::polynomial;
    const double step = search_line(kind, previous, solver, one_thread());
    const Chosen chosen =
        best_of(which == 0   ? grid
                : which == 1 ? halved
                             : fine,
                made.cells, made.problem, previous.factors, now, is_polynomial, which == 1);
    const Real here = phi(made.cells, made.problem, now, is_polynomial);
    // The polynomial is known as well as its values at the far end of the line allow.
    const double far =
        testing::reach(made.cells, on_line(previous.factors, now, std::max(step, chosen.step)));
    const auto rounding =
        static_cast<Real>(1e-10 * std::pow(std::max(far, testing::reach(made.cells, now)), 2.0));
    if (step > 0.0) {
      const Real found =
          phi(made.cells, made.problem, on_line(previous.factors, now, step), is_polynomial);
      if (which == 1) {
        EXPECT_LT(static_cast<double>(found), static_cast<double>(here + rounding));
        EXPECT_TRUE(step == chosen.step || here - chosen.value <= rounding);
      } else {
        EXPECT_LE(static_cast<double>(found), static_cast<double>(chosen.value + rounding));
      }
      ++n_taken[which];
      continue;
    }
    // Nothing taken: there was nothing, or the box took it.
    const Factors point = clipped(made.problem, on_line(previous.factors, now, chosen.step));
    if (chosen.step > 0.0 && here - chosen.value > rounding && which < 2) {
      EXPECT_GE(static_cast<double>(naive_cost(made.cells, made.problem, point)),
                static_cast<double>(naive_cost(made.cells, made.problem, now) - rounding));
    }
  }
  for (const int n : n_taken) EXPECT_GT(n, 20);
}

// Every majorization lowers phi, and the first begins where the polynomial is least.
TEST(LineSearchOfSolver, MajorizingGoesOnFromThePolynomial) {
  Rng rng = Rng::named(3, "line search");
  int n_compared = 0, n_lower = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const RandomCase made = random_case(rng);
    if (!made.is_signed || made.factors.n_components() > 4) continue;
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    Solver solver(data, made.problem);
    solver.begin(made.factors, made.first, one_thread());
    for (int sweep = 0; sweep < 2; ++sweep) solver.run_sweep(one_thread());
    const Iterate previous = iterate_of(solver);
    solver.run_sweep(one_thread());
    const Factors now = Factors::of(solver.factors());
    Solver other = solver;
    const double one = search_line(LineSearch::polynomial, previous, solver, one_thread()),
                 two = search_line(LineSearch::majorize, previous, other, one_thread());
    if (one == 0.0 || two == 0.0) continue;
    const auto at = [&](double s) {
      return static_cast<double>(
          naive_cost(made.cells, made.problem, on_line(previous.factors, now, s)));
    };
    ++n_compared;
    n_lower += at(two) < at(one) ? 1 : 0;
    EXPECT_LE(at(two), at(one) * (1.0 + 1e-7));
  }
  EXPECT_GT(n_compared, 50);
  EXPECT_GT(n_lower, 10);
}

TEST(LineSearchOfSolver, AllNamesAreKnown) {
  const char* const names[] = {"none", "grid", "backtracking", "polynomial", "majorize"};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(line_search_named(names[i]), kKinds[i]);
}

}  // namespace
}  // namespace gingham::methods::multilinear
