// Co-clusters of new subjects seen in all or some of the views, everything else as fitted. With
// x_s the scaled row of view k and sums over its observed cells
//
//   z = sum x_s v_c,  norm = sum v_c^2,  u_c = pos(z) / norm,  pos(z) = max(z, 0) with one sign
//   gain_c = rho * sum_k w_k pos(z)^2 / norm,  rho = all w_k / those of views with an observed cell
//
// refined   the co-cluster with the largest gain, the lowest on ties
// exclude   the first co-cluster whose gain reaches the least one among its fitted rows
// deflate   every such co-cluster, each from what the ones before leave of the row
//
// The rows of the fit keep theirs, but for palm without refinement: its rows need not be those of
// the largest gains. A row without a positive gain belongs to nothing. The loss is sum_i rho_i
// sum_k w_k of what is left of the rows' squares. A row's members are the same to the last bit
// whatever comes with it.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::multiview {

// A view the subjects were not seen in is a block without observed cells. Throws Error{usage} for a
// mode other than the rows, Error{input} where the fitted arrays do not fit each other or the data.
Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx);

}  // namespace gingham::methods::multiview
