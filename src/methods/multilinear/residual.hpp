// What a multilinear model leaves of each cell.
#pragma once
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/dataset.hpp"
#include "gingham/methods/multilinear/factors.hpp"

namespace gingham::methods::multilinear {

// sum over observed cells of (value_scale x - M)^2, summed from residuals: exact also near a
// perfect fit, where |X|^2 - 2 <X, M> + |M|^2 is rounding.
//
// Where unlisted cells are zeros: the sum over the listed ones, and |M|^2 less the sum of m^2 over
// the listed, in two doubles where that cancels; work for the listed cells and the factors alone.
double residual_squares(const Block& block, const Factors& factors, double value_scale,
                        Executor& executor);

// Where the model leaves most of an observed cell that is listed, with signs the largest magnitude;
// empty where nothing above 0 is left.
std::vector<Index> largest_residual(const Block& block, const Factors& factors, bool is_signed,
                                    Executor& executor);
// Per mode what is left of the cells through that place: 0 where they are missing or not listed.
std::vector<std::vector<double>> residual_fibres(const Block& block, const Factors& factors,
                                                 const std::vector<Index>& through,
                                                 Executor& executor);

}  // namespace gingham::methods::multilinear
