// Every number of a result from the data, the views' components, the embedding, labels and centres,
// by plain loops.
#include "gingham/methods/mvcca/recompute.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/methods/kernel_views/plain_subspace.hpp"
#include "gingham/methods/views/plain.hpp"

namespace gingham::methods::mvcca {
namespace {

using kernel_views::Reals;
using kernel_views::Rows;
using views::Real;

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
  // Another direction in place of the last one.
  const kernel_views::PlainOperator xx = [&](const Reals& y) {
    Reals back(static_cast<std::size_t>(x.cols()), 0), forth(y.size(), 0);
    for (Index i = 0; i < x.rows(); ++i)
      x.for_each_cell(i, [&](Index j, Real cell) { back[j] += cell * y[i]; });
    for (Index i = 0; i < x.rows(); ++i)
      x.for_each_cell(i, [&](Index j, Real cell) { forth[i] += cell * back[j]; });
    return forth;
  };
  const Rows u = kernel_views::plain_rows(*view.left);
  const Real outside = kernel_views::plain_largest_outside(x.rows(), xx, u);
  const Real last = view.singular->back();
  if (largest > 0) {
    view.gap = std::max({view.gap, (outside - last * last) / largest / largest,
                         kernel_views::plain_off_orthonormal(u)});
  } else if (squares > 0) {
    view.gap = 1;  // there are directions, none was found
  }
  return view;
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  const Index n = data.block(0).shape()[0];
  Recomputed result;
  std::vector<View> all;
  Index n_components = 0;
  for (Index v = 0; v < data.size(); ++v) {
    all.push_back(read_view(data, options, model, v));
    n_components += all.back().left->cols();
    result.terms.gaps.push_back({"view_" + std::to_string(v), static_cast<double>(all.back().gap)});
  }
  Index q = options.integer("dimensions");
  if (q == 0) q = std::max<Index>(options.integer("clusters") - 1, 1);
  q = std::min(q, n_components);
  const Matrix& g = find_matrix(model, "embedding", n, std::min(q, n));
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
  // Another direction in place of the last one. Directions that nothing is left for are zeros.
  const kernel_views::PlainOperator m = [&](const Reals& x) {
    Reals y(x.size(), 0);
    for (const View& view : all) {
      for (std::size_t p = 0; p < view.weights.size(); ++p) {
        Real dot = 0;
        const auto at = static_cast<Index>(p);
        for (Index i = 0; i < n; ++i) dot += (*view.left)(i, at) * x[i];
        for (Index i = 0; i < n; ++i) y[i] += view.weights[p] * dot * (*view.left)(i, at);
      }
    }
    return y;
  };
  Rows found(static_cast<std::size_t>(n));
  for (Index k = 0; k < g.cols(); ++k) {
    for (Index i = 0; i < n && values[k] != 0.0; ++i) found[i].push_back(g(i, k));
  }
  gap = std::max(gap, kernel_views::plain_largest_outside(n, m, found) - values.back()) /
        static_cast<Real>(all.size());
  // How far directions are from orthonormal, each by its own value: one of value near 0 is
  // rounding.
  for (Index k = 0; k < g.cols(); ++k) {
    for (Index l = 0; l < g.cols(); ++l) {
      if (values[k] == 0.0 || values[l] == 0.0) continue;
      Real product = k == l ? -1 : 0;
      for (Index i = 0; i < n; ++i) product += static_cast<Real>(g(i, k)) * g(i, l);
      const Real weight = std::sqrt(static_cast<Real>(values[k]) * values[l]);
      gap = std::max(gap, std::abs(product) * weight / static_cast<Real>(all.size()));
    }
  }
  result.terms.gaps.push_back({"embedding", static_cast<double>(gap)});
  std::vector<Reals> points;
  for (Index i = 0; i < n; ++i) points.emplace_back(g.row(i).begin(), g.row(i).end());
  Real inertia = 0;
  views::recompute_grouping(points, model, options.integer("clusters"), result, inertia);
  result.terms.loss = static_cast<double>(inertia);
  result.squares = static_cast<double>(g.cols());
  return result;
}

}  // namespace gingham::methods::mvcca
