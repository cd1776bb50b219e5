// Multi-view clustering and feature learning by structured sparsity (Wang, Nie, Huang 2013),
// without any labels given. X = [X_1 ... X_m]: the scaled views side by side (n x d), W: d x k,
// F: n x k, the scaled indicator of a partition: f_ik = 1 / sqrt(n_k) for the n_k rows of cluster
// k, 0 elsewhere.
//
//   min over W, b and partitions of
//     || X W + 1 b^T - F ||^2_F  +  gamma_1 sum_k sum_v |w_k^v|  +  gamma_2 sum_j |w^j|
//
//   w_k^v: the rows of view v in column k of W (group l1: does view v matter to cluster k),
//   w^j: row j of W (l21: does feature j matter at all), |w| = sqrt(||w||^2 + e^2) - e the
//   Euclidean norm, smooth at 0: e = 1e-3 / max_v ||X_v||_F. Weights that a norm with a corner
//   would make 0 stay below about e instead, and none is 0
//
// F stays a partition: relaxed to F^T F = I it drifts to whatever single features predict best
// (five clear groups of 8000 rows: agreement 1 falls to 0.3). The start is a k-means on the leading
// principal components of X. An iteration is a step for W (both penalties bounded above by
// quadratics at the present W, a few conjugate gradients on the sum), the best b, and one pass over
// the rows, each moved to the cluster that lowers the objective most. No cluster is emptied, and
// nothing raises the objective.
//
// One step is the components, a Lloyd iteration, or an iteration of the above: two products with
// every view for each of at most 20 conjugate gradients and each column, or one with X^T X where
// that is much smaller than dense views.
#pragma once
#include <cmath>
#include <memory>

#include "gingham/engine/registry.hpp"
#include "gingham/methods/views/grouping.hpp"
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::mvfl {

class Mvfl final : public Method {
 public:
  explicit Mvfl(const Options& options) : options_(options), first_(1, 1) {}

  static Derived derive(const Dataset& data, const Options& options, Context& ctx);
  void start(const Dataset& data, Context& ctx) override { attach(data, ctx); }
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status, Context&) override { return false; }
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  struct Prepared;
  enum class Stage { components, first_groups, learning };

  Index n_rows() const;
  void find_components(Context& ctx);
  void begin_learning();
  void learn(Context& ctx);
  // y = X w and y = X^T x, both over the unit.
  void apply(ConstVec w, Vec y) const;
  void apply_transposed(ConstVec x, Vec y) const;
  void apply_gram(ConstVec w, Vec scratch, Vec y, Executor& executor) const;  // X^T X w
  Matrix fitted(Executor& executor) const;                                    // X W
  // Weights of the quadratic bounds, half of gamma / |w|, for every entry of W.
  Matrix bounds() const;
  Matrix descend(const Matrix& fitted, Context& ctx) const;  // the next W
  double sum_norms(bool by_view) const;
  double indicator(Index i, Index k) const {
    return labels_[i] == k ? 1.0 / std::sqrt(static_cast<double>(counts_[k])) : 0.0;
  }
  // Where row i would go with Z = X W + 1 b^T fixed, by how much that changes the objective; `sums`
  // of z_ik over each cluster's rows.
  struct Move {
    Index to = 0;
    double change = 0.0;
  };
  Move best_move(Index i, ConstVec z, const std::vector<double>& sums) const;
  std::vector<double> sums_of(const Matrix& z) const;

  Options options_;
  std::shared_ptr<const Prepared> prepared_;
  Index width_ = 0;  // k, or as many as there are rows

  Stage stage_ = Stage::components;
  views::Grouping first_;
  Matrix weights_;  // W in units of the data: d x k
  std::vector<double> intercept_;
  std::vector<Index> labels_, counts_;
  bool has_learned_ = false;  // an iteration is done
};

}  // namespace gingham::methods::mvfl
