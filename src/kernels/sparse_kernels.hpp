// Single-threaded pieces of the sparse products: rows begin ... end-1 of a matrix in compressed
// rows, whose entries these pointers say: those of the matrix, or of parts of its rows.
#pragma once
#include "gingham/data/sparse_matrix.hpp"

namespace gingham::sparse {

// y_i = sum_j a_ij x_j for begin <= i < end; y is the whole result.
void row_dots(const SparseMatrix& a, const Index* pointers, Index begin, Index end, const double* x,
              double* y);

// Y_i = sum_j a_ij X_j. Rows of X are `stride` values apart, a multiple of kThinUnit<T>, of which
// the first k count; the others must be readable and finite or not matter. Rows of Y have k values.
template <class T>
inline constexpr Index kThinUnit = 32 / sizeof(T);
void thin_rows(const SparseMatrix& a, const Index* pointers, Index begin, Index end,
               const double* x, Index stride, Index k, double* y);
void thin_rows(const SparseMatrix& a, const Index* pointers, Index begin, Index end, const float* x,
               Index stride, Index k, float* y);

}  // namespace gingham::sparse
