// The objective and the gaps of the embeddings from the data and the stored embeddings, by plain
// loops.
#include "gingham/methods/coregularized/recompute.hpp"

#include <algorithm>

#include "gingham/methods/kernel_views/plain_kernels.hpp"
#include "gingham/methods/kernel_views/plain_subspace.hpp"

namespace gingham::methods::coregularized {

using kernel_views::plain_inner_product;
using kernel_views::plain_product;
using kernel_views::plain_rows;
using kernel_views::plain_subspace_gap;
using kernel_views::plain_transposed_product;
using kernel_views::Reals;
using kernel_views::Rows;
using views::Real;

namespace {

// y += factor U (U^T x)
void add_projection(Real factor, const Rows& u, const Rows& x, Rows& y) {
  const Rows inside = plain_product(u, plain_transposed_product(u, x));
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t k = 0; k < y[i].size(); ++k) y[i][k] += factor * inside[i][k];
  }
}

void add_projection(Real factor, const Rows& u, const Reals& x, Reals& y) {
  Reals inside(u.empty() ? 0 : u[0].size(), 0);
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t k = 0; k < inside.size(); ++k) inside[k] += u[i][k] * x[i];
  }
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t k = 0; k < inside.size(); ++k) y[i] += factor * u[i][k] * inside[k];
  }
}

// k - ||U^T V||_F^2; less than 1e-12 is rounding and counts as none.
Real apart_of(const Rows& u, const Rows& v) {
  Rows outside = v;
  add_projection(-1, u, v, outside);
  const Real apart = plain_inner_product(outside, outside);
  return apart > 1e-12L ? apart : 0;
}

}  // namespace

Terms recompute_objective(const Dataset& data, const Options& options, const Model& model) {
  const Index n = data.block(0).shape()[0], width = std::min(n, options.integer("clusters"));
  const Real k = static_cast<Real>(width), lambda = options.real("lambda");
  const bool has_centroid = options.text("form") == "centroid";
  std::vector<Rows> u;
  for (Index v = 0; v < data.size(); ++v)
    u.push_back(plain_rows(find_matrix(model, "embedding_" + std::to_string(v), n, width)));
  std::vector<Rows> drawn_to = u;
  if (has_centroid) drawn_to = {plain_rows(find_matrix(model, "centroid", n, width))};

  Terms terms;
  Real loss = 0, apart = 0;
  const Real bound = 1 + lambda * static_cast<Real>(has_centroid ? 1 : u.size() - 1);
  for (std::size_t v = 0; v < u.size(); ++v) {
    kernel_views::PlainKernel kernel =
        kernel_views::plain_kernel(data, options, static_cast<Index>(v));
    plain_normalize(kernel.values);
    Rows mu = plain_product(kernel.values, u[v]);
    loss += std::max<Real>(k - plain_inner_product(u[v], mu), 0);
    for (std::size_t w = 0; w < drawn_to.size(); ++w) {
      if (!has_centroid && w == v) continue;
      add_projection(lambda, drawn_to[w], u[v], mu);
      if (has_centroid || w < v) apart += apart_of(u[v], drawn_to[w]);
    }
    const auto apply = [&](const Reals& x) {
      Reals y = plain_product(kernel.values, x);
      for (std::size_t w = 0; w < drawn_to.size(); ++w) {
        if (has_centroid || w != v) add_projection(lambda, drawn_to[w], x, y);
      }
      return y;
    };
    terms.gaps.push_back({"view_" + std::to_string(v),
                          static_cast<double>(plain_subspace_gap(u[v], mu, apply, bound))});
  }
  if (has_centroid) {
    Rows mu(u[0].size(), std::vector<Real>(u[0][0].size(), 0));
    for (const Rows& one : u) add_projection(1, one, drawn_to[0], mu);
    const auto apply = [&](const Reals& x) {
      Reals y(x.size(), 0);
      for (const Rows& one : u) add_projection(1, one, x, y);
      return y;
    };
    const Real gap = plain_subspace_gap(drawn_to[0], mu, apply, static_cast<Real>(u.size()));
    terms.gaps.push_back({"centroid", static_cast<double>(gap)});
  }
  terms.loss = static_cast<double>(loss);
  terms.penalties = {{"disagreement", static_cast<double>(lambda * apart)}};
  return terms;
}

}  // namespace gingham::methods::coregularized
