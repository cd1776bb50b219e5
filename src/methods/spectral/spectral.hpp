// Spectral co-clustering (Dhillon 2001): rows and columns of a non-negative matrix as the two sides
// of a bipartite graph, cut into k parts.
//
//   A_n = D_1^(-1/2) A D_2^(-1/2),   D_1, D_2: row and column sums
//   Z = [ D_1^(-1/2) U ; D_2^(-1/2) V ],   U, V: singular vectors 2 ... l+1 of A_n,  l = ceil(log2
//   k) F = sum_i || z_i - c_label(i) ||^2     over rows and columns together, k-means, best of
//   `starts`
//
// Rows and columns that sum to zero are set aside: they take no part and get no label. One step is
// the SVD, then one Lloyd iteration each.
#pragma once
#include "gingham/engine/method.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/kernels/kmeans.hpp"

namespace gingham::methods::spectral {

class Spectral final : public Method {
 public:
  explicit Spectral(const Options& options)
      : n_clusters_(options.integer("clusters")),
        n_starts_(options.integer("starts")),
        tolerance_(options.real("tolerance")) {}

  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status, Context&) override { return false; }
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  void embed(Context& ctx);
  Index n_vectors() const;  // l + 1, or as many as there are
  // The normalised matrix times a vector, over the rows and columns that take part.
  void apply(ConstVec x, Vec y, Context& ctx) const;
  void apply_transposed(ConstVec x, Vec y, Context& ctx) const;

  Index n_clusters_;
  Index n_starts_;
  double tolerance_;
  const Block* block_ = nullptr;
  std::vector<double> row_scale_, column_scale_;  // sum^(-1/2), 0 for what is set aside

  bool has_embedding_ = false;
  Matrix left_, right_;  // U, V of all vectors, the trivial first included
  std::vector<double> singular_;
  Matrix points_;             // Z of what takes part, rows first
  std::vector<Index> items_;  // row i is item i, column j is item rows + j
  KMeansState lloyd_, best_;
  double best_inertia_ = 0.0;
  Index starts_done_ = 0;
  bool is_running_ = false;  // lloyd_ has begun
};

}  // namespace gingham::methods::spectral
