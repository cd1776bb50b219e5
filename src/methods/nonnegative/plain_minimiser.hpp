// The minimiser of one column's problem with the rules of its side,
//
//   argmin over z of  sum_i ( h_i z_i^2 / 2 - b_i z_i ) + g(z),
//
// as plainly as can be: what single entries pay, the unit ball and groups by loops of their own.
#pragma once
#include "gingham/methods/nonnegative/rules.hpp"

namespace gingham::methods::nonnegative {

std::vector<long double> plain_minimiser(const SideRules& rules, const std::vector<long double>& b,
                                         const std::vector<long double>& h);

}  // namespace gingham::methods::nonnegative
