// Single-threaded pieces of dense products with thin matrices (few columns), where a general matrix
// product wastes most of its effort on packing. T is double or float.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham::thin {

// Columns of a packed matrix are a multiple of this; see pack().
template <class T>
inline constexpr Index kUnit = 32 / sizeof(T);
template <class T>
constexpr Index packed_width(Index k) {
  return (k + kUnit<T> - 1) / kUnit<T> * kUnit<T>;
}

// Y_rc += sum_t a[r * row_step + t * sum_step] X_tc for r < rows, t < n, c < k, in one order of
// adding for given sizes. Rows of X lie `x_stride` values apart, packed: at least packed_width(k),
// zeros behind k. Rows of Y lie y_stride apart.
void tiles(const double* a, Index row_step, Index sum_step, Index rows, Index n, const double* x,
           Index x_stride, Index k, double* y, Index y_stride);
void tiles(const float* a, Index row_step, Index sum_step, Index rows, Index n, const float* x,
           Index x_stride, Index k, float* y, Index y_stride);

// Yt_cj += sum_i a_ij x_ic for i < rows, j < cols, c < k: A^T X, transposed, so that the lanes run
// along the columns of A and any k is used in full. Rows of Yt lie yt_stride apart, at least
// column_room(cols); what is behind cols in them is overwritten.
template <class T>
constexpr Index column_room(Index cols) {
  return (cols + 2 * kUnit<T> - 1) / (2 * kUnit<T>)*(2 * kUnit<T>);
}
void columns(const double* a, Index stride, Index rows, Index cols, const double* x, Index x_stride,
             Index k, double* yt, Index yt_stride);
void columns(const float* a, Index stride, Index rows, Index cols, const float* x, Index x_stride,
             Index k, float* yt, Index yt_stride);

}  // namespace gingham::thin
