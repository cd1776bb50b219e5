// The weight of L1 by BIC.
//
// The entries of a factor come in units that share one value: single entries, or entries that
// fusion holds together. With d = z - x, unit j adds to the loss at x what its estimate without L1,
// z, does not have: H_j d^2 + 2 pull_j d, pull from neighbours that z is drawn to. At weight alpha
//
//   x_j = sign(z_j) ( |z_j| - alpha cost_j / H_j )_+ ,     zero from alpha_j = H_j |z_j| / cost_j
//   on
//
// cost_j: the sum of the weights of its entries in L1.
#pragma once
#include <vector>

#include "gingham/penalties/penalty.hpp"

namespace gingham::methods::rank_one {

struct Unit {
  double z = 0.0;
  double curvature = 1.0;  // H
  double cost = 1.0;
  double pull = 0.0;
};

// Which x the units that stay are taken with. Plain shrinkage shortens all of them by as much as
// the last that goes, which costs more than a few units too many: relaxed takes x = z.
enum class Bic { shrunk, relaxed };

// Of the weights alpha_j, which leave k units, and 0, which leaves all, that with the smallest
//   ( residual + sum_j (H_j d_j^2 + 2 pull_j d_j) ) / variance + k log(cells),          k >= 1
// `variance` is positive; `residual` is the residual sum of squares at x = z.
double l1_by_bic(const std::vector<Unit>& units, Bic bic, double residual, double variance,
                 double cells);
// The same of single entries without a pull; those with z = 0 are left out. cost empty: all 1.
double l1_by_bic(ConstVec z, Curvature h, ConstVec cost, Bic bic, double residual, double variance,
                 double cells);

}  // namespace gingham::methods::rank_one
