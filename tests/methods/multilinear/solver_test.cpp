#include "gingham/methods/multilinear/solver.hpp"

#include <gtest/gtest.h>

#include "methods/multilinear/checks.hpp"

namespace gingham::methods::multilinear {
namespace {

using testing::entry_of;
using testing::expect_cost;
using testing::expect_products;
using testing::naive_cost;
using testing::one_thread;
using testing::random_case;
using testing::RandomCase;
using testing::reach;
using testing::Real;

// Where entries must stay 0, and factors that are 0 there.
Supports random_supports(Rng& rng, Index first, Factors& factors) {
  Supports supports;
  for (Matrix& mode : factors.modes) {
    std::vector<std::uint8_t> keep(static_cast<std::size_t>(mode.size()), 1);
    for (Index at = 0; at < mode.size() && mode.rows() > 1; ++at) {
      if (at % mode.cols() < first || rng.uniform() < 0.6) continue;
      keep[at] = 0;
      mode.data()[at] = 0.0;
    }
    supports.push_back(std::move(keep));
  }
  return supports;
}

TEST(MultilinearSolver, CostAndProductsAreThoseOfThePlainLoop) {
  Rng rng = Rng::named(1, "solver");
  for (int trial = 0; trial < 1500; ++trial) {
    const RandomCase made = random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    EXPECT_NEAR(data.squares(), static_cast<double>(made.cells.squares()), 1e-13 * data.squares());
    EXPECT_EQ(data.n_observed(), static_cast<double>(made.cells.x.size()));
    EXPECT_EQ(data.largest(), testing::largest_of(made.cells, false));
    EXPECT_EQ(data.largest_magnitude(), testing::largest_of(made.cells, true));
    Solver solver(data, made.problem);
    solver.begin(made.factors, made.first, one_thread());
    EXPECT_TRUE(solver.is_consistent());
    expect_products(made.cells, solver);
    expect_cost(made.cells, solver);
    const Solver::Products anew = solver.products_of(Factors::of(solver.factors()), one_thread());
    EXPECT_NEAR(solver.cost_of(Factors::of(solver.factors()), anew), solver.cost(),
                1e-11 * std::pow(reach(made.cells, Factors::of(solver.factors())), 2.0));
  }
}

TEST(MultilinearSolver, AnUpdateIsThatOfThePlainLoop) {
  Rng rng = Rng::named(2, "solver");
  for (int trial = 0; trial < 1500; ++trial) {
    RandomCase made = random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    Supports supports;
    if (rng.uniform() < 0.4) supports = random_supports(rng, made.first, made.factors);
    Solver solver(data, made.problem);
    solver.begin(made.factors, made.first, one_thread());
    solver.restrict_to(supports);
    for (const Index mode : solver.sweep()) {
      Factors naive = Factors::of(solver.factors());
      // A weight that is rounding says nothing of its component's entries.
      const auto is_rounding = [&](double weight) {
        return weight > 0.0 && weight < 1e-9 * made.problem.weight_cap;
      };
      if (std::any_of(naive.weights.begin(), naive.weights.end(), is_rounding)) break;
      const double scale = reach(made.cells, naive);
      solver.update_mode(mode, one_thread());
      testing::naive_update(made.cells, made.problem, made.first, mode, supports, naive);
      const Factors found = Factors::of(solver.factors());
      for (Index n = 0; n < found.n_modes(); ++n) {
        for (Index i = 0; i < found.modes[n].rows(); ++i) {
          for (Index k = 0; k < found.n_components(); ++k) {
            const double off = found.modes[n](i, k) - naive.modes[n](i, k);
            if (off == 0.0) continue;
            ASSERT_EQ(n, mode);
            ASSERT_GE(k, made.first);
            // An entry matters as far as it moves the model.
            const testing::Entry entry = entry_of(made.cells, naive, n, i, k, 0);
            EXPECT_LE(std::abs(off) * std::sqrt(static_cast<double>(entry.curvature)), 1e-9 * scale)
                << "mode " << n << " entry " << i << ", " << k;
          }
        }
      }
      for (Index k = 0; k < found.n_components(); ++k) {
        const testing::Entry entry = entry_of(made.cells, naive, -1, 0, k, 0);
        EXPECT_LE(std::abs(found.weights[k] - naive.weights[k]) *
                      std::sqrt(static_cast<double>(entry.curvature)),
                  1e-9 * scale);
      }
      expect_products(made.cells, solver);
      expect_cost(made.cells, solver);
    }
  }
}

TEST(MultilinearSolver, TheCostNeverRisesAndIsKnownAllTheWay) {
  Rng rng = Rng::named(3, "solver");
  for (int trial = 0; trial < 600; ++trial) {
    RandomCase made = random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    Supports supports;
    if (rng.uniform() < 0.3) supports = random_supports(rng, made.first, made.factors);
    Solver solver(data, made.problem);
    solver.begin(made.factors, made.first, one_thread());
    solver.restrict_to(supports);
    double before = solver.cost();
    const double scale = std::pow(reach(made.cells, made.factors), 2.0);
    for (int sweep = 0; sweep < 12; ++sweep) {
      for (const Index mode : solver.sweep()) {
        solver.update_mode(mode, one_thread());
        EXPECT_LE(solver.cost(), before * (1.0 + 1e-12) + 1e-12 * scale);
        before = solver.cost();
      }
      solver.end_sweep(one_thread());
      EXPECT_LE(solver.cost(), before * (1.0 + 1e-12) + 1e-12 * scale);
      before = solver.cost();
      expect_cost(made.cells, solver);
      expect_products(made.cells, solver);
      const Factors now = Factors::of(solver.factors());
      for (Index n = 0; n < now.n_modes(); ++n) {
        for (Index at = 0; at < now.modes[n].size(); ++at) {
          const double a = std::as_const(now.modes[n]).data()[at];
          const Index k = at % now.n_components();
          if (k < made.first) {
            EXPECT_EQ(a, std::as_const(made.factors.modes[n]).data()[at]);
            continue;
          }
          EXPECT_GE(a, made.problem.low);
          EXPECT_LE(a, made.problem.high);
          EXPECT_TRUE(a == 0.0 || supports.empty() || supports[n][at] != 0);
        }
      }
      for (Index k = 0; k < now.n_components(); ++k) {
        const double given = made.factors.weights[k];
        EXPECT_TRUE(k >= made.first || now.weights[k] == given);
        EXPECT_LE(now.weights[k], made.problem.weight_cap);
        EXPECT_GE(now.weights[k], 0.0);
      }
    }
  }
}

TEST(MultilinearSolver, GapsAreThoseOfThePlainLoop) {
  Rng rng = Rng::named(4, "solver");
  for (int trial = 0; trial < 600; ++trial) {
    const RandomCase made = random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    Solver solver(data, made.problem);
    solver.begin(made.factors, made.first, one_thread());
    std::vector<std::uint8_t> members_only;
    for (Index k = 0; k < made.factors.n_components(); ++k) {
      members_only.push_back(rng.uniform() < 0.3 ? 1 : 0);
    }
    for (int sweeps = 0; sweeps < 3; ++sweeps) {
      for (const bool in_order : {false, true}) {
        for (const Index from : {Index{0}, made.first}) {
          const std::vector<double> naive = testing::naive_gaps(
              made.cells, made.problem, Factors::of(solver.factors()), members_only, in_order, from);
          const std::vector<NamedValue> found =
              solver.gaps(members_only, in_order ? Beside::before : Beside::all, from, one_thread());
          ASSERT_EQ(found.size(), naive.size());
          const double scale =
              reach(made.cells, Factors::of(solver.factors())) / std::max(made.cells.size(), 1e-300);
          for (std::size_t n = 0; n < naive.size(); ++n) {
            EXPECT_NEAR(found[n].value, naive[n], 1e-8 * naive[n] + 1e-10 * scale) << found[n].name;
          }
        }
      }
      solver.run_sweep(one_thread());
    }
  }
}

TEST(MultilinearSolver, ManySweepsEndWhereEveryEntryIsItsOwnMinimiser) {
  Rng rng = Rng::named(5, "solver");
  int n_reached = 0, n_tried = 0;
  for (int trial = 0; trial < 150; ++trial) {
    RandomCase made = random_case(rng);
    made.problem.balance = true;
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    if (made.factors.n_components() > 4 || made.cells.squares() == 0) continue;
    const Observed data(made.block, one_thread());
    Solver solver(data, made.problem);
    solver.begin(made.factors, made.first, one_thread());
    for (int sweep = 0; sweep < 3000; ++sweep) {
      solver.run_sweep(one_thread());
      if (solver.moved() < 1e-13) break;
    }
    const std::vector<std::uint8_t> all(made.factors.weights.size(), 0);
    double largest = 0.0;
    for (const double gap :
         testing::naive_gaps(made.cells, made.problem, Factors::of(solver.factors()), all, false, made.first)) {
      largest = std::max(largest, gap);
    }
    ++n_tried;
    n_reached += largest < 1e-9 ? 1 : 0;
    // No other value of any entry is better.
    const Real here = naive_cost(made.cells, made.problem, Factors::of(solver.factors()));
    for (int probe = 0; probe < 30 && largest < 1e-9; ++probe) {
      Factors moved = Factors::of(solver.factors());
      const Index n = solver.sweep()[rng.below(std::ssize(solver.sweep()))];
      double& a = moved.modes[n](rng.below(moved.modes[n].rows()),
                                 made.first + rng.below(moved.n_components() - made.first));
      const double drawn = a + 0.3 * (1.0 + std::abs(a)) * rng.normal();
      a = std::clamp(rng.uniform() < 0.3 ? 0.0 : drawn, made.problem.low, made.problem.high);
      EXPECT_GE(static_cast<double>(naive_cost(made.cells, made.problem, moved) - here),
                -1e-8 * static_cast<double>(made.cells.squares()));
    }
  }
  EXPECT_GT(n_reached, n_tried * 8 / 10);
}

// One component after the other, the way deflation goes, then anew with fewer and with more.
TEST(MultilinearSolver, BeginsAgainWithColumnsGiven) {
  Rng rng = Rng::named(7, "solver");
  for (int trial = 0; trial < 200; ++trial) {
    RandomCase made = random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    Solver solver(data, made.problem);
    Factors factors = resized(made.factors, 0);
    for (Index k = 0; k < 3; ++k) {
      const Factors fresh = testing::random_point(made.problem, data.shape(), 1, rng);
      factors = resized(factors, k + 1);
      factors.weights[k] = fresh.weights[0];
      for (Index n = 0; n < data.n_modes(); ++n) {
        set_column(factors.modes[n], k, column(fresh.modes[n], 0));
      }
      solver.begin(factors, k, one_thread());
      expect_products(made.cells, solver);
      for (int sweep = 0; sweep < 2; ++sweep) solver.run_sweep(one_thread());
      expect_products(made.cells, solver);
      expect_cost(made.cells, solver);
      factors = Factors::of(solver.factors());
    }
    solver.begin(resized(factors, 1), 0, one_thread());
    expect_products(made.cells, solver);
    solver.begin(factors, 2, one_thread());
    expect_products(made.cells, solver);
  }
}

TEST(MultilinearSolver, ThreadsDoNotChangeABit) {
  Rng rng = Rng::named(6, "solver");
  ThreadPool pool(3);
  for (int trial = 0; trial < 8; ++trial) {
    Tensor x = testing::random_tensor({70, 60, 30}, 2, false, rng);
    for (double& cell : x.values())
      cell = trial % 4 > 1 && rng.uniform() < 0.2 ? std::nan("") : cell;
    const Block block =
        trial % 2 == 0 ? testing::dense_block(x)
                       : testing::sparse_block(x, trial < 4 ? Unlisted::zero : Unlisted::missing);
    const testing::Cells cells = testing::cells_of(x, trial % 2 == 1 && trial >= 4);
    const Problem problem = testing::random_problem(cells, false, rng);
    const Factors factors = testing::random_point(problem, x.shape(), 3, rng);
    const Observed data(block, one_thread());
    Solver one(data, problem), three(data, problem);
    one.begin(factors, 0, one_thread());
    three.begin(factors, 0, pool);
    for (int sweep = 0; sweep < 2; ++sweep) {
      one.run_sweep(one_thread());
      three.run_sweep(pool);
    }
    for (Index n = 0; n < 3; ++n) {
      const ConstVec a = one.factors().modes[n].values(), b = three.factors().modes[n].values();
      EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
    }
    EXPECT_EQ(one.cost(), three.cost());
    expect_cost(cells, one);
    expect_products(cells, one);
  }
}

// An item without observed cells belongs to nothing, penalty or not, whatever it began with.
TEST(MultilinearSolver, AnItemWithoutObservedCellsIsZero) {
  Rng rng = Rng::named(9, "solver");
  for (int trial = 0; trial < 60; ++trial) {
    const Shape shape = trial % 2 == 0 ? Shape{6, 5} : Shape{5, 4, 6};
    Tensor x = testing::random_tensor(shape, trial % 2, false, rng);
    const Index row = x.size() / shape[0];
    for (Index cell = 0; cell < row; ++cell) x.data()[2 * row + cell] = std::nan("");
    for (const bool is_sparse : {false, true}) {
      const Block block = is_sparse ? testing::sparse_block(x, Unlisted::missing, false, true)
                                    : testing::dense_block(x);
      const Observed data(block, one_thread());
      Solver solver(data, least_squares(data.n_modes(), false));
      Factors factors;
      for (const Index size : shape) {
        factors.modes.emplace_back(size, 2);
        for (double& a : factors.modes.back().values()) a = 0.5 + rng.uniform();
      }
      factors.weights = {1.0, 1.0};
      solver.begin(std::move(factors), 0, one_thread());
      solver.run_sweep(one_thread());
      for (Index k = 0; k < 2; ++k) EXPECT_EQ(Factors::of(solver.factors()).modes[0](2, k), 0.0);
    }
  }
}

// No component is left whose removal lowers the cost, nor anything that costs more than nothing.
TEST(MultilinearSolver, RemovesWhatCostsMoreThanItExplains) {
  Rng rng = Rng::named(10, "solver");
  int n_changed = 0, n_empty = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const RandomCase made = random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    Solver solver(data, made.problem);
    solver.begin(made.factors, made.first, one_thread());
    for (int sweep = 0; sweep < trial % 3; ++sweep) solver.run_sweep(one_thread());
    const Factors before = Factors::of(solver.factors());
    const double cost = solver.cost(), rounding = 1e-11 * std::pow(reach(made.cells, before), 2.0);
    const bool is_changed = solver.remove_costly();
    const Factors now = Factors::of(solver.factors());
    expect_products(made.cells, solver);
    expect_cost(made.cells, solver);
    EXPECT_LE(solver.cost(), cost + rounding);
    n_changed += is_changed ? 1 : 0;
    EXPECT_EQ(is_changed, before.weights != now.weights);
    bool is_empty = true;
    for (Index k = made.first; k < now.n_components(); ++k) {
      is_empty = is_empty && solver.is_empty(k);
      Factors without = now;
      without.weights[k] = 0.0;
      for (Matrix& mode : without.modes) {
        for (Index i = 0; i < mode.rows(); ++i) mode(i, k) = 0.0;
      }
      EXPECT_LE(static_cast<double>(naive_cost(made.cells, made.problem, now)),
                static_cast<double>(naive_cost(made.cells, made.problem, without)) + rounding);
    }
    n_empty += is_empty ? 1 : 0;
    EXPECT_TRUE(made.first > 0 || solver.cost() <= data.squares() + rounding);
  }
  EXPECT_GT(n_changed, 20);
  EXPECT_GT(n_empty, 5);
  EXPECT_LT(n_empty, 300);
}

}  // namespace
}  // namespace gingham::methods::multilinear
