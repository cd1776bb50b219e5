// Members of new slices of one mode, the other factors and the weights as fitted. For each new
// slice i of mode n
//
//   min over a in the box   a^T Q_i a - 2 a^T y_i + lambda_n sum_k |a_k|
//   Q_i = sum over observed cells of z z^T,   y_i = sum over observed cells of x z,
//   z_k = rho_k * product over the other modes m of A^m_{i_m k}
//
// where nothing is missing Q = (rho rho^T) o product of the A^mT A^m, the same for all slices.
// Cyclic coordinate descent from 0 to a relative gap of 1e-10. Entries below `prune` times the
// largest of their column in the fit then become 0, and the slice is fitted once more on what
// remains. Of a deflation fit each entry is fitted with those before it alone, and pruned before
// the next. A slice's row is the same to the last bit whatever comes with it.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::multilinear {

// Throws Error{input} where the fitted arrays do not fit each other or the data.
Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx);

}  // namespace gingham::methods::multilinear
