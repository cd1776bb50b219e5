// A model of a matrix or array that its factors give:
//
//   M = sum_k w_k a_k^(0) o a_k^(1) o ... o a_k^(N-1)          a_k^(n): column k of factor n
#pragma once
#include <span>

#include "gingham/data/matrix.hpp"

namespace gingham {

struct FactorView {
  std::span<const Matrix> modes;  // items x K each
  ConstVec weights = {};          // K; empty: all 1

  Index n_modes() const { return std::ssize(modes); }
  Index n_components() const { return modes.empty() ? 0 : modes[0].cols(); }
  double weight(Index k) const { return weights.empty() ? 1.0 : weights[k]; }
};

}  // namespace gingham
