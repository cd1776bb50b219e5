// What is reported of two factors.
#pragma once
#include "gingham/engine/model.hpp"
#include "gingham/methods/nonnegative/solver.hpp"

namespace gingham::methods::nonnegative {

// W, H, memberships, components in order of what they explain; where no penalty fixes the scales
// the components have length 1 on the free side. With groups: group_norms and how many of them are
// zero.
Model report(const Solver<double>& solver, const Observed& data, Executor& executor);

std::vector<double> column_lengths(const Matrix& factor);

// Entries of a factor times the length of the other factor's column of that component.
Matrix weighted_by(const Matrix& factor, const Matrix& other);

}  // namespace gingham::methods::nonnegative
