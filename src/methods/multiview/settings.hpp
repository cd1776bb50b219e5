// Options of multiview that more than one file goes by.
#pragma once
#include "gingham/engine/options.hpp"
#include "gingham/methods/multiview/cocluster.hpp"

namespace gingham::methods::multiview {

// --weights: of one view; 1 where not given, the same for all where one was given.
double weight_of(const Options& options, std::size_t view);

// --gamma and --palm.
Palm palm_of(const Options& options);

// --sign: whether u >= 0; auto: for scales that centre, but not with --palm literal.
bool has_one_sign(const Options& options);

}  // namespace gingham::methods::multiview
