// Sums over the observed cells of X ~ A B^T without differences that cancel. No work over rows x
// columns but where X is dense.
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/methods/nonnegative/observations.hpp"

namespace gingham::methods::nonnegative {

// 1/2 sum (X - A B^T)^2. Dense: of the residuals. Sparse: of the residuals of the listed cells, and
// of the squares of the model in the others, |model|^2 less what is listed or missing, row by row;
// where little of that is left, what is left is summed itself (RunGrams).
double observed_loss(const Observations& data, const Matrix& a, const Matrix& b,
                     Executor& executor);

// Per component k, M_k = a_k b_k^T, R = X - A B^T: sum M_k (2 R + M_k), by how much the squares of
// R rise without M_k.
std::vector<double> lost_without(const Observations& data, const Matrix& a, const Matrix& b,
                                 Executor& executor);

}  // namespace gingham::methods::nonnegative
