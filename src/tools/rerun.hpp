// The run of a stored result once more, from its options, its seed and the data.
#pragma once
#include "gingham/engine/result.hpp"
#include "gingham/tools/comparison.hpp"

namespace gingham {

// Compares all that the run gives but times: status, trace, restarts, terms, numbers used, arrays,
// components, members, measures, notes, stabilities. Bits agree on the same kind of machine; what
// is allowed is the last digits of the precision. Throws Error{usage} for a run that cannot be
// repeated: one that was stopped, or began from another result.
void compare_rerun(const Dataset& data, const Result& result, Comparison& compare);

}  // namespace gingham
