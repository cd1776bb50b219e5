// The leading k singular triplets of a matrix that is known only by its products.
//
//   A v_i = s_i u_i,  A^T u_i = s_i v_i,  s_1 >= s_2 >= ... >= s_k >= 0          (A is rows x cols)
//
// Golub-Kahan-Lanczos bidiagonalisation with full reorthogonalisation and thick restart (Golub and
// Kahan 1965; Baglama and Reichel 2005). Cost: one product with A and one with A^T per step, and
// O(rows + cols) times the size of the basis (about 2k + 20) for keeping the bases orthogonal.
#pragma once
#include <functional>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham {

// A matrix given by its products. Both functions overwrite all of y and must not keep x or y.
struct LinearOperator {
  Index rows = 0;
  Index cols = 0;
  std::function<void(ConstVec x, Vec y)> apply;             // y = A x
  std::function<void(ConstVec x, Vec y)> apply_transposed;  // y = A^T x
};

struct Svd {
  Matrix u;               // rows x k, orthonormal columns
  std::vector<double> s;  // k values, falling
  Matrix v;               // cols x k, orthonormal columns
  bool converged = false;
};

// Requires 0 <= k <= min(rows, cols); throws Error{usage} otherwise, and Error{input} when a
// product is not finite. `converged` says that the residuals ||A v - s u|| and ||A^T u - s v|| are
// at most tolerance * s_1 for every triplet; when it is false they are the best that could be
// reached.
//
// Where the rank is below k the remaining s are zero (to rounding) and their u and v complete the
// others to orthonormal systems. The sign: the entry of largest magnitude of each v (the first of
// them) is positive. Repeated values are found as often as they occur: once converged, a random
// direction orthogonal to what was found is followed for a few steps, and the search goes on if it
// shows something larger than s_k. Neither the data's scale nor the number of threads matters; all
// randomness comes from rng.
Svd truncated_svd(const LinearOperator& a, Index k, Rng rng, double tolerance = 1e-12);

}  // namespace gingham
