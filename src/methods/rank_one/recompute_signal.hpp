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

}  // namespace gingham::methods::rank_one
