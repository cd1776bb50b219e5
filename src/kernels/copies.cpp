#include "gingham/kernels/copies.hpp"

#include <algorithm>

namespace gingham {
namespace {

constexpr Index kTile = 16;  // square pieces that stay in cache on both sides

template <class T>
void turn(const DenseMatrix<T>& m, Matrix& out) {
  if (out.rows() != m.cols() || out.cols() != m.rows()) out = Matrix(m.cols(), m.rows());
  for (Index top = 0; top < m.rows(); top += kTile) {
    const Index bottom = std::min(top + kTile, m.rows());
    for (Index k = 0; k < m.cols(); ++k) {
      double* line = out.data() + k * m.rows();
      for (Index i = top; i < bottom; ++i) line[i] = static_cast<double>(m(i, k));
    }
  }
}

}  // namespace

void transpose(const Matrix& m, Matrix& turned) { turn(m, turned); }
void transpose(const MatrixF& m, Matrix& turned) { turn(m, turned); }
Matrix transposed(const Matrix& m) {
  Matrix turned;
  turn(m, turned);
  return turned;
}

MatrixF in_single(const Matrix& m) {
  MatrixF copy(m.rows(), m.cols());
  std::transform(m.values().begin(), m.values().end(), copy.values().begin(),
                 [](double x) { return static_cast<float>(x); });
  return copy;
}

Matrix in_double(const MatrixF& m) {
  Matrix copy(m.rows(), m.cols());
  std::copy(m.values().begin(), m.values().end(), copy.values().begin());
  return copy;
}

}  // namespace gingham
