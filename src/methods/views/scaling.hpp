// --scale: how each view is prepared.
#pragma once
#include "gingham/engine/options.hpp"
#include "gingham/operators/prepared.hpp"

namespace gingham::methods::views {

OptionRecord scale_option(std::string initial = "standardize");
Scale scale_of(const Options& options);  // its value
bool is_centered(Scale scale);           // all but none

}  // namespace gingham::methods::views
