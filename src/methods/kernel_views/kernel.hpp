// Kernels of the rows of one view (X_s, rows x_i; operators/preparation.hpp):
//
//   linear    K_ij = x_i . x_j
//   gaussian  K_ij = exp(-||x_i - x_j||^2 / (2 w^2)),  w: a number, or a share of the median
//             distance between two rows (of the positive ones where that is 0; 1 where all are 0)
//
// n x n values (operators/row_gram.hpp).
#pragma once
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::kernel_views {

enum class KernelKind { gaussian, linear };

// --scale, --kernel, --width. Columns are only centred unless told otherwise, as published: the
// width brings each view to its own scale.
std::vector<OptionRecord> kernel_options();
KernelKind kernel_of(const Options& options);
// Throws Error{usage} for widths that are not above 0 or do not match the number of views.
void check_widths(const Dataset& data, const Options& options);
// The width of one view: one for all, or one for each.
const PenaltyValue& width_of(const Options& options, Index view);

struct Kernel {
  Matrix values;       // n x n, symmetric to the bit
  double width = 0.0;  // w; 0 for linear
  int exponent = 0;    // of a linear kernel: it is values * 4^exponent; keeps products finite
};

// `pause` is called between pieces of work and may throw. Error{input} where squares overflow.
Kernel make_kernel(const PreparedMatrix& view, KernelKind kind, const PenaltyValue& width,
                   FunctionRef<void()> pause);

// The element of this rank (from 0) among the values below the diagonal, all of them at least 0.
double select_below_diagonal(const Matrix& x, Index rank, Executor& executor);

// Bytes beside the kernel itself.
double kernel_bytes(const Block& view);

}  // namespace gingham::methods::kernel_views
