#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::kmeans {

// New rows to the nearest of the fitted centres, the lowest on ties.
Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx);

}  // namespace gingham::methods::kmeans
