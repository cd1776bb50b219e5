// Y = factor^2 S X for a thin X in one pass over a dense matrix A (rows x cols), S = A^T A or,
// where that is smaller, A A^T; and the product that leads from one side to the other.
//
//   A = P - L R^T          L: rows x t, R: cols x t
//
// P is given in pieces, so that it need not lie in memory as it is meant: a piece is used for both
// products while it is in the cache. Fixed blocks, sums along a fixed tree: the same bits for any
// number of threads.
#pragma once
#include "gingham/base/function_ref.hpp"
#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"
#include "gingham/data/sparse_matrix.hpp"

namespace gingham {

// Cells of consecutive rows, `stride` values from row to row.
struct Piece {
  const double* cells;
  Index stride;
};

// What of P lies in `rows` rows from `row` on and `cols` columns from `column` on: where it is, or
// formed in `room`, which has rows * cols values. It may be asked from several threads at a time.
using PieceOf = FunctionRef<Piece(Index row, Index rows, Index column, Index cols, double* room)>;

struct DenseParts {
  Index rows, cols;
  PieceOf piece;
  const Matrix* left = nullptr;  // L and R; none where t is 0
  const Matrix* right = nullptr;
  // Of S = A^T D A (A D A^T): D, an entry for each item of the side that X is not of; none: all 1.
  const double* weights = nullptr;
};

// X: cols x k where cols <= rows, rows x k otherwise; so is Y, made anew where its shape is not
// right.
void multiply_squared(const DenseParts& a, const Matrix& x, double factor, Matrix& y,
                      Executor& executor);

// The same of a sparse matrix, Y = factor^2 B^T B X: row by row of B, whatever their number.
void multiply_squared(const SparseMatrix& b, const Matrix& x, double factor, Matrix& y,
                      Executor& executor);

// The other side of the same X: A X where cols <= rows, A^T X otherwise.
void multiply_across(const DenseParts& a, const Matrix& x, Matrix& y, Executor& executor);

}  // namespace gingham
