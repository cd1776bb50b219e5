// Rows and columns of a matrix in any storage as plain values, unlisted cells as 0 or NaN as the
// block means them.
#pragma once
#include <span>

#include "gingham/data/dataset.hpp"

namespace gingham {

// Rows first ... first + count - 1, row by row, into `out` of count * columns values. A value
// beyond what a float holds is Error{input}; what is not a matrix, rows that are not there and an
// `out` of another size are Error{internal}. May be called by several threads at once.
void copy_rows(const Block& block, Index first, Index count, std::span<double> out);
void copy_rows(const Block& block, Index first, Index count, std::span<float> out);

// Columns first ... first + count - 1, each one contiguous, into `out` of count * rows values. The
// same errors, and Error{internal} for a matrix whose rows are read when needed.
void copy_columns(const Block& block, Index first, Index count, std::span<double> out);
void copy_columns(const Block& block, Index first, Index count, std::span<float> out);

}  // namespace gingham
