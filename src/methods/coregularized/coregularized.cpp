#include "gingham/methods/coregularized/coregularized.hpp"

#include <algorithm>

#include "gingham/kernels/products.hpp"
#include "gingham/kernels/symmetric_eigen.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/kernel_views/affinity.hpp"

namespace gingham::methods::coregularized {
namespace {

using kernel_views::add_projection;
using kernel_views::inner_product;
using kernel_views::subspace_gap;

constexpr double kRounding = 1e-12;  // subspaces closer than this are the same

// k - ||U^T V||_F^2, from the part of V outside U.
double apart_of(const Matrix& u, const Matrix& v, Executor& executor) {
  Matrix outside = v;
  add_projection(-1.0, u, v, outside, executor);
  const double apart = sum_squares(outside.values());
  return apart > kRounding ? apart : 0.0;
}

}  // namespace

Coregularized::Coregularized(const Options& options)
    : ViewSpectral(options),
      lambda_(options.real("lambda")),
      has_centroid_(options.text("form") == "centroid") {}

void Coregularized::apply(Index view, const Matrix& x, Matrix& y, Executor& executor) const {
  multiply(kernels()[view], x, y, executor);
  if (has_centroid_) {
    if (centroid_.rows() > 0) add_projection(lambda_, centroid_, x, y, executor);
    return;
  }
  for (Index w = 0; w < n_views(); ++w) {
    if (w != view) add_projection(lambda_, vectors_[w], x, y, executor);
  }
}

void Coregularized::apply_centroid(const Matrix& x, Matrix& y, Executor& executor) const {
  y = Matrix(x.rows(), x.cols());
  for (const Matrix& u : vectors_) add_projection(1.0, u, x, y, executor);
}

void Coregularized::update_centroid(Context& ctx) {
  const SymmetricOperator projections{.n = n_rows(), .apply = [&](const Matrix& x, Matrix& y) {
                                        ctx.check_stop();
                                        apply_centroid(x, y, ctx.executor());
                                      }};
  const Matrix* from = centroid_.rows() > 0 ? &centroid_ : &vectors_[0];
  Matrix fresh =
      leading_eigenpairs(projections, width(), kernel_views::eigen_start(), tolerance(), from)
          .vectors;
  centroid_ = std::move(fresh);
}

// The centroid comes first: the embeddings begin without one.
void Coregularized::update(Index block, Context& ctx) {
  if (has_centroid_ && block == 0) return update_centroid(ctx);
  const Index view = has_centroid_ ? block - 1 : block;
  const SymmetricOperator drawn{.n = n_rows(), .apply = [&](const Matrix& x, Matrix& y) {
                                  ctx.check_stop();
                                  apply(view, x, y, ctx.executor());
                                }};
  Matrix fresh =
      leading_eigenpairs(drawn, width(), kernel_views::eigen_start(), tolerance(), &vectors_[view])
          .vectors;
  vectors_[view] = std::move(fresh);
}

double Coregularized::bound() const {
  return 1.0 + lambda_ * (has_centroid_ ? 1.0 : static_cast<double>(n_views() - 1));
}

Terms Coregularized::objective(double enough, Executor& executor) const {
  Terms terms;
  const auto k = static_cast<double>(width());
  double apart = 0.0;
  Matrix products;
  for (Index v = 0; v < n_views(); ++v) {
    multiply(kernels()[v], vectors_[v], products, executor);
    terms.loss += std::max(k - inner_product(vectors_[v], products), 0.0);
    const SymmetricOperator m{
        .n = n_rows(), .apply = [&](const Matrix& x, Matrix& y) { apply(v, x, y, executor); }};
    m.apply(vectors_[v], products);
    terms.gaps.push_back({"view_" + std::to_string(v),
                          subspace_gap(m, vectors_[v], products, bound(), enough, executor)});
    if (has_centroid_) apart += apart_of(vectors_[v], centroid_, executor);
    for (Index w = 0; w < v && !has_centroid_; ++w)
      apart += apart_of(vectors_[v], vectors_[w], executor);
  }
  if (has_centroid_) {
    const SymmetricOperator m{.n = n_rows(), .apply = [&](const Matrix& x, Matrix& y) {
                                apply_centroid(x, y, executor);
                              }};
    m.apply(centroid_, products);
    terms.gaps.push_back(
        {"centroid",
         subspace_gap(m, centroid_, products, static_cast<double>(n_views()), enough, executor)});
  }
  terms.penalties = {{"disagreement", lambda_ * apart}};
  return terms;
}

Matrix Coregularized::joint_embedding() const {
  return has_centroid_ ? centroid_ : ViewSpectral::joint_embedding();
}

void Coregularized::add_arrays(Model& model) const {
  if (has_centroid_) model.arrays.push_back({"centroid", centroid_});
}

}  // namespace gingham::methods::coregularized
