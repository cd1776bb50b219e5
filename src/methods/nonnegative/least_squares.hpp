// Non-negative least squares for items that hang together with no other.
#pragma once
#include "gingham/methods/nonnegative/panel.hpp"
#include "gingham/penalties/entry_rule.hpp"

namespace gingham::methods::nonnegative {

// Rows of f, for the items of `rest` (by class), at the minimum of 1/2 f^T Q f - y^T f + what the
// rule of entries asks, f >= 0; L1 and a ridge, no upper bound.
// Returns sum of q_kk (change of f_k)^2.
template <class T>
double solve_least_squares(const SideView& view, const ItemClasses& rest, const EntryRule& rule,
                           const DenseMatrix<T>& y, DenseMatrix<T>& f, Executor& executor);

}  // namespace gingham::methods::nonnegative
