// Matrices turned and in the other precision.
#pragma once
#include "gingham/data/matrix.hpp"

namespace gingham {

// `turned` is made anew where its shape is not right.
void transpose(const Matrix& m, Matrix& turned);
void transpose(const MatrixF& m, Matrix& turned);
Matrix transposed(const Matrix& m);
MatrixF in_single(const Matrix& m);
inline const Matrix& in_double(const Matrix& m) { return m; }
Matrix in_double(const MatrixF& m);

}  // namespace gingham
