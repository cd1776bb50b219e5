// Members among new rows or columns, the other side as fitted.
//
// Component after component, as in the fit: with the other side's unit vectors fixed the new items
// x minimise the side's step (side.hpp) at the penalties the fit used, on what the components
// before have left of the new data at their levels. x over the length of the fit's own minimiser is
// in the units of its unit vectors, so that its own items come out as they are there.
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/methods/rank_one/rank_one.hpp"

namespace gingham::methods::rank_one {

// mode 0: rows, 1: columns. Where that side is fused every time has the same number of new items.
Transformed transform(const Dataset& fresh, const Rules& rules, const Model& fitted, Index mode,
                      Context& ctx);

}  // namespace gingham::methods::rank_one
