// Spectral clustering on the views' kernels combined into one (the baselines of Kumar, Rai, Daume
// 2011):
//
//   K = K^1 + ... + K^m   or   K_ij = K^1_ij ... K^m_ij,      L = D^(-1/2) K D^(-1/2)
//   U: the `clusters` leading eigenvectors of L, z_i: row i of U at length 1
//   F = sum_i || z_i - c_label(i) ||^2,      k-means, best of `starts`
//
// Gap of the embedding: subspace_gap of U and L, or max_i ||L u_i - theta_i u_i|| if that is
// larger.
//
// One step is the eigenvectors, then one Lloyd iteration each. The eigenvectors depend on the data
// alone. Memory: two n x n matrices.
#pragma once
#include <memory>

#include "gingham/engine/registry.hpp"
#include "gingham/methods/views/grouping.hpp"

namespace gingham::methods::kernel_views {

enum class Combination { sum, product };

class CombinedKernels final : public Method {
 public:
  explicit CombinedKernels(const Options& options);

  static Derived derive(const Dataset& data, const Options& options, Combination combination,
                        Context& ctx);
  void settled(Archive& ar) override;
  void start(const Dataset& data, Context& ctx) override { attach(data, ctx); }
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status, Context&) override { return false; }
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  struct Prepared;
  void embed(Context& ctx);
  double find_embedding_gap(Executor& executor) const;

  Options options_;
  std::shared_ptr<const Prepared> prepared_;
  Matrix vectors_;  // n x clusters; no rows before they are computed
  std::vector<double> values_;
  double embedding_gap_ = 0.0;
  views::Grouping grouping_;
};

// Everything the two methods share in their records; the rest is left to fill in.
MethodInfo combined_info(Combination combination);

}  // namespace gingham::methods::kernel_views
