#include "gingham/kernels/kmeans_gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

TEST(KMeansGaps, CountThePointsThatAreNearerToAnotherCenter) {
  Rng rng = Rng::named(1, "gaps");
  ThreadPool pool(2);
  int n_wrong = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const Index n = 1 + rng.below(200), d = 1 + rng.below(12), k = 1 + rng.below(9);
    constexpr double kOffsets[] = {0.0, 1e3, 1e9}, kSizes[] = {1.0, 1e-160, 1e160};
    const double offset = kOffsets[rng.below(3)], size = kSizes[rng.below(3)];
    Matrix points(n, d);
    for (double& value : points.values()) value = size * (offset + rng.normal());
    KMeansState state;
    state.centers = Matrix(k, d);
    for (double& value : state.centers.values()) value = size * (offset + rng.normal());
    state.counts.assign(static_cast<std::size_t>(k), 0);
    Index expected = 0;
    for (Index i = 0; i < n; ++i) {
      std::vector<long double> distance;
      for (Index c = 0; c < k; ++c) {
        long double sum = 0;
        for (Index j = 0; j < d; ++j) {
          const long double off =
              (static_cast<long double>(points(i, j)) - state.centers(c, j)) / size;
          sum += off * off;
        }
        distance.push_back(sum);
      }
      Index own = std::min_element(distance.begin(), distance.end()) - distance.begin();
      if (rng.uniform() < 0.2) own = rng.below(k);
      state.labels.push_back(static_cast<std::int32_t>(own));
      ++state.counts[own];
      const bool is_wrong =
          *std::min_element(distance.begin(), distance.end()) < distance[own] * (1.0L - 1e-9L);
      expected += is_wrong ? 1 : 0;
    }
    n_wrong += static_cast<int>(expected);
    if (size == 1.0) {
      EXPECT_DOUBLE_EQ(kmeans_gaps(points, state, pool).points,
                       static_cast<double>(expected) / static_cast<double>(n));
    } else {  // squares overflow or vanish: nothing may be taken for wrong that is not
      EXPECT_LE(kmeans_gaps(points, state, pool).points,
                static_cast<double>(expected) / static_cast<double>(n));
    }
  }
  EXPECT_GT(n_wrong, 500);
}

}  // namespace
}  // namespace gingham
