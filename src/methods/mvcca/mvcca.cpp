#include "gingham/methods/mvcca/mvcca.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/small_eigen.hpp"
#include "gingham/kernels/symmetric_eigen.hpp"
#include "gingham/kernels/truncated_svd.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::mvcca {
namespace {

// Residuals of singular vectors are gaps: well below the tolerance, no finer than double can.
constexpr double kOfTheTolerance = 0.1, kFinest = 1e-12;
constexpr double kNothing = 1e-10;  // singular values and eigenvalues below this share are none

std::vector<double> column(const Matrix& x, Index k) {
  std::vector<double> values(static_cast<std::size_t>(x.rows()));
  for (Index i = 0; i < x.rows(); ++i) values[i] = x(i, k);
  return values;
}

}  // namespace

Index n_directions(const Dataset& data, const Options& options) {
  Index components = 0;
  const Index rows = data.block(0).shape()[0];
  for (const Block& block : data.blocks())
    components += std::min({options.integer("components"), rows, block.shape()[1]});
  const Index wanted = options.integer("dimensions") > 0
                           ? options.integer("dimensions")
                           : std::max<Index>(options.integer("clusters") - 1, 1);
  return std::min({wanted, components, rows});
}

Derived Mvcca::derive(const Dataset& data, const Options& options, Context& ctx) {
  auto made = std::make_shared<Views>();
  for (const Block& block : data.blocks())
    made->emplace_back(block, views::scale_of(options), ctx.executor());
  return made;
}

// All that comes before k-means: it draws nothing.
void Mvcca::settled(Archive& ar) {
  ar("left", left_)("singular", singular_)("embedding", embedding_)("values", values_);
  ar("gaps", gaps_);
}

void Mvcca::attach(const Dataset& data, Context& ctx) {
  views_ = ctx.derived<Views>();
  if (values_.empty()) values_.resize(static_cast<std::size_t>(n_directions(data, options_)));
}

void Mvcca::decompose(Context& ctx) {
  ctx.phase("components");
  const PreparedMatrix& view = (*views_)[left_.size()];
  const LinearOperator x{view.rows(), view.cols(),
                         [&](ConstVec from, Vec to) {
                           ctx.check_stop();
                           view.multiply(from, to);
                         },
                         [&](ConstVec from, Vec to) { view.multiply_transposed(from, to); }};
  Svd svd =
      truncated_svd(x, std::min({options_.integer("components"), view.rows(), view.cols()}),
                    Rng::named(0, "components"),  // not from the seed: it depends on the data alone
                    std::max(kOfTheTolerance * options_.real("tolerance"), kFinest));
  left_.push_back(std::move(svd.u));
  singular_.push_back(std::move(svd.s));
  gaps_.push_back(decomposition_gap(std::ssize(left_) - 1, svd.converged));
}

std::vector<double> Mvcca::weights(Index v) const {
  const PreparedMatrix& view = (*views_)[v];
  // In units of the largest singular value: squares neither overflow nor underflow.
  const double largest = singular_[v][0];
  const double ridge = options_.real("ridge") * (std::sqrt(view.squares()) / largest) *
                       (std::sqrt(view.squares()) / largest) / static_cast<double>(view.cols());
  std::vector<double> result;
  for (const double s : singular_[v]) {
    const double square = (s / largest) * (s / largest);
    result.push_back(s > kNothing * largest ? square / (square + ridge) : 0.0);
  }
  return result;
}

// Z = [U_v diag(weights)^(1/2)]: M = Z Z^T.
Matrix Mvcca::root_of_sum() const {
  Index width = 0;
  for (const Matrix& u : left_) width += u.cols();
  Matrix z(left_[0].rows(), width);
  Index at = 0;
  for (std::size_t v = 0; v < left_.size(); ++v) {
    const std::vector<double> weight = weights(static_cast<Index>(v));
    for (Index k = 0; k < left_[v].cols(); ++k, ++at) {
      const double root = std::sqrt(weight[k]);
      for (Index i = 0; i < z.rows(); ++i) z(i, at) = left_[v](i, k) * root;
    }
  }
  return z;
}

// G = Z Y theta^(-1/2) with Z^T Z Y = Y diag(theta).
void Mvcca::find_subspace(Context& ctx) {
  ctx.phase("subspace");
  const Index n = left_[0].rows(), q = static_cast<Index>(values_.size());
  const Matrix z = root_of_sum();
  const Index width = z.cols();
  Matrix small;
  gram(z, small, ctx.executor());
  const SmallEigen solved = small_eigenpairs(small);
  Matrix embedding(n, q);
  const double largest = solved.values.empty() ? 0.0 : solved.values[0];
  for (Index k = 0; k < q; ++k) {
    const double theta = solved.values[k];
    values_[k] = theta > kNothing * largest ? theta : 0.0;
    if (values_[k] == 0.0) continue;
    double peak = 0.0;
    for (Index i = 0; i < n; ++i) {
      double sum = 0.0;
      for (Index j = 0; j < width; ++j) sum += z(i, j) * solved.vectors(j, k);
      embedding(i, k) = sum / std::sqrt(theta);
      if (std::abs(embedding(i, k)) > std::abs(peak)) peak = embedding(i, k);
    }
    for (Index i = 0; peak < 0.0 && i < n; ++i) embedding(i, k) = -embedding(i, k);
  }
  embedding_ = std::move(embedding);
  gaps_.push_back(subspace_gap(ctx.executor()));
}

Done Mvcca::step(Context& ctx) {
  if (left_.size() < views_->size()) {
    decompose(ctx);
    return Done::nothing;
  }
  if (embedding_.rows() == 0) {
    find_subspace(ctx);
    return Done::nothing;
  }
  if (!grouping_.has_begun()) {
    grouping_.begin(embedding_);
    return Done::nothing;
  }
  return grouping_.step(ctx) ? Done::iteration : Done::nothing;
}

// max_k || X X^T u_k - s_k^2 u_k || / s_1^2, or what another direction in place of the last would
// gain in these units.
double Mvcca::decomposition_gap(Index v, bool is_leading) const {
  const PreparedMatrix& view = (*views_)[v];
  const double largest = singular_[v][0];
  if (largest == 0.0) return 0.0;
  const SymmetricOperator squares{.n = view.rows(), .apply = [&](const Matrix& x, Matrix& y) {
                                    y = Matrix(x.rows(), x.cols());
                                    std::vector<double> back(static_cast<std::size_t>(view.cols())),
                                        forth(static_cast<std::size_t>(view.rows()));
                                    for (Index k = 0; k < x.cols(); ++k) {
                                      view.multiply_transposed(column(x, k), back);
                                      scale(1.0 / largest, back);
                                      view.multiply(back, forth);
                                      for (Index i = 0; i < x.rows(); ++i)
                                        y(i, k) = forth[i] / largest;
                                    }
                                  }};
  Matrix products;
  squares.apply(left_[v], products);
  double gap =
      is_leading ? 0.0 : exchange_gain(squares, left_[v], products, Rng::named(0, "outside"));
  for (Index k = 0; k < left_[v].cols(); ++k) {
    std::vector<double> off = column(products, k);
    const double share = singular_[v][k] / largest;
    axpy(-share * share, column(left_[v], k), off);
    gap = std::max(gap, norm2(off));
  }
  return gap;
}

// max_k || M g_k - theta_k g_k ||, or what another direction in place of the last would gain: the
// largest eigenvalue of Z^T (I - G G^T) Z less the last theta. Relative to the number of views,
// which bounds M.
double Mvcca::subspace_gap(Executor& executor) const {
  const Matrix z = root_of_sum();
  Matrix small, crossed;
  gram(z, small, executor);
  multiply_transposed(embedding_, z, crossed, executor);
  for (Index k = 0; k < crossed.rows(); ++k) {
    for (Index i = 0; i < small.rows(); ++i) axpy(-crossed(k, i), crossed.row(k), small.row(i));
  }
  double gap = std::max(small_eigenpairs(small).values[0] - values_.back(), 0.0);
  for (Index k = 0; k < embedding_.cols(); ++k) {
    const std::vector<double> g = column(embedding_, k);
    std::vector<double> off = g;
    scale(-values_[k], off);
    for (std::size_t v = 0; v < left_.size(); ++v) {
      const std::vector<double> weight = weights(static_cast<Index>(v));
      for (Index p = 0; p < left_[v].cols(); ++p) {
        const std::vector<double> u = column(left_[v], p);
        axpy(weight[p] * dot(u, g), u, off);
      }
    }
    gap = std::max(gap, norm2(off));
  }
  return gap / static_cast<double>(left_.size());
}

Terms Mvcca::terms(Context& ctx, Accuracy) {
  Terms terms;
  terms.loss = grouping_.inertia(ctx.executor());
  for (std::size_t v = 0; v < left_.size(); ++v)
    terms.gaps.push_back({"view_" + std::to_string(v), gaps_[v]});
  terms.gaps.push_back({"embedding", gaps_.back()});
  grouping_.add_gaps(terms, ctx.executor());
  terms.is_finished = grouping_.is_done();  // another iteration would find the same
  return terms;
}

Model Mvcca::model(Context&) const {
  Model model;
  if (!grouping_.has_result()) return model;
  for (std::size_t v = 0; v < left_.size(); ++v)
    model.arrays.push_back({"scores_" + std::to_string(v), left_[v]});
  for (std::size_t v = 0; v < left_.size(); ++v)
    model.arrays.push_back({"singular_" + std::to_string(v), singular_[v]});
  model.arrays.push_back({"embedding", embedding_});
  model.arrays.push_back({"values", values_});
  grouping_.add_to(model);
  return model;
}

void Mvcca::state(Archive& ar) {
  settled(ar);
  if (ar.reading() && gaps_.size() != left_.size() + (embedding_.rows() > 0 ? 1 : 0))
    throw Error(ErrorCode::input, "", "saved state: gaps do not fit the views");
  grouping_.state(ar);
}

}  // namespace gingham::methods::mvcca
