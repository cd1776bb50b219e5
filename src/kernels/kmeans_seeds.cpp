#include "gingham/kernels/kmeans_seeds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/kernels/kmeans_distances.hpp"
#include "gingham/kernels/kmeans_points.hpp"

namespace gingham::kmeans {
namespace {

// The squared distance of every point to the centres chosen so far.
class Seeder {
 public:
  Seeder(const Matrix& points, const KMeansPoints& prepared, Executor& executor)
      : points_(points),
        prepared_(prepared),
        executor_(executor),
        blocks_(Partition::even(points.rows(), points.cols() * kTile + 1)),
        closest_(static_cast<std::size_t>(points.rows()), std::numeric_limits<double>::infinity()),
        sums_(static_cast<std::size_t>(blocks_.count())) {}

  double total() const { return total_; }

  // A point with probability proportional to its squared distance; requires total() > 0.
  Index draw(Rng& rng) const {
    double left = rng.uniform() * total_;
    Index block = 0;
    while (block + 1 < blocks_.count() && left >= sums_[block]) left -= sums_[block++];
    Index last = -1;  // rounding may leave a rest at the end: then the last point with a weight
    for (; block < blocks_.count(); ++block) {
      for (Index i = blocks_.begin(block); i < blocks_.end(block); ++i) {
        if (closest_[i] > 0.0) last = i;
        if (closest_[i] > left) return i;
        left -= closest_[i];
      }
    }
    return last >= 0 ? last : 0;
  }

  // Takes the one of the candidates that leaves the smallest total.
  Index take_best(const std::vector<Index>& candidates) {
    const Index n = points_.rows(), count = static_cast<Index>(candidates.size());
    std::vector<double> rivals(static_cast<std::size_t>(count * n));
    std::vector<double> totals(static_cast<std::size_t>(count), 0.0);
    Matrix block_sums(blocks_.count(), count);
    executor_.map(blocks_.count(), [&](Index b) {
      double found[kTile * kTile];
      for (Index i = blocks_.begin(b); i < blocks_.end(b); i += kTile) {
        const Index end = std::min(i + kTile, blocks_.end(b));
        for (Index from = 0; from < count; from += kTile) {
          distances(i, end, candidates, from, found);
          for (Index r = i; r < end; ++r) {
            for (Index c = from; c < std::min(from + kTile, count); ++c) {
              const double least = std::min(closest_[r], found[(r - i) * kTile + c - from]);
              rivals[c * n + r] = least;
              block_sums(b, c) += least;
            }
          }
        }
      }
    });
    for (Index b = 0; b < blocks_.count(); ++b) {
      for (Index c = 0; c < count; ++c) totals[c] += block_sums(b, c);
    }
    const auto best = std::min_element(totals.begin(), totals.end()) - totals.begin();
    total_ = totals[best];
    std::copy_n(rivals.begin() + best * n, n, closest_.begin());
    for (Index b = 0; b < blocks_.count(); ++b) sums_[b] = block_sums(b, best);
    return candidates[best];
  }

 private:
  // out[(r - begin) * kTile + c - from], for at most kTile rows and kTile of the others.
  void distances(Index begin, Index end, const std::vector<Index>& others, Index from,
                 double* out) const {
    const Index count = static_cast<Index>(others.size());
    if (prepared_.has_copy()) {
      const float *mine[kTile], *theirs[kTile];
      for (Index t = 0; t < kTile; ++t) {
        mine[t] = prepared_.row(std::min(begin + t, end - 1));
        theirs[t] = prepared_.row(others[std::min(from + t, count - 1)]);
      }
      differences(mine, theirs, prepared_.stride, out);
      return;
    }
    for (Index r = begin; r < end; ++r) {
      for (Index c = from; c < std::min(from + kTile, count); ++c) {
        out[(r - begin) * kTile + c - from] = squared_distance(
            points_.row(r).data(), points_.row(others[c]).data(), points_.cols(), prepared_.scale);
      }
    }
  }

  const Matrix& points_;
  const KMeansPoints& prepared_;
  Executor& executor_;
  Partition blocks_;
  std::vector<double> closest_;
  std::vector<double> sums_;
  double total_ = 0.0;
};

}  // namespace

std::vector<Index> seeds(const Matrix& points, const KMeansPoints& prepared, Index k, Rng& rng,
                         Executor& executor, FunctionRef<void()> pause) {
  Seeder seeder(points, prepared, executor);
  const Index n_candidates = 2 + static_cast<Index>(std::log(static_cast<double>(k)));
  std::vector<Index> chosen{rng.below(points.rows())};
  seeder.take_best(chosen);
  while (static_cast<Index>(chosen.size()) < k) {
    pause();
    if (seeder.total() == 0.0) {
      chosen.push_back(rng.below(points.rows()));
      continue;
    }
    std::vector<Index> candidates;
    for (Index c = 0; c < n_candidates; ++c) candidates.push_back(seeder.draw(rng));
    chosen.push_back(seeder.take_best(candidates));
  }
  return chosen;
}

}  // namespace gingham::kmeans
