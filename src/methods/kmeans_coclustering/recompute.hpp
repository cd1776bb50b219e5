#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::kmeans_coclustering {

Recomputed recompute(const Dataset& data, const Options& options, const Model& model);

}  // namespace gingham::methods::kmeans_coclustering
