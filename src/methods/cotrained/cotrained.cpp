#include "gingham/methods/cotrained/cotrained.hpp"

#include "gingham/kernels/products.hpp"
#include "gingham/kernels/symmetric_eigen.hpp"
#include "gingham/methods/kernel_views/affinity.hpp"

namespace gingham::methods::cotrained {

Matrix Cotrained::affinity(Index view, Executor& executor) const {
  const Matrix& kernel = kernels()[view];
  if (n_views() == 1) {
    Matrix own = kernel;
    kernel_views::normalize(own, executor);
    return own;
  }
  std::vector<Matrix> others;
  for (Index w = 0; w < n_views(); ++w) {
    if (w != view) others.push_back(vectors_[w]);
  }
  // sum_w U_w U_w^T K = U B^T with U all of them side by side and B = K U.
  const Matrix u = kernel_views::side_by_side(others);
  Matrix b;
  multiply(kernel, u, b, executor);
  const Index n = n_rows(), width = u.cols();
  Matrix s(n, n);
  const Partition blocks = Partition::even(n, n * width);
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      const double *ui = u.row(i).data(), *bi = b.row(i).data();
      double* out = s.row(i).data();
      for (Index j = 0; j < n; ++j) {
        const double *uj = u.row(j).data(), *bj = b.row(j).data();
        double forth = 0.0, back = 0.0;
        for (Index k = 0; k < width; ++k) {
          forth += ui[k] * bj[k];
          back += uj[k] * bi[k];
        }
        out[j] = 0.5 * (forth + back);
      }
    }
  });
  kernel_views::normalize(s, executor);
  return s;
}

void Cotrained::update(Index block, Context& ctx) {
  const Matrix l = affinity(block, ctx.executor());
  const SymmetricOperator cotrained{.n = n_rows(), .apply = [&](const Matrix& x, Matrix& y) {
                                      ctx.check_stop();
                                      multiply(l, x, y, ctx.executor());
                                    }};
  Matrix fresh = leading_eigenpairs(cotrained, width(), kernel_views::eigen_start(), tolerance(),
                                    &vectors_[block])
                     .vectors;
  vectors_[block] = std::move(fresh);
}

Terms Cotrained::objective(Executor& executor) const {
  Terms terms;
  Matrix products;
  for (Index v = 0; v < n_views(); ++v) {
    multiply(affinity(v, executor), vectors_[v], products, executor);
    terms.loss += static_cast<double>(width()) - kernel_views::inner_product(vectors_[v], products);
    terms.gaps.push_back(
        {"view_" + std::to_string(v), kernel_views::subspace_gap(vectors_[v], products)});
  }
  return terms;
}

}  // namespace gingham::methods::cotrained
