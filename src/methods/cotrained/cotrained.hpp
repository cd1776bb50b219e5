// Co-trained multi-view spectral clustering (Kumar, Daume 2011). In turn, for every view v:
//
//   S_v = sym( (sum_(w != v) U_w U_w^T) K_v ),    sym(A) = (A + A^T) / 2
//   U_v: the k leading eigenvectors of L(S_v) = D^(-1/2) S_v D^(-1/2)  (kernel_views/affinity.hpp)
//
// K_v: the view's kernel; the first U_v are those of L(K_v). With a single view S_v = K_v. There is
// no objective that this lowers: the loss reported is sum_v tr U_v^T (I - L(S_v)) U_v, and the gap
// of a view says how far U_v is from the leading eigenvectors of its L(S_v), that is, from a fixed
// point. k-means works on the rows of [U_1 ... U_m], at length 1.
//
// S_v has rank 2 (m - 1) k and is never formed: one product with K_v and one pass over the cells of
// S_v for its degrees.
#pragma once
#include "gingham/methods/kernel_views/view_spectral.hpp"

namespace gingham::methods::cotrained {

class Cotrained final : public kernel_views::ViewSpectral {
 public:
  explicit Cotrained(const Options& options) : ViewSpectral(options) {}

 private:
  class Affinity;

  void update(Index block, Context& ctx) override;
  Terms objective(double enough, Executor& executor) const override;
  Affinity affinity(Index view, Executor& executor) const;  // L(S_v)
};

}  // namespace gingham::methods::cotrained
