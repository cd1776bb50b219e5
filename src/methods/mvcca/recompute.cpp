// Every number of a result from the data, the views' components, the embedding, labels and centres,
// by plain loops.
#include "gingham/methods/mvcca/recompute.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/methods/views/plain.hpp"

namespace gingham::methods::mvcca {
namespace {

using views::Real;
using Reals = std::vector<Real>;

struct View {
  const Matrix* left;
  const std::vector<double>* singular;
  Reals weights;
  Real gap = 0;
};

View read_view(const Dataset& data, const Options& options, const Model& model, Index v) {
  const views::PlainView x(data.block(v), views::scale_of(options));
  const Index width = std::min({options.integer("components"), x.rows(), x.cols()});
  View view{.left = &find_matrix(model, "scores_" + std::to_string(v), x.rows(), width),
            .singular = &find_vector(model, "singular_" + std::to_string(v), width),
            .weights = {}};
  Real squares = 0;
  for (Index i = 0; i < x.rows(); ++i) squares += x.inner_product(i, i);
  const Real largest = (*view.singular)[0];
  const Real ridge = options.real("ridge") * squares / static_cast<Real>(x.cols());
  for (Index k = 0; k < width; ++k) {
    const Real s = (*view.singular)[k];
    view.weights.push_back(s > 1e-10L * largest ? s * s / (s * s + ridge) : 0);
    Reals back(static_cast<std::size_t>(x.cols()), 0);
    for (Index i = 0; i < x.rows(); ++i)
      x.for_each_cell(i, [&](Index j, Real cell) { back[j] += cell * (*view.left)(i, k); });
    Real off = 0;
    for (Index i = 0; i < x.rows(); ++i) {
      Real forth = 0;
      x.for_each_cell(i, [&](Index j, Real cell) { forth += cell * back[j]; });
      off +=
          std::pow((forth - s * s * (*view.left)(i, k)) / std::max(largest * largest, 1e-4000L), 2);
    }
    if (largest > 0) view.gap = std::max(view.gap, std::sqrt(off));
  }
  return view;
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  const Index n = data.block(0).shape()[0];
  Recomputed result;
  std::vector<View> all;
  for (Index v = 0; v < data.size(); ++v) {
    all.push_back(read_view(data, options, model, v));
    result.terms.gaps.push_back({"view_" + std::to_string(v), static_cast<double>(all.back().gap)});
  }
  const Matrix& g = find_matrix(model, "embedding", n, -1);
  const std::vector<double>& values = find_vector(model, "values", g.cols());
  Real gap = 0;
  for (Index k = 0; k < g.cols(); ++k) {
    Reals off(static_cast<std::size_t>(n), 0);
    for (Index i = 0; i < n; ++i) off[i] = -static_cast<Real>(values[k]) * g(i, k);
    for (const View& view : all) {
      for (std::size_t p = 0; p < view.weights.size(); ++p) {
        Real dot = 0;
        const auto at = static_cast<Index>(p);
        for (Index i = 0; i < n; ++i) dot += static_cast<Real>((*view.left)(i, at)) * g(i, k);
        for (Index i = 0; i < n; ++i) off[i] += view.weights[p] * dot * (*view.left)(i, at);
      }
    }
    Real squares = 0;
    for (const Real one : off) squares += one * one;
    gap = std::max(gap, std::sqrt(squares));
  }
  result.terms.gaps.push_back(
      {"embedding", static_cast<double>(gap / static_cast<Real>(all.size()))});
  std::vector<Reals> points;
  for (Index i = 0; i < n; ++i) points.emplace_back(g.row(i).begin(), g.row(i).end());
  Real inertia = 0;
  views::recompute_grouping(points, model, options.integer("clusters"), result, inertia);
  result.terms.loss = static_cast<double>(inertia);
  result.squares = static_cast<double>(g.cols());
  return result;
}

}  // namespace gingham::methods::mvcca
