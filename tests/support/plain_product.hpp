// Products of matrices by plain loops, and how near two matrices are.
#pragma once
#include <gtest/gtest.h>

#include "gingham/data/matrix.hpp"

namespace gingham::testing {

// A X, or A^T X.
inline Matrix plain_product(const Matrix& a, bool is_transposed, const Matrix& x) {
  const Index rows = is_transposed ? a.cols() : a.rows();
  Matrix y(rows, x.cols());
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < x.rows(); ++j) {
      for (Index c = 0; c < x.cols(); ++c) y(i, c) += (is_transposed ? a(j, i) : a(i, j)) * x(j, c);
    }
  }
  return y;
}

inline void expect_near(const Matrix& found, const Matrix& expected, double tolerance) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  for (Index e = 0; e < found.size(); ++e)
    ASSERT_NEAR(found.values()[e], expected.values()[e], tolerance);
}

}  // namespace gingham::testing
