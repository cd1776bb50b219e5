// Non-negative least squares for items that hang together with no other.
#pragma once
#include "gingham/methods/nonnegative/panel.hpp"
#include "gingham/penalties/entry_rule.hpp"

namespace gingham::methods::nonnegative {

// Rows of f, for the items of `rest` (by class), at the minimum of 1/2 f^T Q f - y^T f + what the
// rule of entries asks, f >= 0; L1 and a ridge, no upper bound.
// Returns sum of q_kk (change of f_k)^2.
template <class T>
double solve_least_squares(const SideView& view, const Classes& rest, const EntryRule& rule,
                           const DenseMatrix<T>& y, DenseMatrix<T>& f, Executor& executor);

// The quadratic form and the linear part of one item over its observed cells: q (K x K) and y.
void add_cells_of(const SideView& view, Index item, Matrix& q, Vec y);

}  // namespace gingham::methods::nonnegative
