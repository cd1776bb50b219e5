#include "gingham/methods/kmeans/kmeans.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gingham/kernels/kmeans_gaps.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::kmeans {
Derived KMeans::derive(const Dataset& data, const Options&, Context& ctx) {
  auto made = std::make_shared<Points>();
  made->values = data.block(0).dense_matrix();
  const Matrix& x = *made->values;
  const Partition blocks = Partition::even(x.rows(), x.cols(), x.cols());
  made->mean.assign(static_cast<std::size_t>(x.cols()), 0.0);
  sum_blocks(ctx.executor(), blocks.count(), std::span<double>(made->mean),
             [&](Index block, Vec partial) {
               for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
                 for (Index j = 0; j < x.cols(); ++j) partial[j] += x(i, j);
               }
             });
  for (double& sum : made->mean) sum /= static_cast<double>(x.rows());
  made->squares = sum_blocks(ctx.executor(), blocks.count(), [&](Index block) {
    double squares = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      squares += squared_distance(x.row(i), made->mean);
    }
    return squares;
  });
  made->prepared = kmeans_prepare(x, ctx.executor());
  return made;
}

void KMeans::attach(const Dataset&, Context& ctx) {
  points_ = ctx.derived<Points>();
  lloyd_.prepared = points_->prepared;
}

void KMeans::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  Rng rng = ctx.rng("centers");
  kmeans_start(*points_->values, n_clusters_, rng, lloyd_, ctx.executor(),
               [&] { ctx.check_stop(); });
}

Done KMeans::step(Context& ctx) {
  ctx.phase("lloyd");
  changed_ = kmeans_iterate(*points_->values, lloyd_, ctx.executor());
  return Done::iteration;
}

double KMeans::between_squares(Index cluster) const {
  return static_cast<double>(lloyd_.counts[cluster]) *
         squared_distance(lloyd_.centers.row(cluster), points_->mean);
}

Terms KMeans::terms(Context& ctx, Accuracy accuracy) {
  const Index n = points_->values->rows();
  Terms terms;
  if (accuracy == Accuracy::running) {
    // Cancels when the clusters are tight; the exact terms sum the distances themselves.
    double between = 0.0;
    for (Index k = 0; k < n_clusters_; ++k) between += between_squares(k);
    terms.loss = std::max(points_->squares - between, 0.0);
    terms.gaps = {{"rows", static_cast<double>(changed_) / static_cast<double>(n)},
                  {"centers", 0.0}};
    return terms;
  }
  terms.loss = kmeans_inertia(*points_->values, lloyd_, ctx.executor());
  const KMeansGaps gaps = kmeans_gaps(*points_->values, lloyd_, ctx.executor());
  terms.gaps = {{"rows", gaps.points}, {"centers", gaps.centers}};
  return terms;
}

Model KMeans::model(Context& ctx) const {
  Model model;
  if (lloyd_.iterations == 0) return model;
  for (Index k = 0; k < n_clusters_; ++k) {
    const double share =
        static_cast<double>(lloyd_.counts[k]) / static_cast<double>(points_->values->rows());
    model.components.push_back({share, share_lost(between_squares(k), points_->squares)});
    if (lloyd_.counts[k] == 0) {
      model.notes.push_back(
          fmt::format("cluster {} is empty: there are fewer different rows than clusters", k));
    }
  }
  // About the mean of all rows, which stands in for a cluster that is not there.
  model.explained =
      share_explained(kmeans_inertia(*points_->values, lloyd_, ctx.executor()), points_->squares);
  model.memberships = {membership_of("rows", std::nullopt, lloyd_.labels)};
  model.arrays.push_back({"centers", lloyd_.centers});
  return model;
}

}  // namespace gingham::methods::kmeans
