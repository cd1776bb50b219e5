// Pictures of embryos with stained patterns, in bags: what dictionaries of image patches are
// learned from, and bags are annotated by.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::dictionary {

// Images of several embryos of each gene (a bag), and the terms that describe where the gene is
// expressed. Problem "embryos".
Simulator embryo_simulator();

}  // namespace gingham::methods::dictionary
