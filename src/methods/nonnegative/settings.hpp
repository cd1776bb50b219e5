// Options that nmf and groupnmf have in common, and what is asked of them together.
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/methods/nonnegative/factorization.hpp"

namespace gingham::methods::nonnegative {

// The record of a method with what follows from its problem filled in.
MethodInfo with_core(MethodInfo own, MakeProblem make_problem);
// The method's own options between --rank and the start.
std::vector<OptionRecord> with_common(std::vector<OptionRecord> own);
OptionRecord alpha_option(const std::string& factor);
std::vector<ArrayInfo> common_arrays();
std::vector<PanelInfo> common_panels();

// --alpha: the unit ball, or a ridge.
void set_scale_rule(const Options& options, SideRules& rules);
// Refuses a rank that is no whole number, or far more than the data can tell apart.
void check_rank(const Dataset& data, const Options& options);
// Refuses an --alpha with which rescaling the factors would lower the objective for ever, the other
// factor having a penalty or not.
void check_scales(const Options& options, bool has_penalty);

}  // namespace gingham::methods::nonnegative
