#include "gingham/methods/kmeans/kmeans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gingham::methods::kmeans {
namespace {

double squared_distance(ConstVec a, ConstVec b) {
  double total = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) total += (a[j] - b[j]) * (a[j] - b[j]);
  return total;
}

}  // namespace

void KMeans::attach(const Dataset& data, Context& ctx) {
  points_ = data.block(0).dense_matrix();
  const Index n = points_->rows();
  const Partition blocks = Partition::even(n, points_->cols());
  mean_.assign(static_cast<std::size_t>(points_->cols()), 0.0);
  sum_blocks(ctx.executor(), blocks.count(), std::span<double>(mean_), [&](Index block, Vec partial) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      for (Index j = 0; j < points_->cols(); ++j) partial[j] += (*points_)(i, j) / static_cast<double>(n);
    }
  });
  total_squares_ = sum_blocks(ctx.executor(), blocks.count(), [&](Index block) {
    double squares = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      squares += squared_distance(points_->row(i), mean_);
    }
    return squares;
  });
}

void KMeans::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  Rng rng = ctx.rng("centers");
  kmeans_start(*points_, n_clusters_, rng, lloyd_, ctx.executor());
}

Done KMeans::step(Context& ctx) {
  ctx.phase("lloyd");
  changed_ = kmeans_iterate(*points_, lloyd_, ctx.executor());
  return Done::iteration;
}

double KMeans::between_squares(Index cluster) const {
  return static_cast<double>(lloyd_.counts[cluster]) * squared_distance(lloyd_.centers.row(cluster), mean_);
}

Terms KMeans::terms(Context& ctx, Accuracy accuracy) {
  const Index n = points_->rows();
  Terms terms;
  if (accuracy == Accuracy::running) {
    // Cancels when the clusters are tight; the exact terms sum the distances themselves.
    double between = 0.0;
    for (Index k = 0; k < n_clusters_; ++k) between += between_squares(k);
    terms.loss = std::max(total_squares_ - between, 0.0);
    terms.gaps = {{"rows", static_cast<double>(changed_) / static_cast<double>(n)}, {"centers", 0.0}};
    return terms;
  }
  if (lloyd_.iterations == 0) {  // stopped before the first assignment
    terms.loss = total_squares_;
    terms.gaps = {{"rows", 1.0}, {"centers", 1.0}};
    return terms;
  }
  terms.loss = kmeans_inertia(*points_, lloyd_, ctx.executor());
  // The share of rows that another centre is nearer to, and how far centres are from their means.
  const Partition blocks = Partition::even(n, points_->cols() * n_clusters_);
  Index misplaced = 0;
  const Index width = points_->cols();
  std::vector<double> sums(static_cast<std::size_t>(n_clusters_ * width + 1), 0.0);
  sum_blocks(ctx.executor(), blocks.count(), std::span<double>(sums), [&](Index block, Vec partial) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      const ConstVec x = points_->row(i);
      const Index own = lloyd_.labels[i];
      const double here = squared_distance(x, lloyd_.centers.row(own));
      bool is_nearest = true;
      for (Index k = 0; k < n_clusters_ && is_nearest; ++k) {
        is_nearest = !(squared_distance(x, lloyd_.centers.row(k)) < here * (1.0 - 1e-9));
      }
      partial[n_clusters_ * width] += is_nearest ? 0.0 : 1.0;
      for (Index j = 0; j < width; ++j) partial[own * width + j] += x[j] - mean_[j];
    }
  });
  misplaced = static_cast<Index>(sums[n_clusters_ * width]);
  double center_gap = 0.0;
  const double spread = std::sqrt(total_squares_ / static_cast<double>(n));
  for (Index k = 0; k < n_clusters_; ++k) {
    if (lloyd_.counts[k] == 0) continue;
    double squares = 0.0;
    for (Index j = 0; j < width; ++j) {
      const double mean = mean_[j] + sums[k * width + j] / static_cast<double>(lloyd_.counts[k]);
      squares += (lloyd_.centers(k, j) - mean) * (lloyd_.centers(k, j) - mean);
    }
    if (spread > 0.0) center_gap = std::max(center_gap, std::sqrt(squares) / spread);
  }
  terms.gaps = {{"rows", static_cast<double>(misplaced) / static_cast<double>(n)}, {"centers", center_gap}};
  return terms;
}

Model KMeans::model(Context&) const {
  Model model;
  std::vector<Index> labels = lloyd_.labels;
  for (Index k = 0; k < n_clusters_; ++k) {
    const double share = static_cast<double>(lloyd_.counts[k]) / static_cast<double>(points_->rows());
    model.components.push_back({share, total_squares_ > 0.0 ? between_squares(k) / total_squares_ : 0.0});
    if (lloyd_.counts[k] == 0) {
      model.notes.push_back(fmt::format("cluster {} is empty: there are fewer different rows than clusters", k));
    }
  }
  model.memberships = {membership_of("rows", std::nullopt, labels)};
  model.arrays.push_back({"centers", lloyd_.centers});
  return model;
}

}  // namespace gingham::methods::kmeans
