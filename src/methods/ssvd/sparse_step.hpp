// One half step of the sparse SVD: from the least-squares estimate z of a factor to its sparse
// version.
//
//   x_j = sign(z_j) ( |z_j| - lambda w_j )_+      w_j = |z_j|^-g  (g = 0: plain, w_j = 1)
//
// which minimises 0.5 ||z - x||^2 + lambda sum_j w_j |x_j|. All powers are taken of |z_j| / scale
// with scale = max |z_j|, so that no number over- or underflows: lambda = level * scale^(1+g).
#pragma once
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham::methods::ssvd {

// A penalty weight, kept so that it can be applied at any scale of the data.
struct Threshold {
  double level = 0.0;
  double scale = 1.0;

  double lambda(double exponent) const;  // level * scale^(1+g); may be infinite
  // lambda * w(z): by how much an entry with estimate z is shortened.
  double at(double z, double exponent) const;

  template <class Archive>
  void state(Archive& ar) {
    ar("level", level)("scale", scale);
  }
};

Threshold fixed_threshold(double lambda);
// The smallest threshold at which x = 0, times `share`
// (at |z_j| = scale the shrinkage is level * scale whatever the exponent, so that is level 1).
Threshold share_of_maximum(ConstVec z, double share);

// x (same size as z) from z and a threshold. Returns nothing else: x may be all zero.
void shrink(ConstVec z, const Threshold& threshold, double exponent, Vec x);

// The threshold that keeps the k largest |z_j|, k chosen by
//   BIC_k = (residual + ||z - x||^2) / variance + k log(cells),   k = 1 ... number of nonzero z_j
// and the sparse x that goes with it; survivors are decided by rank (lower index first among
// equals). `variance` is positive.
Threshold shrink_by_bic(ConstVec z, double exponent, double residual, double variance, double cells,
                        Vec x);

}  // namespace gingham::methods::ssvd
