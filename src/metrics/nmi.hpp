// Normalised mutual information of two labelings:  I(a, b) / sqrt(H(a) H(b)),
//
//   I = sum_ij p_ij log(p_ij / (p_i p_j)),    H = -sum_i p_i log p_i.
//
// In [0, 1]. Both with a single class: 1; only one of them: 0.
#pragma once
#include <span>

#include "gingham/base/index.hpp"

namespace gingham {

// Throws Error{usage} where the lengths differ or there are no labels.
double nmi(std::span<const Index> a, std::span<const Index> b);

}  // namespace gingham
