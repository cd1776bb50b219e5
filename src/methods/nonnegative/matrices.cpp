#include "gingham/methods/nonnegative/matrices.hpp"

#include <algorithm>

namespace gingham::methods::nonnegative {

Matrix transposed(const Matrix& m) {
  Matrix turned(m.cols(), m.rows());
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index k = 0; k < m.cols(); ++k) turned(k, i) = m(i, k);
  }
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

}  // namespace gingham::methods::nonnegative
