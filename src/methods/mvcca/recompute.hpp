#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::mvcca {

Recomputed recompute(const Dataset& data, const Options& options, const Model& model);

}  // namespace gingham::methods::mvcca
