// Single-threaded loops over the rows of a dense matrix that is centred as its cells are read.
#pragma once
#include "gingham/data/matrix.hpp"

namespace gingham::centered {

// y_i = sum_j (a_ij - m_j) w_j for begin <= i < end; the same bits however the rows are cut.
void row_dots(const Matrix& a, const double* m, const double* w, Index begin, Index end, double* y);

// y_j += sum over begin <= i < end of (a_ij - m_j) t_i; rows with t_i = 0 are not read.
void add_rows(const Matrix& a, const double* m, const double* t, Index begin, Index end, double* y);

// out_j = (a_j - m_j) c_j r for n cells; a missing one stays missing.
void prepare(const double* a, const double* m, const double* c, double r, Index n, double* out);

}  // namespace gingham::centered
