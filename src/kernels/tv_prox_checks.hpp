// What the functions of tv_prox.hpp share.
#pragma once
#include <cmath>
#include <limits>

#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham::tv {

inline void require_weight(double weight) {
  if (!(weight >= 0.0)) throw Error(ErrorCode::internal, "", "total variation: negative weight");
}

inline bool all_finite(ConstVec values) {
  bool all = true;
  for (const double x : values) all &= std::abs(x) <= std::numeric_limits<double>::max();
  return all;
}

inline void require_finite(ConstVec values) {
  if (all_finite(values)) return;
  throw Error(ErrorCode::internal, "", "total variation: a value is not finite");
}

inline void require_same(bool same) {
  if (!same) throw Error(ErrorCode::internal, "", "total variation: sizes differ");
}

inline double soft(double x, double threshold) {
  return x > threshold ? x - threshold : x < -threshold ? x + threshold : 0.0;
}

// Multiply-adds that one value is worth, for the cutting into blocks.
inline constexpr Index kWorkPerValue = 16;
inline constexpr Index kWorkPerShortValue = 4;

// Signal j of a time-major matrix, copied.
inline void column(const Matrix& signals, Index j, Vec copy) {
  for (Index i = 0; i < signals.rows(); ++i) copy[i] = signals(i, j);
}

}  // namespace gingham::tv
