// Factors in single or double precision as factors in double.
#pragma once
#include <span>
#include <vector>

#include "gingham/kernels/copies.hpp"

namespace gingham::alternation {

// No copy where they are.
class InDouble {
 public:
  explicit InDouble(const std::vector<Matrix>& factors) : all_(factors) {}
  explicit InDouble(const std::vector<MatrixF>& factors) {
    for (const MatrixF& factor : factors) copies_.push_back(in_double(factor));
    all_ = copies_;
  }
  std::span<const Matrix> all() const { return all_; }

 private:
  std::vector<Matrix> copies_;
  std::span<const Matrix> all_;
};

}  // namespace gingham::alternation
