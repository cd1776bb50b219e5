// What the options of groupnmf ask for on given data.
#pragma once
#include "gingham/methods/nonnegative/factorization.hpp"

namespace gingham::methods::groupnmf {

// Throws Error{input} or Error{usage} where group files do not fit the data or each other.
nonnegative::Problem problem_of(const Dataset& data, const Options& options);
// The groups in the order of group_norms' rows; none where the file of groups is not at hand.
std::vector<std::string> group_names(const Options& options);
// What the options ask of the factor of one side, whatever the items of it are.
nonnegative::SideRules rules_for_new(const Options& options, Index mode);

}  // namespace gingham::methods::groupnmf
