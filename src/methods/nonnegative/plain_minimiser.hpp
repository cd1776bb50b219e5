// The minimiser of one column of a factor, by plain loops in extended precision.
#pragma once
#include <vector>

#include "gingham/methods/nonnegative/rules.hpp"

namespace gingham::methods::nonnegative {

// argmin over z >= 0 of 1/2 sum_i d_i (z_i - p_i)^2 and what the rules ask of a column (ridge and
// cross are part of d and p). Entries with d_i = 0 are 0.
std::vector<long double> plain_minimiser(const SideRules& rules, std::vector<long double> p,
                                         const std::vector<long double>& d);

}  // namespace gingham::methods::nonnegative
