// Spectral co-clustering (Dhillon 2001): rows and columns of a non-negative matrix as the two sides
// of a bipartite graph, cut into k parts.
//
//   A_n = D_1^(-1/2) A D_2^(-1/2),   D_1, D_2: row and column sums
//   Z = [ D_1^(-1/2) U ; D_2^(-1/2) V ],   U, V: singular vectors 2 ... l+1 of A_n
//   F = sum_i || z_i - c_label(i) ||^2     over rows and columns together
//
// l = ceil(log2 k), fewer where the matrix has fewer; Z is a column of zeros where there are none.
// k-means from `starts` starts, the best is kept; with the last of them the run is finished. Rows
// and columns that sum to zero are set aside: they take no part and get no label. One step is the
// SVD, then one Lloyd iteration each.
#pragma once
#include "gingham/engine/method.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/kernels/truncated_svd.hpp"
#include "gingham/methods/views/grouping.hpp"

namespace gingham::methods::spectral {

class Spectral final : public Method {
 public:
  explicit Spectral(const Options& options)
      : n_clusters_(options.integer("clusters")),
        tolerance_(options.real("tolerance")),
        grouping_(options) {}

  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status, Context&) override { return false; }
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  void embed(Context& ctx);
  // The largest of ||A_n v - s u||, ||A_n^T u - s v|| and what another direction in place of the
  // last would gain in s^2; the largest s is 1.
  // Vectors that a search has converged to are the leading ones.
  double find_embedding_gap(bool is_leading, Executor& executor) const;
  Index n_vectors() const;  // l + 1, or as many as there are
  // The leading vectors of A_n: by panels, or where squares hide some, one by one.
  Svd find_vectors(Context& ctx) const;

  Index n_clusters_;
  double tolerance_;
  const Block* block_ = nullptr;
  std::vector<double> row_scale_, column_scale_;  // sum^(-1/2), 0 for what is set aside

  Matrix left_, right_;  // U, V of all vectors, the trivial first included
  std::vector<double> singular_;
  double embedding_gap_ = 0.0;
  std::vector<Index> items_;  // that take part, rows first: row i is item i, column j rows + j
  views::Grouping grouping_;  // of Z
};

}  // namespace gingham::methods::spectral
