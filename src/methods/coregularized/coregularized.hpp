// Co-regularised multi-view spectral clustering (Kumar, Rai, Daume 2011). With U_v (n x k,
// orthonormal columns) for every view and L_v its normalised kernel (kernel_views/affinity.hpp):
//
//   pairwise  F = sum_v tr U_v^T (I - L_v) U_v + lambda sum_(v < w) ( k - ||U_v^T U_w||_F^2 )
//   centroid  F = sum_v tr U_v^T (I - L_v) U_v + lambda sum_v       ( k - ||U_v^T U*||_F^2 )
//
// k - ||U_v^T U_w||^2 = 1/2 ||U_v U_v^T - U_w U_w^T||^2: how far apart the subspaces are. Each
// block is exact: U_v are the k leading eigenvectors of L_v + lambda sum_w U_w U_w^T (or + lambda
// U* U*^T), U* those of sum_v U_v U_v^T. k-means works on the rows of [U_1 ... U_m] (of U*), at
// length 1. Gaps are relative to the bounds 1 + lambda (m - 1) (or + lambda) and m of these
// matrices.
#pragma once
#include "gingham/methods/kernel_views/view_spectral.hpp"

namespace gingham::methods::coregularized {

class Coregularized final : public kernel_views::ViewSpectral {
 public:
  explicit Coregularized(const Options& options);

 private:
  Index n_blocks() const override { return n_views() + (has_centroid_ ? 1 : 0); }
  void update(Index block, Context& ctx) override;
  Terms objective(double enough, Executor& executor) const override;
  Matrix joint_embedding() const override;
  void add_arrays(Model& model) const override;
  void more_state(Archive& ar) override { ar("centroid", centroid_); }

  void update_centroid(Context& ctx);
  // y = (L_v + lambda sum U_w U_w^T) x for the blocks w that view v is drawn to.
  void apply(Index view, const Matrix& x, Matrix& y, Executor& executor) const;
  void apply_centroid(const Matrix& x, Matrix& y, Executor& executor) const;
  double bound() const;  // of the eigenvalues of what apply multiplies by

  double lambda_;
  bool has_centroid_;
  Matrix centroid_;  // U*, no rows before the first
};

}  // namespace gingham::methods::coregularized
