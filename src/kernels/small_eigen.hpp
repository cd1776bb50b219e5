// Symmetric matrices that are small, or of low rank, decomposed whole.
#pragma once
#include <vector>

#include "gingham/data/matrix.hpp"

namespace gingham {

struct SmallEigen {
  std::vector<double> values;  // n, falling
  Matrix vectors;              // n x n, orthonormal columns
};

// Of the symmetric part of a square matrix.
SmallEigen small_eigenpairs(const Matrix& a);

// The k leading eigenvectors, n x k with orthonormal columns, of (A B^T + B A^T) / 2 given [A B],
// n x 2w, by a QR decomposition: with [A B] = Q R they are Q times those of the small
// R J R^T, J = [0 I; I 0] / 2. Empty where fewer than k eigenvalues are positive or n <= 2w.
Matrix low_rank_eigenvectors(const Matrix& both, Index k);

}  // namespace gingham
