#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::sparse_coding {

// Codes of new samples with the dictionary of a fit: --coding exact solves each one's problem to
// the tolerance, in double; --coding steps takes one visit of --steps passes, as in learning, and
// says how far that is from the optimum at most. A sample's code does not depend on its neighbours.
Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx);

// --coding, for methods whose learners take steps.
OptionRecord coding_option();

}  // namespace gingham::methods::sparse_coding
