// Products of the rows of a prepared matrix with each other, without gaps and terms.
#pragma once
#include "gingham/base/function_ref.hpp"
#include "gingham/operators/prepared.hpp"

namespace gingham {

// G = X_s X_s^T / 4^exponent: by tiles of rows through BLAS, or by sparse products. `pause` is
// called between pieces of work and may throw.
Matrix gram_of_rows(const PreparedMatrix& x, int exponent, FunctionRef<void()> pause);

// G becomes g_ii + g_jj - 2 g_ij, the squared distances of the rows; those that cancel are summed
// from the differences, so that equal rows have exactly 0.
void to_row_distances(const PreparedMatrix& x, int exponent, Matrix& g);

// Rows of similar work below the diagonal of n x n values: row i has i there.
Partition below_diagonal(Index n);

// Bytes for buffers.
double row_gram_bytes(const Block& x);

}  // namespace gingham
