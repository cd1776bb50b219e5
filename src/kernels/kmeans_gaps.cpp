#include "gingham/kernels/kmeans_gaps.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
KMeansGaps kmeans_gaps(const Matrix& points, const KMeansState& state, Executor& executor) {
  const Index n = points.rows(), d = points.cols(), k = state.centers.rows();
  KMeansGaps gaps;
  if (n == 0) return gaps;
  // Sums are taken relative to the first point, which keeps large offsets out of them.
  const ConstVec shift = points.row(0);
  std::vector<double> sums(static_cast<std::size_t>(k * d + d + 1), 0.0);
  const Partition blocks = Partition::even(n, d * k, std::ssize(sums));
  sum_blocks(executor, blocks.count(), std::span<double>(sums), [&](Index block, Vec partial) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      const ConstVec x = points.row(i);
      const Index own = state.labels[i];
      const double here = squared_distance(x, state.centers.row(own));
      bool is_nearest = true;
      for (Index c = 0; c < k && is_nearest; ++c) {
        is_nearest = !(squared_distance(x, state.centers.row(c)) < here * (1.0 - 1e-9));
      }
      partial[k * d + d] += is_nearest ? 0.0 : 1.0;
      for (Index j = 0; j < d; ++j) {
        partial[own * d + j] += x[j] - shift[j];
        partial[k * d + j] += x[j] - shift[j];
      }
    }
  });
  gaps.points = sums[k * d + d] / static_cast<double>(n);
  std::vector<double> mean(static_cast<std::size_t>(d));
  for (Index j = 0; j < d; ++j) mean[j] = shift[j] + sums[k * d + j] / static_cast<double>(n);
  const double squares = sum_blocks(executor, blocks.count(), [&](Index block) {
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i)
      total += squared_distance(points.row(i), mean);
    return total;
  });
  const double spread = std::sqrt(squares / static_cast<double>(n));
  if (!(spread > 0.0)) return gaps;
  for (Index c = 0; c < k; ++c) {
    if (state.counts[c] == 0) continue;
    double off = 0.0;
    for (Index j = 0; j < d; ++j) {
      const double own_mean = shift[j] + sums[c * d + j] / static_cast<double>(state.counts[c]);
      off += std::pow((state.centers(c, j) - own_mean) / spread, 2);
    }
    gaps.centers = std::max(gaps.centers, std::sqrt(off));
  }
  return gaps;
}

}  // namespace gingham
