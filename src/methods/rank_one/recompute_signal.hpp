// The fused problem of one item over time, by the plainest dynamic programme there is:
//
//   min_x  sum_i (h_i x_i^2 / 2 - b_i x_i + alpha_i |x_i|) + gamma sum_i |x_i+1 - x_i|
//
// The derivative of the best cost up to time i, as a function of x_i, is piecewise linear and
// rising. It is kept as a list of its corners; passing on to the next time clips it to +-gamma.
#pragma once
#include <vector>

namespace gingham::methods::rank_one {

std::vector<long double> plain_fused(const std::vector<long double>& h,
                                     const std::vector<long double>& b,
                                     const std::vector<long double>& alpha, long double gamma);

// The smallest gamma at which that solution is constant (value 0 or not), given that constant.
long double plain_fusion_bound(const std::vector<long double>& h, const std::vector<long double>& b,
                               long double alpha, long double constant);

// The duality gap, summed over items, before each of so many gradient steps on the dual of the
// problems with h = 1 and alpha = 0 (b: per time, per item): w <- clip(w + F v / lambda_max,
// +-gamma) from w = 0, v = b - F'w. From where it is within `share` of max(1, |b|^2 / 2) it stays.
std::vector<long double> plain_dual_gaps(const std::vector<std::vector<long double>>& b,
                                         long double gamma, long double share, long n_steps);

}  // namespace gingham::methods::rank_one
