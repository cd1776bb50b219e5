// All singular triplets of a small square matrix:  B = P S Q^T.
//
// One-sided Jacobi rotations (Hestenes 1958): pairs of columns are turned until all are orthogonal.
// Accurate for small singular values too; O(n^3) per sweep, few sweeps where B is nearly diagonal.
#pragma once
#include <vector>

#include "gingham/data/matrix.hpp"

namespace gingham {

struct SmallSvd {
  Matrix p;               // n x n, row i is the i-th left singular vector
  std::vector<double> s;  // n values, falling
  Matrix q;               // n x n, row i is the i-th right singular vector
};

// `transposed` is B^T: its rows are the columns of B. Entries must be finite and of moderate size
// (squares of what matters neither overflow nor underflow). Left vectors of zero values complete
// the others to a basis.
SmallSvd small_svd(Matrix transposed);

}  // namespace gingham
