// One row of a factor, everything else fixed:
//
//   min over low <= a <= high   a^T Q a - 2 a^T y + lambda sum_k |a_k|      Q: K x K, positive
//   semidefinite
//
// With the others fixed the best a_k is  clip(soft(y_k - sum_{j != k} Q_kj a_j, lambda/2) / Q_kk),
// and 0 where Q_kk is 0. The gap is sqrt(sum_k Q_kk (a_k - best a_k)^2) / |x|: how much of the
// slice x a coordinate could still move the model by.
#pragma once
#include <vector>

#include "gingham/data/matrix.hpp"

namespace gingham::methods::tensor {

struct RowProblem {
  const Matrix& q;
  ConstVec y;
  double lambda = 0.0;
  double low = 0.0, high = 1.0;  // low <= 0 <= high; may be infinite
  double norm = 0.0;             // of the observed values
};

// Cyclic coordinate descent over the coordinates where `may_differ` is not 0, from the a given;
// returns the gap reached, over these coordinates. Stops at `tolerance` or after `max_passes`.
double minimise_row(const RowProblem& problem, const std::vector<char>& may_differ,
                    double tolerance, Index max_passes, Vec a);

// a^T Q a - 2 a^T y.
double fit_of_row(const RowProblem& problem, ConstVec a);

}  // namespace gingham::methods::tensor
