// Single-threaded pieces of the dense products: A is rows x cols with `stride` values from row to
// row. They work on the part they are given; products.cpp decides which parts there are.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham::dense {

// y_i = sum_j a_ij x_j
void row_dots(const double* a, Index stride, Index rows, Index cols, const double* x, double* y);

// The same where few x_j are not zero: those of `list`, with these factors.
void listed_dots(const double* a, Index stride, Index rows, const Index* list,
                 const double* factors, Index n_listed, double* y);

// y_j += sum_i u_i a_ij; rows with u_i = 0 are not read.
void add_rows(const double* a, Index stride, Index rows, Index cols, const double* u, double* y);

// row_dots and add_rows over the a_ij that are not NaN, with the sums of squares that belong to
// them: weight_i = sum_j x_j^2, and weight_j += sum_i u_i^2.
void row_dots_observed(const double* a, Index stride, Index rows, Index cols, const double* x,
                       double* y, double* weight);
void add_rows_observed(const double* a, Index stride, Index rows, Index cols, const double* u,
                       double* y, double* weight);

}  // namespace gingham::dense
