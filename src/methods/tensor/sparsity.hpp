// The penalties of a tensor fit as numbers, one per mode.
#pragma once
#include "gingham/engine/options.hpp"
#include "gingham/methods/multilinear/start.hpp"

namespace gingham::methods::tensor {

// The lambda of each mode that `--sparsity` asks for, with the bounds of `problem`:
//   a number      itself
//   a percentage  of the value where nothing is left.
//                 Box: 2 rho_max max_i (sum over slice i of x+), where no step leaves anything.
//                 Plain: S/2 (4 max x / S)^(1/N), S the sum of the x+^2. Where every entry is its
//                 own minimiser, lambda |a_k^(n)|_1 = 2 <X - M, M_k> in each mode; with t the sum
//                 of the |M_k|_1 that makes lambda t^(1/N) <= 2 <X - M, M> <= min(2 t max x, S/2).
//                 x+: the positive part of x, with signs its magnitude.
//   paper         0.1 % of 2 rho_max prod_{m != n} expected_m max_i |slice i|_2
//   auto          sigma/2 sqrt(2 ln I_n) median_k rho_k prod_{m != n} |a_k^(m)|_2, from the
//                 balanced least-squares fit, whose root mean square residual is sigma
// A mode of size 1 has lambda 0.
// `plain_fit` is the least-squares fit, needed for auto alone.
std::vector<double> resolve_sparsity(const Observed& data, const Options& options,
                                     const multilinear::Problem& problem,
                                     const multilinear::Factors& plain_fit, Executor& executor);

// Whether any of them is `word`.
bool asks_for(const Options& options, std::string_view word);
// The numbers of `--expect`, one per mode; percentages are shares of the items.
std::vector<double> expected_sizes(const Shape& shape, const Options& options);

}  // namespace gingham::methods::tensor
