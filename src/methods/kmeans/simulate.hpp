#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::kmeans {

// Rows scattered around a few centres.
Simulator simulator();

}  // namespace gingham::methods::kmeans
