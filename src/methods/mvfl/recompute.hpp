#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::mvfl {

Recomputed recompute(const Dataset& data, const Options& options, const Model& model);

}  // namespace gingham::methods::mvfl
