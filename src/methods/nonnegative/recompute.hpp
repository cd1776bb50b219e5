// Everything that is reported of two factors, computed anew by plain loops.
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/methods/nonnegative/factorization.hpp"

namespace gingham::methods::nonnegative {

Recomputed recompute(const Dataset& data, const Options& options, const Model& model,
                     const Problem& problem);

}  // namespace gingham::methods::nonnegative
