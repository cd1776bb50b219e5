// All columns of thin matrices at once, one row after the other.
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham {

// Per column k of y sum_i y(i, k) f(i, first + k); f has first + y.cols() columns.
std::vector<double> column_products(const Matrix& y, const Matrix& f, Index first,
                                    Executor& executor);
std::vector<double> column_products(const MatrixF& y, const MatrixF& f, Index first,
                                    Executor& executor);

// m(i, k) <- m(i, k) by[k], at least `low` and at most `high`.
void scale_columns(ConstVec by, double low, double high, Matrix& m, Executor& executor);
void scale_columns(ConstVec by, double low, double high, MatrixF& m, Executor& executor);

}  // namespace gingham
