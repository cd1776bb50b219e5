// Whether a method can work on these data with these options, and what memory that takes.
#pragma once
#include <optional>
#include <string>

#include "gingham/engine/registry.hpp"

namespace gingham {

// Throws Error{input} or Error{usage} that names the block, what was found, and the remedy.
void check_inputs(const MethodInfo& info, const Dataset& data, const Options& options);

// The part of it that is about the number of inputs, their modes and how they are stored.
void check_kind(const MethodInfo& info, const Dataset& data);

// The part of it that is about what several inputs share: sizes, and names of the rows of views.
void check_shared(const MethodInfo& info, const Dataset& data);

// The part of it that is about negative values, where the method needs none and the user has not
// said that they may be.
void check_signs(const MethodInfo& info, const Dataset& data, const Options& options);

// Bytes for the data and the method together, at most; with all restarts that race.
double estimate_bytes(const MethodInfo& info, const Dataset& data, const Options& options);

// Where the restarts would race but do not all fit within the limit, --race becomes no. Returns
// what to tell the user then.
std::optional<std::string> race_within(const MethodInfo& info, const Dataset& data,
                                       Options& options, double limit_bytes);

// Throws Error{memory} with the numbers when the estimate is above the limit.
void check_memory(double needed_bytes, double limit_bytes);

// Refuses the first negative entry, naming its place, its value and the remedy.
void require_nonnegative(const Block& block, const std::string& remedy);

}  // namespace gingham
