// Dense arrays of any number of modes; the last index runs fastest.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "gingham/base/memory.hpp"

namespace gingham {

using Shape = std::vector<Index>;

// The number of cells; throws Error{memory} when it does not fit 64 bits.
inline Index cells(const Shape& shape) {
  Index product = 1;
  for (const Index size : shape) product = checked_mul(product, size, "tensor");
  return product;
}

// "80 x 80 x 8"
inline std::string shape_text(const Shape& shape) {
  std::string text;
  for (const Index size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Shape shape) : shape_(std::move(shape)), values_(cells(shape_)) {}  // zeros
  Tensor(Shape shape, Array<double> values) : shape_(std::move(shape)), values_(std::move(values)) {
    if (values_.size() != cells(shape_)) {
      throw Error(ErrorCode::internal, "", "a tensor needs one value per cell");
    }
  }

  const Shape& shape() const { return shape_; }
  Index modes() const { return static_cast<Index>(shape_.size()); }
  Index size() const { return values_.size(); }
  const double* data() const { return values_.data(); }
  double* data() { return values_.data(); }
  std::span<const double> values() const { return values_.span(); }
  std::span<double> values() { return values_.span(); }
  Index bytes() const { return values_.bytes(); }

 private:
  Shape shape_;
  Array<double> values_;
};

}  // namespace gingham
