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
// --penalty MODE=...: the penalties in place of what the rules say; the factor of a mode without a
// cost lies in the unit ball where the other has one.
void set_asked(const Dataset& data, const Options& options, Problem& problem);
// What new items of a mode are asked: the rules given, or the penalty of that mode with the numbers
// of the fit. Groups that it names have no new items.
SideRules asked_of_new(const Options& options, const Model& fitted, Index mode, SideRules rules);
// --penalty, where it is one of the method's own words; empty where it is MODE=...
std::string penalty_word(const Options& options);
// Refuses what makes no sense. own: the method's own option for each mode where it is used.
void check_asked(const Dataset& data, const Options& options, const std::vector<std::string>& own);
// Refuses a rank that is no whole number, or far more than the data can tell apart.
void check_rank(const Dataset& data, const Options& options);
// Refuses an --alpha with which rescaling the factors would lower the objective for ever, the other
// factor having a penalty or not.
void check_scales(const Options& options, bool has_penalty);

}  // namespace gingham::methods::nonnegative
