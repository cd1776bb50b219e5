// Some rows of a matrix turned into lines, one per column, and back: the form in which a loop over
// rows runs along the lanes of a vector.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham {

// lines[c * stride + r] = rows[items[r] * k + c] for r < n, c < k.
void rows_to_lines(const double* rows, Index k, const Index* items, Index n, double* lines,
                   Index stride);
void rows_to_lines(const float* rows, Index k, const Index* items, Index n, float* lines,
                   Index stride);
void rows_to_lines(const float* rows, Index k, const Index* items, Index n, double* lines,
                   Index stride);

// rows[items[r] * k + c] = lines[c * stride + r].
void lines_to_rows(const double* lines, Index stride, Index k, const Index* items, Index n,
                   double* rows);
void lines_to_rows(const float* lines, Index stride, Index k, const Index* items, Index n,
                   float* rows);
void lines_to_rows(const double* lines, Index stride, Index k, const Index* items, Index n,
                   float* rows);

}  // namespace gingham
