// Whether numbers are numbers.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham {

bool is_finite(ConstVec x);              // every x_i
bool is_finite_nonnegative(ConstVec x);  // and at least 0

}  // namespace gingham
