#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::cotrained {

Terms recompute_objective(const Dataset& data, const Options& options, const Model& model);

}  // namespace gingham::methods::cotrained
