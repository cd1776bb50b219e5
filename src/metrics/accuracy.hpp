// Clustering accuracy: the share of items whose class is right when found classes are matched one
// to one with true ones in the best way (an assignment problem on the table of intersections).
#pragma once
#include <span>

#include "gingham/base/index.hpp"

namespace gingham {

// Throws Error{usage} where the lengths differ or there are no labels, and where the numbers of
// classes multiply to more than 2^24: such labels are not classes.
double accuracy(std::span<const Index> found, std::span<const Index> truth);

}  // namespace gingham
