// What the models of multilinear methods have in common.
#pragma once
#include <optional>
#include <string>

#include "gingham/engine/context.hpp"
#include "gingham/engine/model.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/multilinear/solver.hpp"

namespace gingham::methods::multilinear {

// For MethodInfo::derive: the observations of the block.
Derived derive(const Dataset& data, const Options& options, Context& ctx);

// Components by what the model loses without each, the most first.
std::vector<Index> by_explained(const Solver& solver);

// Members of every mode (rows and columns of a matrix, mode_0, mode_1 ... otherwise) and the
// factors as arrays mode_<n>.
void add_factors(const Factors& factors, bool is_matrix, Model& model);

// Why every model of these data is empty, in a sentence; nothing where there is something to find.
// `for_negative`: what to do where no value is above 0 and the factors have no signs.
std::optional<std::string> nothing_to_find(const Observed& data, bool is_signed,
                                           const std::string& for_negative);

}  // namespace gingham::methods::multilinear
