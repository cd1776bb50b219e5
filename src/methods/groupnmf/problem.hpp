// What the options of groupnmf ask for on given data.
#pragma once
#include "gingham/methods/nonnegative/factorization.hpp"

namespace gingham::methods::groupnmf {

// Throws Error{input} or Error{usage} where group files do not fit the data or each other.
nonnegative::Problem problem_of(const Dataset& data, const Options& options);

}  // namespace gingham::methods::groupnmf
