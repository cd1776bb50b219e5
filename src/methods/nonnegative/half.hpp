// One factor with the other fixed: the items that hang together set by set, all others a few at a
// time.
#pragma once
#include <memory>
#include <vector>

#include "gingham/methods/nonnegative/panel.hpp"
#include "gingham/methods/nonnegative/rules.hpp"

namespace gingham::methods::nonnegative {

// The items of one side, by what couples them.
struct SideSets {
  struct Set {
    std::vector<Index> items;  // in order of class
    std::unique_ptr<Coupling> coupling;
  };
  std::vector<Set> sets;
  Classes rest;  // of no set; items and bounds alone
  // Columns in the unit ball: its price is part of the Q that a sweep is given (Solver::price), so
  // that no items hang together but where optimality is measured.
  bool is_in_ball = false;

  SideSets() = default;
  SideSets(const SideRules& rules, const Classes& classes);
};

template <class T>
struct Half {
  SideView view;
  SideSets& sets;
  const DenseMatrix<T>& y;  // X0 times the other factor
  DenseMatrix<T>& f;

  // Rounds over the columns, each at its minimum. All return sum of d (change)^2.
  double sweep(int passes, Executor& executor);
  // The whole factor (nearly) at its minimum: non-negative least squares by block principal
  // pivoting, and accelerated gradient steps where items are coupled. lipschitz: see Panel.
  double solve(double lipschitz, Executor& executor);
  // sum of d (f_k - its minimiser, all other columns as they are)^2; changes nothing.
  double gap(Executor& executor);

 private:
  template <class Treat>
  double over_panels(bool has_rest, const Treat& treat, Executor& executor);
  template <class Treat>
  double over_rest(int passes, const Treat& treat, Executor& executor);
};

}  // namespace gingham::methods::nonnegative
