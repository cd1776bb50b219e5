// New items of one mode, all other factors as fitted. Item i, by itself, gets the f that minimises
//
//   1/2 sum over its observed cells of (x - sum_k w_k z_k f_k)^2 + sum_k rule(f_k)
//                                                                + c (sum_k f_k)^2
//
// z_k: the product of the other factors' entries in column k at the cell; w: the components'
// weights. Without negative entries by non-negative least squares; bounds are met by cyclic
// coordinate descent from there, to a relative gap of 1e-10. Entries below `least` then become 0,
// and the item is fitted once more on what remains. An item without observed cells gets zeros.
//
// In order: each entry is fitted beside those before it alone, and pruned before the next.
//
// An item's row is the same to the last bit whatever comes with it.
#pragma once
#include <vector>

#include "gingham/operators/observed.hpp"
#include "gingham/penalties/entry_rule.hpp"

namespace gingham::alternation {

struct FittedFactors {
  std::vector<Matrix> modes;  // that of the mode itself tells how large entries may be expected
  std::vector<double> weights = {};  // empty: all 1
  EntryRule rule = {};               // of new items
  double cross = 0.0;
  std::vector<double> least = {};  // per column; empty: 0
  bool in_order = false;
};

struct NewFactor {
  Matrix items;  // items x K
  double loss = 0.0, penalty = 0.0;
  double gap = 0.0;    // sqrt(sum h (f - its minimiser)^2) / |X|; 0 in order
  Index n_unseen = 0;  // items without observed cells
};

// Throws Error{internal} for sizes that do not fit.
NewFactor fit_items(const Block& fresh, Index mode, FittedFactors fitted, Executor& executor);

}  // namespace gingham::alternation
