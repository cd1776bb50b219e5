#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::multiview {

// Every number of a multiview result from data, options and stored arrays, by plain loops.
Recomputed recompute(const Dataset& data, const Options& options, const Model& model);

}  // namespace gingham::methods::multiview
