// G = X^T X for a thin X (rows x k). G is k x k, symmetric to the bit, and
// made anew where its shape is not right. Sums over fixed blocks of rows along a fixed tree.
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham {

void gram(const Matrix& x, Matrix& g, Executor& executor);
void gram(const MatrixF& x, MatrixF& g, Executor& executor);

}  // namespace gingham
