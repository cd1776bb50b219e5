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
  std::vector<Penalty::Part> sets;
  ItemClasses rest;                        // of no set; items and bounds alone
  std::shared_ptr<const Penalty> entries;  // of those
  EntryRule rule;                          // the same
  // Columns in the unit ball: its price is part of the Q that a sweep is given (Solver::price), so
  // that it ties items together only where optimality is measured.
  std::shared_ptr<const Penalty> in_ball;

  SideSets() = default;
  // whole: entries with an upper bound are a set as well, since non-negative least squares has
  // none.
  SideSets(const SideRules& rules, const ItemClasses& classes, bool whole);
};

template <class T>
struct Half {
  SideView view;
  SideSets& sets;
  const DenseMatrix<T>& y;  // X0 times the other factor
  DenseMatrix<T>& f;

  // Rounds over the columns, each at its minimum. All return sum of h (change)^2.
  double sweep(int passes, Executor& executor);
  // The whole factor (nearly) at its minimum: non-negative least squares by block principal
  // pivoting, and accelerated gradient steps where items are coupled. lipschitz: see Panel.
  double solve(double lipschitz, Executor& executor);
  // sum of h (f_k - its minimiser, all other columns as they are)^2; changes nothing.
  double gap(Executor& executor);

 private:
  template <class Treat>
  double over_panels(bool has_rest, const Treat& treat, Executor& executor);
  template <class Treat>
  double over_rest(int passes, const Treat& treat, Executor& executor);
};

}  // namespace gingham::methods::nonnegative
