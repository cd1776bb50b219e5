// New rows (H fixed) or new columns (W fixed) of a factorisation, each on its own:
//
//   f = argmin over f >= 0 of  1/2 sum over observed cells of (x_j - b_j^T f)^2
//                              + sum_k rule(f_k) + cross (sum_k f_k)^2
//
// (alternation/fit_items.hpp). What the fit asks of several items together, penalties of groups and
// lengths of columns, is not asked of new ones.
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/methods/nonnegative/rules.hpp"

namespace gingham::methods::nonnegative {

// mode: 0 for rows, 1 for columns. rules: the fit's of that side. An item without observed cells
// gets zeros.
Transformed transform(const Dataset& fresh, const Model& fitted, Index mode, const SideRules& rules,
                      Context& ctx);

}  // namespace gingham::methods::nonnegative
