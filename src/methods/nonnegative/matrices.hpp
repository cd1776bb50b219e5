// Matrices turned and in the other precision.
#pragma once
#include "gingham/data/matrix.hpp"

namespace gingham::methods::nonnegative {

Matrix transposed(const Matrix& m);
MatrixF in_single(const Matrix& m);
inline const Matrix& in_double(const Matrix& m) { return m; }
Matrix in_double(const MatrixF& m);

}  // namespace gingham::methods::nonnegative
