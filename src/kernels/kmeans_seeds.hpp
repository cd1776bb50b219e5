// Greedy k-means++: which points are the first centres.
#pragma once
#include <vector>

#include "gingham/kernels/kmeans.hpp"

namespace gingham::kmeans {

// k points, the same ones repeated where there are fewer different ones (to single precision, where
// the points have a copy). Cost: k passes over the points; `pause` is called between them.
std::vector<Index> seeds(const Matrix& points, const KMeansPoints& prepared, Index k, Rng& rng,
                         Executor& executor, FunctionRef<void()> pause);

}  // namespace gingham::kmeans
