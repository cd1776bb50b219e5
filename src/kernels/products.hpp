// Products with matrices, dense and sparse, and with what is missing left out.
//
// A is rows x cols. Every function overwrites its results, cuts the work into fixed blocks and adds
// partial sums along a fixed tree: the same bits for any number of threads. Results must not overlap
// the inputs. Vectors must have the right sizes (Error{internal}); result matrices are made anew
// where their shape is not right. Values are used as they are: a NaN spreads, except where a
// function says otherwise; what is multiplied by a vector's zero may not be read at all.
#pragma once
#include "gingham/base/function_ref.hpp"
#include "gingham/base/parallel.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham {

// y = A x; x has cols entries, y has rows. A block must be a matrix, Error{internal} otherwise.
void multiply(const Matrix& a, ConstVec x, Vec y, Executor& executor);
void multiply(const SparseMatrix& a, ConstVec x, Vec y, Executor& executor);
void multiply(const Block& a, ConstVec x, Vec y, Executor& executor);

// y = A^T x; x has rows entries, y has cols. A sparse A is read through its transpose.
void multiply_transposed(const Matrix& a, ConstVec x, Vec y, Executor& executor);
void multiply_transposed(const SparseMatrix& a, ConstVec x, Vec y, Executor& executor);
void multiply_transposed(const Block& a, ConstVec x, Vec y, Executor& executor);
// Bytes that this takes beyond the block itself, once made: the transpose of a sparse one.
double transposed_bytes(const Block& a);

// make_u(row_begin, row_end, av_part, u_part) fills u for these rows from av = A v of the same
// rows. It is called for every row once, for parts in no given order and perhaps at the same time;
// what it computes for a row must not depend on how the rows are cut into parts.
using MakeU = FunctionRef<void(Index, Index, ConstVec, Vec)>;

// av = A v, u = make_u(av) and atu = A^T u in one pass over A.
void sweep(const Matrix& a, ConstVec v, MakeU make_u, Vec av, Vec atu, Executor& executor);

// Y = A X for a thin X (cols x k); Y is rows x k.
void multiply(const Matrix& a, const Matrix& x, Matrix& y, Executor& executor);
void multiply(const MatrixF& a, const MatrixF& x, MatrixF& y, Executor& executor);
void multiply(const SparseMatrix& a, const Matrix& x, Matrix& y, Executor& executor);
void multiply(const SparseMatrix& a, const MatrixF& x, MatrixF& y, Executor& executor);
void multiply(const Block& a, const Matrix& x, Matrix& y, Executor& executor);

// Y = A^T X for a thin X (rows x k); Y is cols x k.
void multiply_transposed(const Matrix& a, const Matrix& x, Matrix& y, Executor& executor);
void multiply_transposed(const MatrixF& a, const MatrixF& x, MatrixF& y, Executor& executor);
void multiply_transposed(const SparseMatrix& a, const Matrix& x, Matrix& y, Executor& executor);
void multiply_transposed(const SparseMatrix& a, const MatrixF& x, MatrixF& y, Executor& executor);
void multiply_transposed(const Block& a, const Matrix& x, Matrix& y, Executor& executor);

// With a weight 0 for what is missing:
//   y_i = sum over observed (i, j) of a_ij x_j,   weight_i = sum over observed (i, j) of x_j^2.
// A NaN is missing in every kind of block. Unlisted cells of a sparse block are observed zeros or
// missing, as the block says; where they are observed, weight_i is |x|^2 less the listed NaNs of
// row i, or the direct sum where that difference would cancel. x must be finite.
void multiply_observed(const Matrix& a, ConstVec x, Vec y, Vec weight, Executor& executor);
void multiply_observed(const Block& a, ConstVec x, Vec y, Vec weight, Executor& executor);
// The same for A^T: y_j = sum over observed (i, j) of a_ij x_i, weight_j = sum of x_i^2.
void multiply_transposed_observed(const Matrix& a, ConstVec x, Vec y, Vec weight,
                                  Executor& executor);
void multiply_transposed_observed(const Block& a, ConstVec x, Vec y, Vec weight,
                                  Executor& executor);

}  // namespace gingham
