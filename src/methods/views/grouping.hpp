// The last stage of clustering by an embedding: k-means on points, best of several starts, taken in
// bounded steps.
//
//   F = sum_i || z_i - c_label(i) ||^2
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/kernels/kmeans.hpp"

namespace gingham::methods::views {

std::vector<OptionRecord> grouping_options();  // --clusters, --starts
ArrayInfo grouping_array();                    // centers

class Grouping {
 public:
  explicit Grouping(const Options& options)
      : n_clusters_(options.integer("clusters")), n_starts_(options.integer("starts")) {}

  Grouping(Index clusters, Index starts) : n_clusters_(clusters), n_starts_(starts) {}

  bool has_begun() const { return has_begun_; }
  bool has_result() const { return starts_done_ > 0; }
  bool is_done() const { return starts_done_ >= n_starts_; }
  void begin(Matrix points);
  // A start or one iteration; true when all starts are done.
  bool step(Context& ctx);

  // Of the best start; require has_result().
  const std::vector<Index>& labels() const { return best_.labels; }
  const Matrix& centers() const { return best_.centers; }
  double inertia(Executor& executor) const;  // 0 where it is rounding alone
  // "rows", or what the points are: share of them that another centre is nearer to; "centers":
  // distance from the means.
  void add_gaps(Terms& terms, Executor& executor, const char* points = "rows") const;
  // Membership, components (share of rows, share of the points' squares about their mean), centres.
  void add_to(Model& model) const;

  void state(Archive& ar);

 private:
  double spread() const;  // squares of the points about their mean; 0 where it is rounding alone

  Index n_clusters_;
  Index n_starts_;
  bool has_begun_ = false;
  Matrix points_;
  KMeansState lloyd_, best_;
  double best_inertia_ = 0.0;
  Index starts_done_ = 0;
  bool is_running_ = false;  // lloyd_ has begun
};

// Bytes of points and states.
double grouping_bytes(Index rows, double width, const Options& options);

}  // namespace gingham::methods::views
