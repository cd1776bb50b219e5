// Clustering in the canonical subspace of several views (Chaudhuri, Kakade, Livescu, Sridharan
// 2009), for any number of views by generalised canonical correlation (MAXVAR, Kettenring 1971):
//
//   G: the q leading eigenvectors of M = sum_v U_v diag( s^2 / (s^2 + r_v) ) U_v^T
//   F = sum_i || g_i - c_label(i) ||^2 over the rows of G,      k-means, best of `starts`
//
// U_v, s: leading left singular vectors and values of view X_v, `components` of them;
// r_v = ridge ||X_v||^2 / columns. With all components M is sum_v X_v (X_v^T X_v + r_v I)^-1 X_v^T;
// with two views and r = 0 its eigenvalues are 1 + the canonical correlations and G is the mean of
// both views' canonical variates at length 1. q = clusters - 1 unless given.
//
// One step is the singular vectors of one view each, then the subspace, then one Lloyd iteration
// each. Nothing larger than rows x components is formed; all but k-means depends on the data alone.
#pragma once
#include <memory>

#include "gingham/engine/registry.hpp"
#include "gingham/methods/views/grouping.hpp"
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::mvcca {

class Mvcca final : public Method {
 public:
  explicit Mvcca(const Options& options) : options_(options), grouping_(options) {}

  static Derived derive(const Dataset& data, const Options& options, Context& ctx);
  void settled(Archive& ar) override;
  void start(const Dataset& data, Context& ctx) override { attach(data, ctx); }
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status, Context&) override { return false; }
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  using Views = std::vector<PreparedMatrix>;
  void decompose(Context& ctx);  // the next view
  void find_subspace(Context& ctx);
  std::vector<double> weights(Index view) const;  // s^2 / (s^2 + r)
  // Vectors that truncated_svd has converged to are the leading ones.
  double decomposition_gap(Index view, bool is_leading) const;
  Matrix root_of_sum() const;
  double subspace_gap(Executor& executor) const;

  Options options_;
  std::shared_ptr<const Views> views_;
  std::vector<Matrix> left_;                   // U_v of the views done so far
  std::vector<std::vector<double>> singular_;  // s
  Matrix embedding_;                           // G, no rows before it is found
  std::vector<double> values_;
  std::vector<double> gaps_;  // of the views done so far, then of the embedding
  views::Grouping grouping_;
};

// q for these data and options.
Index n_directions(const Dataset& data, const Options& options);

}  // namespace gingham::methods::mvcca
