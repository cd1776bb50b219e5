// The penalties of a tensor fit as numbers, one per mode.
#pragma once
#include "gingham/engine/options.hpp"
#include "gingham/methods/multilinear/start.hpp"

namespace gingham::methods::tensor {

// The lambda of each mode that `--sparsity` asks for, with the bounds of `problem`:
//   a number      itself
//   a percentage  0 here: of the start, see resolve_percentages
//   paper         0.1 % of 2 rho_max prod_{m != n} expected_m max_i |slice i|_2
//   auto          sigma/2 sqrt(2 ln I_n) median_k rho_k prod_{m != n} |a_k^(m)|_2, from the
//                 balanced least-squares fit, whose root mean square residual is sigma
// A mode of size 1 has lambda 0.
// `plain_fit` is the least-squares fit, needed for auto alone.
std::vector<double> resolve_sparsity(const Observed& data, const Options& options,
                                     const multilinear::Problem& problem,
                                     const multilinear::Factors& plain_fit, Executor& executor);

// Per mode the smallest lambda at which an update from this start leaves nothing:
//   2 max_ik rho_k (X0 times the columns k of the other modes)_i          magnitudes with signs
std::vector<double> smallest_zeros(const Observed& data, const multilinear::Problem& problem,
                                   const multilinear::Factors& start, Executor& executor);
// Percentages of those, with the start balanced as for one lambda in all modes (`start` becomes
// that from column `first` on), as lambda of `problem`. Returns what 100 % is per mode, NaN where
// nothing was asked in per cent.
std::vector<double> resolve_percentages(const Observed& data, const Options& options, Index first,
                                        multilinear::Factors& start, multilinear::Problem& problem,
                                        Executor& executor);
bool has_percentages(const Options& options);

// Whether any of them is `word`.
bool asks_for(const Options& options, std::string_view word);
// The numbers of `--expect`, one per mode; percentages are shares of the items.
std::vector<double> expected_sizes(const Shape& shape, const Options& options);

}  // namespace gingham::methods::tensor
