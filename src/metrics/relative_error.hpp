// Relative squared error:  ||estimate - truth||^2 / ||truth||^2.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham {

// Entries whose truth is NaN are missing and left out. Where the rest of the truth is all zero: 0
// if the estimate is too, otherwise infinity. Safe against overflow and underflow of the squares.
// Throws Error{usage} where the lengths differ.
double relative_squared_error(ConstVec estimate, ConstVec truth);

}  // namespace gingham
