#pragma once
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

// The products of all combinations of entries of modes [from, to), the last index fastest.
inline std::vector<double> outer_product(std::span<const ConstVec> vectors, Index from, Index to) {
  std::vector<double> product{1.0};
  for (Index m = from; m < to; ++m) {
    std::vector<double> longer;
    longer.reserve(product.size() * vectors[m].size());
    for (const double p : product) {
      for (const double value : vectors[m]) longer.push_back(p * value);
    }
    product = std::move(longer);
  }
  return product;
}

}  // namespace gingham
