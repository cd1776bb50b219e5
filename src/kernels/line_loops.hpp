// Single-threaded loops over lines: values of items side by side, one line per component, `stride`
// apart. q: K x K, symmetric.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham::lines {

inline constexpr Index kTogether = 4;  // lines whose sums are taken side by side, at most

// pull[b] = y[b] - sum over l < n_explaining outside [first, first + n) of q_l,first+b f[l], for
// b < n <= kTogether and the items [begin, end). f holds all lines, y and pull those from `first`.
void pulls(const double* q, Index rank, Index first, Index n, Index n_explaining, const double* f,
           const double* y, Index stride, Index begin, Index end, double* pull);

// out = pull - sum over l in [first, first + n), not k, of q_lk f[l]
void take_away(const double* pull, const double* f, Index stride, const double* q, Index rank,
               Index first, Index n, Index k, Index begin, Index end, double* out);

// out[k] = y[k] - sum_l q_lk f[l] for all lines
void residuals(const double* q, Index rank, const double* f, const double* y, Index stride,
               Index begin, Index end, double* out);

// sum of (a - b)^2
double change_squares(const double* a, const double* b, Index begin, Index end);

}  // namespace gingham::lines
