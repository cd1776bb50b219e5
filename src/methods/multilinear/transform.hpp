// Members of new slices of one mode, the other factors and the weights as fitted. For each new
// slice i of mode n
//
//   min over a in the box   sum over observed cells of (x - z^T a)^2 + lambda_n sum_k |a_k|
//   z_k = rho_k * product over the other modes m of A^m_{i_m k}
//
// or what --penalty asks of single entries of the mode (alternation/fit_items.hpp). Entries below
// `prune` times the largest of their column in the fit become 0, and the slice is fitted once more
// on what remains. Of a deflation fit each entry is fitted with those before it alone, and pruned
// before the next. A slice's row is the same to the last bit whatever comes with it.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::multilinear {

// Throws Error{input} where the fitted arrays do not fit each other or the data.
Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx);

}  // namespace gingham::methods::multilinear
