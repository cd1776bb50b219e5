// How far a k-means state is from a fixed point of Lloyd's iteration.
#pragma once
#include "gingham/kernels/kmeans.hpp"

namespace gingham {

struct KMeansGaps {
  double points = 0.0;  // share of points that another centre is nearer to, beyond rounding
  double centers =
      0.0;  // largest distance of a centre from its points' mean, in units of the spread
};

// spread = sqrt(sum_i ||x_i - mean||^2 / n). Requires labels, that is, at least one iteration.
KMeansGaps kmeans_gaps(const Matrix& points, const KMeansState& state, Executor& executor);

}  // namespace gingham
