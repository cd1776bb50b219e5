// Options that nmf and groupnmf have in common, and what is asked of them together.
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/methods/nonnegative/rules.hpp"

namespace gingham::methods::nonnegative {

Traits common_traits();
// The method's own options between --rank and the start.
std::vector<OptionRecord> with_common(std::vector<OptionRecord> own);
OptionRecord alpha_option(const std::string& factor);
std::vector<ArrayInfo> common_arrays();

// --alpha: the unit ball, or a ridge.
void set_scale_rule(const Options& options, SideRules& rules);
// Refuses a rank that is no whole number, or far more than the data can tell apart.
void check_rank(const Dataset& data, const Options& options);
// Refuses --alpha together with a penalty `beta` on the other factor when rescaling the factors
// would lower the objective for ever.
void check_scales(const Options& options, double beta);

double peak_bytes(const Dataset& data, const Options& options);

}  // namespace gingham::methods::nonnegative
