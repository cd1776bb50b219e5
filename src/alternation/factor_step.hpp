// One factor with the others fixed (factor_part.hpp) under a penalty of its columns: items that the
// penalty holds together set by set (panel.hpp), all others a few at a time (penalties/rows.hpp).
#pragma once
#include <memory>

#include "gingham/alternation/panel.hpp"
#include "gingham/operators/observed.hpp"
#include "gingham/penalties/entry_rule.hpp"

namespace gingham::alternation {

// The items of one mode, by what holds them together.
struct ItemSets {
  std::vector<Penalty::Part> sets;
  ItemClasses rest;                        // of no set; items and bounds alone
  std::shared_ptr<const Penalty> entries;  // of those
  EntryRule rule;                          // the same
  // What gaps are measured by, over all items, where that is not what steps go by; null: the same.
  std::shared_ptr<const Penalty> judged;

  ItemSets() = default;
  // With `whole` entries that have an upper bound are a set as well, since non-negative least
  // squares has none.
  ItemSets(const Penalty& penalty, const ItemClasses& classes, bool whole);
};

// Entries that may be other than 0, items x K; empty: all of them. Only for sweeps of items that
// are in no set: Error{internal} elsewhere.
using Support = std::vector<std::uint8_t>;

template <class T>
struct FactorStep {
  FactorPart part;
  const ItemSets& sets;
  const DenseMatrix<T>& y;
  const Support& support;

  // Rounds over the columns of f, each at its minimum; returns sum of h (change)^2. Where every
  // item has cells of its own and none is in a set, model_gram becomes sum_i f_i f_i^T o Z_i, Z_i
  // the sum of z z^T of item i; otherwise it stays as it is.
  double sweep(int passes, DenseMatrix<T>& f, Matrix& model_gram, Executor& executor) const;
  // The whole factor (nearly) at its minimum: non-negative least squares by block principal
  // pivoting, and accelerated gradient steps where items hang together. No column is given.
  // lipschitz: see Panel. Returns sum of h (change)^2.
  double solve(double lipschitz, DenseMatrix<T>& f, Executor& executor) const;
  // Per column the square of its gap: how far it is from its minimiser, sum of h (f - that)^2, the
  // others as they are, or with Beside::before those before it alone. Zeros of columns that
  // `members_only` (K, or empty) marks do not count.
  std::vector<double> gaps(Beside beside, const std::vector<std::uint8_t>& members_only,
                           const DenseMatrix<T>& f, Executor& executor) const;
  // b and h of the unknown columns beside others, over all items.
  void for_each_column(Beside beside, const DenseMatrix<T>& f,
                       FunctionRef<void(Index, ConstVec, Curvature)> visit,
                       Executor& executor) const;

 private:
  template <class Treat>
  void over_sets(const DenseMatrix<T>& f, Vec sums, const Treat& treat, Executor& executor) const;
  void require_no_support(bool is_needed) const;
  double sweep_classes(int passes, DenseMatrix<T>& f, Executor& executor) const;
  double sweep_items(int passes, DenseMatrix<T>& f, Matrix* model_gram, Executor& executor) const;
};

// Non-negative entries that obey a rule without an upper bound, all at once: block principal
// pivoting, item by item. Returns sum of q_kk (change)^2.
template <class T>
double solve_least_squares(const FactorPart& part, const ItemClasses& rest, const EntryRule& rule,
                           const DenseMatrix<T>& y, DenseMatrix<T>& f, Executor& executor);

}  // namespace gingham::alternation
