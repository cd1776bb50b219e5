// What verify asks of the course of a run: its trace, restarts and status.
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/engine/result.hpp"
#include "gingham/tools/comparison.hpp"

namespace gingham {

// What a trace and a status must satisfy among themselves.
void compare_story(const Result& result, Comparison& compare);

// Restarts that left the race did so at the end of a round, and were not ahead of the one that was
// kept.
void compare_race(const MethodInfo& info, const Result& result, Comparison& compare);

// Where a method says that its objective never rises, its trace does not, but for the rounding of
// running sums (of `squares`). Where a component converged, its last record has the objective that
// it ended with: `ends`, or that of the whole.
void compare_trace(const MethodInfo& info, const Result& result, const Recomputed& found,
                   double squares, Comparison& compare);

// What restarts found is not kept; only that the shares can be some of these members'.
void compare_stability(const Result& result, Comparison& compare);

}  // namespace gingham
