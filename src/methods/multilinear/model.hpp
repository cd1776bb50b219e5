// What the models of multilinear methods have in common.
#pragma once
#include "gingham/engine/model.hpp"
#include "gingham/methods/multilinear/solver.hpp"

namespace gingham::methods::multilinear {

// Components by what is lost without each, the most first.
std::vector<Index> by_explained(const Solver& solver);

// Members of every mode (rows and columns of a matrix, mode_0, mode_1 ... otherwise) and the
// factors as arrays mode_<n>.
void add_factors(const Factors& factors, bool is_matrix, Model& model);

}  // namespace gingham::methods::multilinear
