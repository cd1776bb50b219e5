// How the run went: objective and gap by iteration.
#pragma once
#include <string>

#include "gingham/engine/result.hpp"

namespace gingham::report {

// A line chart on a logarithmic scale: the gap, and how far the objective was from its last value
// within the component, relative to that value. A sentence where there is nothing to draw.
std::string trace_section(const Result& result);

}  // namespace gingham::report
