// Dense matrices, row by row, and a view of a part of one.
#pragma once
#include <utility>

#include "gingham/base/memory.hpp"

namespace gingham {

template <class T>
class DenseMatrix {
 public:
  using Value = T;
  DenseMatrix() = default;
  DenseMatrix(Index rows, Index cols)  // zeros
      : rows_(rows), cols_(cols), values_(checked_mul(rows, cols, "matrix")) {}
  DenseMatrix(Index rows, Index cols, Array<T> values)
      : rows_(rows), cols_(cols), values_(std::move(values)) {
    if (values_.size() != checked_mul(rows, cols, "matrix")) {
      throw Error(ErrorCode::internal, "", "a matrix needs rows * columns values");
    }
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index size() const { return rows_ * cols_; }
  const T* data() const { return values_.data(); }
  T* data() { return values_.data(); }
  std::span<const T> values() const { return values_.span(); }
  std::span<T> values() { return values_.span(); }
  std::span<const T> row(Index i) const {
    return {values_.data() + i * cols_, static_cast<std::size_t>(cols_)};
  }
  std::span<T> row(Index i) {
    return {values_.data() + i * cols_, static_cast<std::size_t>(cols_)};
  }
  T operator()(Index i, Index j) const { return values_.data()[i * cols_ + j]; }
  T& operator()(Index i, Index j) { return values_.data()[i * cols_ + j]; }
  Index bytes() const { return values_.bytes(); }

  template <class Archive>
  void state(Archive& ar) {
    ar("rows", rows_)("cols", cols_)("values", values_);
    Index cells = 0;
    if (rows_ < 0 || cols_ < 0 || __builtin_mul_overflow(rows_, cols_, &cells) ||
        values_.size() != cells) {
      throw Error(ErrorCode::input, "",
                  "saved state: a matrix does not have rows * columns values");
    }
  }

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  Array<T> values_;
};

using Matrix = DenseMatrix<double>;
using MatrixF = DenseMatrix<float>;

}  // namespace gingham
