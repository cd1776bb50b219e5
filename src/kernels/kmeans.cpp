#include "gingham/kernels/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gingham/kernels/kmeans_distances.hpp"
#include "gingham/kernels/kmeans_points.hpp"
#include "gingham/kernels/kmeans_seeds.hpp"

// Distances and bounds are in units of the prepared scale throughout; only the inertia leaves in
// the data's.

namespace gingham {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kFar = 1e300;        // an upper bound that holds for anything: forces a fresh look
constexpr double kRound = 0x1.0p-23;  // relative error of a row of the copy, with room
constexpr Index kMaxSumBlocks =
    16;  // partial sums of k x d each: few, so that merging them stays cheap

struct Change {
  Index point, from, to;
};

// Relative error of a distance computed in double, with room.
double slack_of(Index d) { return kEps * static_cast<double>(d / 8 + 16); }

const KMeansPoints& prepared_of(const Matrix& points, KMeansState& state, Executor& executor) {
  if (!state.prepared || state.prepared->source != points.data() ||
      state.prepared->rows != points.rows() || state.prepared->cols != points.cols()) {
    state.prepared = kmeans_prepare(points, executor);
  }
  return *state.prepared;
}

double distance2(const Matrix& points, Index i, const Matrix& centers, Index j, double scale) {
  return kmeans::squared_distance(points.row(i).data(), centers.row(j).data(), points.cols(),
                                  scale);
}

// The centres in the forms the assignment needs, for one iteration.
class Centers {
 public:
  Centers(const Matrix& points, const KMeansPoints& prepared, const Matrix& centers,
          Executor& executor)
      : points_(points),
        prepared_(prepared),
        centers_(centers),
        k_(centers.rows()),
        slack_(slack_of(points.cols())),
        half_(static_cast<std::size_t>(k_), kFar) {
    prepared.has_copy() ? make_copy() : make_transposed();
    const Partition blocks = Partition::even(k_, k_ * points.cols());
    executor.map(blocks.count(), [&](Index b) {
      for (Index j = blocks.begin(b); j < blocks.end(b); ++j) half_[j] = half_gap(j);
    });
  }

  // Whether the bounds alone show that the label stays.
  bool is_settled(Index label, double upper, double lower) const {
    return label >= 0 && upper * (1.0 + slack_) < std::max(lower, half_[label]);
  }

  struct Nearest {
    Index label;
    double upper, lower;
  };

  // The nearest centre of each of `count` points, one after the other.
  template <class Take>
  void nearest(const std::vector<Index>& which, Take&& take) const {
    std::vector<double> values(
        static_cast<std::size_t>(kmeans::kTile * std::max<Index>(padded_, k_)));
    if (!prepared_.has_copy()) {
      for (const Index i : which) {
        kmeans::squared_distances(points_.row(i).data(), transposed_.data(), points_.cols(), k_,
                                  prepared_.scale, values.data());
        take(i, choose(values.data()));
      }
      return;
    }
    const Index count = static_cast<Index>(which.size());
    for (Index begin = 0; begin < count; begin += kmeans::kTile) {
      const float* rows[kmeans::kTile];
      for (Index r = 0; r < kmeans::kTile; ++r) {
        rows[r] = prepared_.row(which[std::min(begin + r, count - 1)]);
      }
      kmeans::dots(rows, copy_.data(), prepared_.stride, padded_, values.data());
      for (Index r = 0; r < std::min(kmeans::kTile, count - begin); ++r) {
        const Index i = which[begin + r];
        take(i, screen(i, values.data() + r * padded_));
      }
    }
  }

 private:
  void make_copy() {
    const Index d = points_.cols();
    padded_ = (k_ + kmeans::kTile - 1) / kmeans::kTile * kmeans::kTile;
    copy_ = Array<float>(checked_mul(padded_, prepared_.stride, "k-means centres"));
    squares_.resize(static_cast<std::size_t>(k_));
    for (Index j = 0; j < k_; ++j) {
      float* out = copy_.data() + j * prepared_.stride;
      for (Index t = 0; t < d; ++t) {
        const double value = (centers_(j, t) - prepared_.shift[t]) * prepared_.scale;
        // A centre far outside the points is left to double precision.
        if (!(std::abs(value) < 0x1.0p40)) all_exact_ = true;
        out[t] = static_cast<float>(std::abs(value) < 0x1.0p40 ? value : 0.0);
        squares_[j] += static_cast<double>(out[t]) * static_cast<double>(out[t]);
      }
      longest_ = std::max(longest_, std::sqrt(squares_[j]));
    }
  }

  void make_transposed() {
    const Index d = points_.cols();
    transposed_.resize(static_cast<std::size_t>(k_ * d));
    for (Index j = 0; j < k_; ++j) {
      for (Index t = 0; t < d; ++t) transposed_[t * k_ + j] = centers_(j, t);
    }
  }

  // Half the distance to the nearest other centre: whoever is nearer than this belongs to j.
  double half_gap(Index j) const {
    double least = kFar;
    for (Index other = 0; other < k_; ++other) {
      if (other == j) continue;
      least = std::min(least,
                       kmeans::squared_distance(centers_.row(j).data(), centers_.row(other).data(),
                                                points_.cols(), prepared_.scale));
    }
    return 0.5 * std::sqrt(least) * (1.0 - slack_);
  }

  // From all k squared distances.
  Nearest choose(const double* squares) const {
    Index label = 0;
    double first = squares[0], second = kFar;
    for (Index j = 1; j < k_; ++j) {
      if (squares[j] < first) {
        second = std::exchange(first, squares[j]);
        label = j;
      } else {
        second = std::min(second, squares[j]);
      }
    }
    return {label, std::sqrt(first) * (1.0 + slack_), std::sqrt(second) * (1.0 - slack_)};
  }

  // From the dot products of the copies: ||x||^2 - 2 x.c + ||c||^2, wrong by at most `error`
  // because of the products, and the distance by `rounding` more because the copies are rounded.
  Nearest screen(Index i, const double* products) const {
    const double norm = prepared_.norms[i];
    const double rounding = kRound * (norm + longest_) + 1e-40;
    const double error =
        2.0 * kmeans::kDotError * norm * longest_ + 16 * kEps * (norm * norm + longest_ * longest_);
    Index label = 0;
    double first = kFar, second = kFar;
    for (Index j = 0; j < k_; ++j) {
      const double square = squares_[j] - 2.0 * products[j];
      if (square < first) {
        second = std::exchange(first, square);
        label = j;
      } else {
        second = std::min(second, square);
      }
    }
    first += norm * norm;
    second += norm * norm;
    const double upper = (std::sqrt(std::max(first + error, 0.0)) + rounding) * (1.0 + slack_);
    const double lower = std::sqrt(std::max(second - error, 0.0)) - rounding;
    if (lower > upper && !all_exact_) return {label, upper, lower};

    // Every centre that may be the nearest, in double.
    const double reach = (upper + rounding) * (upper + rounding) + error;
    double best = kFar, other = kFar;
    label = 0;
    for (Index j = 0; j < k_; ++j) {
      const double square = squares_[j] - 2.0 * products[j] + norm * norm;
      if (square > reach && !all_exact_) {
        const double bound = std::sqrt(std::max(square - error, 0.0)) - rounding;
        other = std::min(other, std::max(bound, 0.0));
        continue;
      }
      const double exact = std::sqrt(distance2(points_, i, centers_, j, prepared_.scale));
      if (exact < best) {
        other = std::min(other, std::exchange(best, exact));
        label = j;
      } else {
        other = std::min(other, exact);
      }
    }
    return {label, best * (1.0 + slack_), other * (1.0 - slack_)};
  }

  const Matrix& points_;
  const KMeansPoints& prepared_;
  const Matrix& centers_;
  Index k_;
  double slack_;
  std::vector<double> half_;
  Index padded_ = 0;
  Array<float> copy_;            // padded_ x stride
  std::vector<double> squares_;  // squared norms of its rows
  double longest_ = 0.0;         // the largest of their norms
  bool all_exact_ = false;
  std::vector<double> transposed_;
};

// New labels and bounds; what changed, in the order of the points.
std::vector<Change> assign(const Matrix& points, const KMeansPoints& prepared, KMeansState& state,
                           Executor& executor) {
  const Centers centers(points, prepared, state.centers, executor);
  const Partition blocks =
      Partition::even(points.rows(), state.centers.rows() * (points.cols() + 1));
  std::vector<std::vector<Change>> changed(static_cast<std::size_t>(blocks.count()));
  executor.map(blocks.count(), [&](Index b) {
    std::vector<Index> open;
    for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
      if (!centers.is_settled(state.labels[i], state.upper[i], state.lower[i])) open.push_back(i);
    }
    centers.nearest(open, [&](Index i, const Centers::Nearest& found) {
      if (found.label != state.labels[i]) {
        changed[b].push_back({i, state.labels[i], found.label});
        state.labels[i] = found.label;
      }
      state.upper[i] = found.upper;
      state.lower[i] = found.lower;
    });
  });
  std::vector<Change> all;
  for (const auto& part : changed) all.insert(all.end(), part.begin(), part.end());
  for (const Change& change : all) {
    if (change.from >= 0) --state.counts[change.from];
    ++state.counts[change.to];
  }
  return all;
}

// Gives every empty cluster the point farthest from its centre; true when there was something to
// give.
bool fill_empty(const Matrix& points, const KMeansPoints& prepared, KMeansState& state,
                std::vector<Change>& changes, Executor& executor) {
  if (std::find(state.counts.begin(), state.counts.end(), 0) == state.counts.end()) return false;
  bool any = false;
  const Partition blocks = Partition::even(points.rows(), points.cols());
  std::vector<double> distance(static_cast<std::size_t>(points.rows()));
  executor.map(blocks.count(), [&](Index b) {
    for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
      distance[i] = distance2(points, i, state.centers, state.labels[i], prepared.scale);
    }
  });
  const std::vector<double> origin(static_cast<std::size_t>(points.cols()), 0.0);
  const double shift2 =
      kmeans::squared_distance(prepared.shift.data(), origin.data(), points.cols(), prepared.scale);
  for (Index empty = 0; empty < state.centers.rows(); ++empty) {
    if (state.counts[empty] > 0) continue;
    Index farthest = -1;
    for (Index i = 0; i < points.rows(); ++i) {
      if (state.counts[state.labels[i]] < 2) continue;
      if (farthest < 0 || distance[i] > distance[farthest]) farthest = i;
    }
    if (farthest < 0) break;
    // A mean of equal points may differ from them by rounding: that is no distance.
    const double length2 =
        shift2 + kmeans::squared_distance(points.row(farthest).data(), origin.data(), points.cols(),
                                          prepared.scale);
    const double rounding = 16 * kEps;
    if (distance[farthest] <= rounding * rounding * length2) break;
    const auto known = std::find_if(changes.begin(), changes.end(),
                                    [&](const Change& c) { return c.point == farthest; });
    if (known != changes.end()) {
      known->to = empty;
    } else {
      changes.push_back({farthest, state.labels[farthest], empty});
    }
    --state.counts[state.labels[farthest]];
    ++state.counts[empty];
    state.labels[farthest] = empty;
    state.upper[farthest] = kFar;
    state.lower[farthest] = 0.0;
    any = true;
  }
  return any;
}

// sums += sum over entries of sign * (x - shift), in fixed blocks. add(e, partial) adds entry e.
template <class Add>
void add_entries(Index n_entries, KMeansState& state, Executor& executor, Add&& add) {
  const Index blocks = std::clamp<Index>(n_entries / (8 * state.centers.rows()), 1, kMaxSumBlocks);
  sum_blocks<double>(executor, blocks, state.sums.values(), [&](Index b, Vec partial) {
    for (Index e = n_entries * b / blocks; e < n_entries * (b + 1) / blocks; ++e) add(e, partial);
  });
}

void update_sums(const Matrix& points, const KMeansPoints& prepared, KMeansState& state,
                 const std::vector<Change>& changes, bool afresh, Executor& executor) {
  const Index n = points.rows(), d = points.cols();
  const Index n_changes = static_cast<Index>(changes.size());
  const auto add = [&](Index i, Index j, double sign, Vec sums) {
    kmeans::add_shifted(points.row(i).data(), prepared.shift.data(), d, sign, sums.data() + j * d);
  };
  state.since_sums += n_changes;
  // Afresh also when that is as cheap, and now and then, so that rounding does not pile up.
  if (afresh || 2 * n_changes >= n || state.since_sums > n) {
    state.since_sums = 0;
    std::fill(state.sums.values().begin(), state.sums.values().end(), 0.0);
    add_entries(n, state, executor, [&](Index i, Vec sums) { add(i, state.labels[i], 1.0, sums); });
  } else {
    add_entries(n_changes, state, executor, [&](Index e, Vec sums) {
      const Change& change = changes[e];
      if (change.from >= 0) add(change.point, change.from, -1.0, sums);
      add(change.point, change.to, 1.0, sums);
    });
  }
}

// Centres to their means; the bounds give way by how far the centres moved.
void move_centers(const KMeansPoints& prepared, KMeansState& state, Executor& executor) {
  const Index k = state.centers.rows(), d = state.centers.cols();
  std::vector<double> moved(static_cast<std::size_t>(k), 0.0), mean(static_cast<std::size_t>(d));
  for (Index j = 0; j < k; ++j) {
    if (state.counts[j] == 0) continue;
    const auto count = static_cast<double>(state.counts[j]);
    for (Index t = 0; t < d; ++t) mean[t] = prepared.shift[t] + state.sums(j, t) / count;
    moved[j] = std::sqrt(kmeans::squared_distance(mean.data(), state.centers.row(j).data(), d,
                                                  prepared.scale)) *
               (1.0 + slack_of(d));
    std::copy(mean.begin(), mean.end(), state.centers.row(j).begin());
  }
  const auto most = std::max_element(moved.begin(), moved.end()) - moved.begin();
  double second = 0.0;
  for (Index j = 0; j < k; ++j) {
    if (j != most) second = std::max(second, moved[j]);
  }
  const Partition blocks = Partition::even(static_cast<Index>(state.labels.size()), 4);
  executor.map(blocks.count(), [&](Index b) {
    for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
      const Index label = state.labels[i];
      state.upper[i] = (state.upper[i] + moved[label]) * (1.0 + kEps);
      state.lower[i] -= (label == most ? second : moved[most]) + kEps * state.lower[i];
    }
  });
}

}  // namespace

void kmeans_start_from(const Matrix& points, Matrix centers, KMeansState& state,
                       Executor& executor) {
  if (points.rows() < 1) throw Error(ErrorCode::usage, "", "k-means needs at least one point");
  if (centers.rows() < 1) throw Error(ErrorCode::usage, "", "k-means needs at least one centre");
  if (centers.cols() != points.cols()) {
    throw Error(ErrorCode::usage, "", "the centres have another number of columns than the points");
  }
  for (const double value : centers.values()) {
    if (!std::isfinite(value)) throw Error(ErrorCode::input, "", "a centre is not finite");
  }
  prepared_of(points, state, executor);
  const auto n = static_cast<std::size_t>(points.rows());
  state.labels.assign(n, -1);
  state.upper.assign(n, kFar);
  state.lower.assign(n, 0.0);
  state.counts.assign(static_cast<std::size_t>(centers.rows()), 0);
  state.sums = Matrix(centers.rows(), centers.cols());
  state.since_sums = 0;
  state.iterations = 0;
  state.centers = std::move(centers);
}

void kmeans_start(const Matrix& points, Index k, Rng& rng, KMeansState& state, Executor& executor,
                  FunctionRef<void()> pause) {
  if (points.rows() < 1) throw Error(ErrorCode::usage, "", "k-means needs at least one point");
  if (k < 1) throw Error(ErrorCode::usage, "", "k-means needs at least one centre");
  const std::vector<Index> chosen =
      kmeans::seeds(points, prepared_of(points, state, executor), k, rng, executor, pause);
  Matrix centers(k, points.cols());
  for (Index j = 0; j < k; ++j) {
    std::copy_n(points.row(chosen[j]).begin(), points.cols(), centers.row(j).begin());
  }
  kmeans_start_from(points, std::move(centers), state, executor);
}

Index kmeans_iterate(const Matrix& points, KMeansState& state, Executor& executor) {
  if (static_cast<Index>(state.labels.size()) != points.rows() ||
      state.centers.cols() != points.cols()) {
    throw Error(ErrorCode::usage, "", "the k-means state was started on other points");
  }
  const KMeansPoints& prepared = prepared_of(points, state, executor);
  std::vector<Change> changes = assign(points, prepared, state, executor);
  // A cluster that lost all its points keeps the rounding of its sums: filled again, it needs fresh
  // ones.
  const bool filled = fill_empty(points, prepared, state, changes, executor);
  ++state.iterations;
  if (changes.empty()) return 0;
  update_sums(points, prepared, state, changes, filled, executor);
  move_centers(prepared, state, executor);
  return std::count_if(changes.begin(), changes.end(),
                       [](const Change& change) { return change.from != change.to; });
}

double kmeans_inertia(const Matrix& points, const KMeansState& state, Executor& executor) {
  const double scale = state.prepared ? state.prepared->scale : 1.0;
  const Partition blocks = Partition::even(points.rows(), points.cols());
  const double sum = sum_blocks(executor, blocks.count(), [&](Index b) {
    double part = 0.0;
    for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
      part += distance2(points, i, state.centers, state.labels[i], scale);
    }
    return part;
  });
  return sum / scale / scale;
}

}  // namespace gingham
