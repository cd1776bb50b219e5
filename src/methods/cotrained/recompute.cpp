// Loss and gaps of the embeddings from the data and the stored embeddings, by plain loops.
#include "gingham/methods/cotrained/recompute.hpp"

#include <algorithm>

#include "gingham/methods/kernel_views/plain_kernels.hpp"
#include "gingham/methods/kernel_views/plain_subspace.hpp"

namespace gingham::methods::cotrained {

using kernel_views::plain_inner_product;
using kernel_views::plain_product;
using kernel_views::plain_rows;
using kernel_views::Rows;
using kernel_views::Triangle;
using views::Real;

namespace {

// sym( sum_(w != view) U_w U_w^T K )
Triangle trained(const Triangle& kernel, const std::vector<Rows>& u, std::size_t view) {
  const Index n = kernel.n();
  Triangle s(n);
  for (std::size_t w = 0; w < u.size(); ++w) {
    if (w == view) continue;
    const Rows b = plain_product(kernel, u[w]);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j <= i; ++j) {
        Real sum = 0;
        for (std::size_t k = 0; k < b[i].size(); ++k)
          sum += u[w][i][k] * b[j][k] + u[w][j][k] * b[i][k];
        s.at(i, j) += static_cast<double>(sum / 2);
      }
    }
  }
  return s;
}

}  // namespace

Terms recompute_objective(const Dataset& data, const Options& options, const Model& model) {
  const Index n = data.block(0).shape()[0], width = std::min(n, options.integer("clusters"));
  std::vector<Rows> u;
  for (Index v = 0; v < data.size(); ++v)
    u.push_back(plain_rows(find_matrix(model, "embedding_" + std::to_string(v), n, width)));
  Terms terms;
  Real loss = 0;
  for (std::size_t v = 0; v < u.size(); ++v) {
    Triangle l = kernel_views::plain_kernel(data, options, static_cast<Index>(v)).values;
    if (u.size() > 1) l = trained(l, u, v);
    plain_normalize(l);
    const Rows lu = plain_product(l, u[v]);
    loss += std::max<Real>(static_cast<Real>(width) - plain_inner_product(u[v], lu), 0);
    const auto apply = [&](const kernel_views::Reals& x) { return plain_product(l, x); };
    terms.gaps.push_back(
        {"view_" + std::to_string(v),
         static_cast<double>(kernel_views::plain_subspace_gap(u[v], lu, apply, 1))});
  }
  terms.loss = static_cast<double>(loss);
  return terms;
}

}  // namespace gingham::methods::cotrained
