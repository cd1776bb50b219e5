// A matrix in memory that is given out by rows, as if it lay elsewhere.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "gingham/data/dataset.hpp"

namespace gingham::test {

class MatrixRows final : public RowSource {
 public:
  explicit MatrixRows(Matrix matrix) : matrix_(std::move(matrix)) {}

  Index rows() const override { return matrix_.rows(); }
  Index cols() const override { return matrix_.cols(); }
  void read_rows(Index first, Index count, std::span<double> out) const override {
    read(first, count, out);
  }
  void read_rows(Index first, Index count, std::span<float> out) const override {
    read(first, count, out);
  }

 private:
  template <class T>
  void read(Index first, Index count, std::span<T> out) const {
    ASSERT_TRUE(first >= 0 && count >= 0 && first + count <= rows());
    ASSERT_EQ(std::ssize(out), count * cols());
    std::transform(matrix_.data() + first * cols(), matrix_.data() + (first + count) * cols(),
                   out.begin(), [](double x) { return static_cast<T>(x); });
  }
  Matrix matrix_;
};

inline Block streamed_block(Matrix matrix, std::vector<Labels> labels = {}) {
  return Block("streamed", std::make_shared<const MatrixRows>(std::move(matrix)),
               std::move(labels));
}

}  // namespace gingham::test
