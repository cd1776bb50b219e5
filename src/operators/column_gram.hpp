// Sums over the rows of prepared matrices side by side, X, without gaps and terms.
#pragma once
#include "gingham/operators/prepared.hpp"

namespace gingham {

// Sums of squares of the columns of X_s / unit, good to a few digits: they precondition. Those of a
// sparse matrix from its entries: c_j^2 sum_i r_i^2 ((x_ij - m_j)^2 - m_j^2), and c_j^2 m_j^2 r_i^2
// for every row.
void add_column_squares(const PreparedMatrix& x, double unit, double* squares);

// Whether X^T X is worth forming: dense matrices with few columns.
bool has_column_gram(const Dataset& data);
// X^T X / unit^2, d x d.
Matrix column_gram(const std::vector<PreparedMatrix>& matrices, Index d, double unit);

}  // namespace gingham
