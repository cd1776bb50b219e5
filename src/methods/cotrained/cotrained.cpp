#include "gingham/methods/cotrained/cotrained.hpp"

#include <algorithm>

#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/small_eigen.hpp"
#include "gingham/kernels/symmetric_eigen.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/kernel_views/affinity.hpp"

namespace gingham::methods::cotrained {
namespace {

constexpr Index kTile = 256;  // rows and columns of S at a time

// D^(-1/2) of S = (U B^T + B U^T) / 2 = [U B] [B U]^T / 2, by tiles.
std::vector<double> degree_scale(const Matrix& u, const Matrix& b, Executor& executor) {
  const Matrix left = kernel_views::side_by_side({u, b}),
               right = kernel_views::side_by_side({b, u});
  const Index n = left.rows(), width = left.cols(), tiles = (n + kTile - 1) / kTile;
  std::vector<double> scale(static_cast<std::size_t>(n), 0.0);
  const BlasSingleThread single;
  executor.map(tiles, [&](Index tile) {
    const Index top = tile * kTile, height = std::min(kTile, n - top);
    Array<double> cells(height * kTile);
    std::vector<double> degrees(static_cast<std::size_t>(height), 0.0);
    for (Index first = 0; first < n; first += kTile) {
      const Index across = std::min(kTile, n - first);
      gemm(Op::none, Op::transpose, height, across, width, 0.5, left.row(top).data(), width,
           right.row(first).data(), width, 0.0, cells.data(), across);
      for (Index i = 0; i < height; ++i) {
        const ConstVec row(cells.data() + i * across, static_cast<std::size_t>(across));
        degrees[i] += sum_abs(row);
      }
    }
    for (Index i = 0; i < height; ++i) scale[top + i] = kernel_views::inverse_root(degrees[i]);
  });
  return scale;
}

}  // namespace

// L(S_v) by its products. S = (U B^T + B U^T) / 2 with U the other views' embeddings side by side
// and B = K U; S = K where there are no others.
class Cotrained::Affinity {
 public:
  Affinity(const Matrix& kernel, const std::vector<Matrix>& others, Executor& executor)
      : kernel_(kernel) {
    if (others.empty()) {
      scale_ = kernel_views::degree_scale(kernel, executor);
      return;
    }
    u_ = kernel_views::side_by_side(others);
    gingham::multiply(kernel, u_, b_, executor);
    scale_ = degree_scale(u_, b_, executor);
  }

  void multiply(const Matrix& x, Matrix& y, Executor& executor) const {
    if (u_.rows() == 0) return kernel_views::multiply_normalized(kernel_, scale_, x, y, executor);
    Matrix scaled = x, inside, back;
    kernel_views::scale_rows(scale_, scaled);
    multiply_transposed(b_, scaled, inside, executor);
    gingham::multiply(u_, inside, y, executor);
    multiply_transposed(u_, scaled, inside, executor);
    gingham::multiply(b_, inside, back, executor);
    axpy(1.0, back.values(), y.values());
    scale(0.5, y.values());
    kernel_views::scale_rows(scale_, y);
  }

  // The k leading eigenvectors; empty where L has fewer than k positive eigenvalues or is not of
  // low rank.
  Matrix low_rank_vectors(Index k) const {
    if (u_.rows() == 0) return {};
    Matrix both = kernel_views::side_by_side({u_, b_});
    kernel_views::scale_rows(scale_, both);
    return low_rank_eigenvectors(both, k);
  }

 private:
  const Matrix& kernel_;
  Matrix u_, b_;
  std::vector<double> scale_;  // D^(-1/2)
};

Cotrained::Affinity Cotrained::affinity(Index view, Executor& executor) const {
  std::vector<Matrix> others;
  for (Index w = 0; w < n_views(); ++w) {
    if (w != view) others.push_back(vectors_[w]);
  }
  return {kernels()[view], others, executor};
}

void Cotrained::update(Index block, Context& ctx) {
  const Affinity l = affinity(block, ctx.executor());
  Matrix fresh = l.low_rank_vectors(width());
  if (fresh.rows() > 0) {
    vectors_[block] = std::move(fresh);
    return;
  }
  const SymmetricOperator cotrained{.n = n_rows(), .apply = [&](const Matrix& x, Matrix& y) {
                                      ctx.check_stop();
                                      l.multiply(x, y, ctx.executor());
                                    }};
  fresh = leading_eigenpairs(cotrained, width(), kernel_views::eigen_start(), tolerance(),
                             &vectors_[block])
              .vectors;
  vectors_[block] = std::move(fresh);
}

Terms Cotrained::objective(double enough, Executor& executor) const {
  Terms terms;
  Matrix products;
  const auto k = static_cast<double>(width());
  for (Index v = 0; v < n_views(); ++v) {
    const Affinity l = affinity(v, executor);
    const SymmetricOperator m{
        .n = n_rows(), .apply = [&](const Matrix& x, Matrix& y) { l.multiply(x, y, executor); }};
    m.apply(vectors_[v], products);
    terms.loss += std::max(k - kernel_views::inner_product(vectors_[v], products), 0.0);
    terms.gaps.push_back(
        {"view_" + std::to_string(v),
         kernel_views::subspace_gap(m, vectors_[v], products, 1.0, enough, executor)});
  }
  return terms;
}

}  // namespace gingham::methods::cotrained
