// What k-means computes once per set of points: a shift, a scale, and a single-precision copy.
#pragma once
#include <vector>

#include "gingham/base/memory.hpp"
#include "gingham/kernels/kmeans.hpp"

namespace gingham {

struct KMeansPoints {
  static constexpr Index kFewDimensions = 32;  // up to here double precision is as fast: no copy

  const double* source = nullptr;  // the values of the matrix it was made from
  Index rows = 0;
  Index cols = 0;
  // Near the middle of the points, on the grid the points lie on: integers stay integers, so that
  // sums and ties of such points remain exact.
  std::vector<double> shift;
  double scale = 1.0;         // a power of two that brings |x - shift| to at most about 1
  Index stride = 0;           // cols, rounded up; 0 where there is no copy
  Array<float> copy;          // rows x stride: (x - shift) * scale, padded with zeros
  std::vector<double> norms;  // of the rows of the copy

  bool has_copy() const { return stride > 0; }
  const float* row(Index i) const { return copy.data() + i * stride; }
};

}  // namespace gingham
