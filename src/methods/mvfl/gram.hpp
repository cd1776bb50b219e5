// Sums over the rows of the views side by side, X.
#pragma once
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::mvfl {

// Sums of squares of the columns of X / unit, good to a few digits: they precondition. Those of a
// sparse view from its entries: c_j^2 sum_i r_i^2 ((x_ij - m_j)^2 - m_j^2), and c_j^2 m_j^2 r_i^2
// for every row.
void add_column_squares(const views::ScaledView& view, double unit, double* squares,
                        Executor& executor);

// Whether X^T X is worth forming: dense views with few columns.
bool has_gram(const Dataset& data);
// X^T X for the views side by side, over unit^2.
Matrix gram_of(const std::vector<views::ScaledView>& views, Index d, double unit,
               Executor& executor);

}  // namespace gingham::methods::mvfl
