// Every number of a result from the data, weights, intercept and labels, by plain loops.
#include "gingham/methods/mvfl/recompute.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/methods/views/plain.hpp"

namespace gingham::methods::mvfl {
namespace {

using views::Real;
using Rows = std::vector<std::vector<Real>>;

Real smooth_norm(Real squares, Real e) { return squares / (std::sqrt(squares + e * e) + e); }

struct Problem {
  std::vector<views::PlainView> views;
  std::vector<const Matrix*> weights;
  Real largest = 0;  // max ||X_v||_F
  Real smooth = 0;
};

Problem read_problem(const Dataset& data, const Options& options, const Model& model, Index width) {
  Problem problem;
  for (Index v = 0; v < data.size(); ++v) {
    problem.views.emplace_back(data.block(v), views::scale_of(options));
    const views::PlainView& x = problem.views.back();
    problem.weights.push_back(&find_matrix(model, "weights_" + std::to_string(v), x.cols(), width));
    Real squares = 0;
    for (Index i = 0; i < x.rows(); ++i) squares += x.inner_product(i, i);
    problem.largest = std::max(problem.largest, std::sqrt(squares));
  }
  if (problem.largest == 0) problem.largest = 1;
  problem.smooth = 1e-3L / problem.largest;
  return problem;
}

// X^T y for one view.
Rows transposed(const views::PlainView& x, const Rows& y) {
  Rows result(static_cast<std::size_t>(x.cols()), std::vector<Real>(y[0].size(), 0));
  for (Index i = 0; i < x.rows(); ++i) {
    x.for_each_cell(i, [&](Index j, Real cell) {
      for (std::size_t k = 0; k < y[i].size(); ++k) result[j][k] += cell * y[i][k];
    });
  }
  return result;
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  const Index n = data.block(0).shape()[0], clusters = options.integer("clusters");
  const Index width = std::min(n, clusters);
  const Problem problem = read_problem(data, options, model, width);
  const std::vector<double>& intercept = find_vector(model, "intercept", width);
  if (model.memberships.size() != 1 || model.memberships[0].n_items != n)
    throw Error(ErrorCode::input, "labels", "do not fit the data");
  const std::vector<Index> labels = strongest(model.memberships[0]);
  std::vector<Real> counts(static_cast<std::size_t>(clusters), 0);
  for (const Index label : labels) {
    if (label < 0 || label >= width) throw Error(ErrorCode::input, "labels", "a row has none");
    counts[label] += 1;
  }
  const Real gamma_view = static_cast<Real>(
      options.penalty("view-sparsity").resolve(2.0 * static_cast<double>(problem.largest)));
  const Real gamma_feature = static_cast<Real>(
      options.penalty("feature-sparsity").resolve(2.0 * static_cast<double>(problem.largest)));

  const auto k_size = static_cast<std::size_t>(width);
  Rows z(static_cast<std::size_t>(n), std::vector<Real>(k_size, 0)), off = z, f = z;
  Real loss = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < width; ++k) z[i][k] = intercept[k];
    for (std::size_t v = 0; v < problem.views.size(); ++v) {
      problem.views[v].for_each_cell(i, [&](Index j, Real cell) {
        for (Index k = 0; k < width; ++k) z[i][k] += cell * (*problem.weights[v])(j, k);
      });
    }
    for (Index k = 0; k < width; ++k) {
      f[i][k] = labels[i] == k ? 1 / std::sqrt(counts[k]) : 0;
      off[i][k] = z[i][k] - f[i][k];
      loss += off[i][k] * off[i][k];
    }
  }
  Real by_view = 0, by_feature = 0, gradient = 0, reference = 0;
  for (std::size_t v = 0; v < problem.views.size(); ++v) {
    const Matrix& w = *problem.weights[v];
    std::vector<Real> squares(k_size, 0);
    for (Index j = 0; j < w.rows(); ++j) {
      for (Index k = 0; k < width; ++k) squares[k] += static_cast<Real>(w(j, k)) * w(j, k);
    }
    for (const Real one : squares) by_view += smooth_norm(one, problem.smooth);
    const Rows slope = transposed(problem.views[v], off), pull = transposed(problem.views[v], f);
    for (Index j = 0; j < w.rows(); ++j) {
      Real row = 0;
      for (Index k = 0; k < width; ++k) row += static_cast<Real>(w(j, k)) * w(j, k);
      by_feature += smooth_norm(row, problem.smooth);
      for (Index k = 0; k < width; ++k) {
        const Real e2 = problem.smooth * problem.smooth;
        const Real bound =
            (gamma_view / std::sqrt(squares[k] + e2) + gamma_feature / std::sqrt(row + e2)) / 2;
        // In units of the data, so that W and b may be added.
        gradient += std::pow((slope[j][k] + bound * w(j, k)) / problem.largest, 2);
        reference += std::pow(pull[j][k] / problem.largest, 2);
      }
    }
  }
  std::vector<Real> sums(k_size, 0);
  for (Index k = 0; k < width; ++k) {
    Real slope = 0, pull = 0;
    for (Index i = 0; i < n; ++i) {
      slope += off[i][k];
      pull += f[i][k];
      if (labels[i] == k) sums[k] += z[i][k];
    }
    gradient += slope * slope / static_cast<Real>(n);
    reference += pull * pull / static_cast<Real>(n);
  }
  const auto value = [](Real sum, Real count) {
    return count > 0 ? 1 - 2 * sum / std::sqrt(count) : 0;
  };
  Index misplaced = 0;
  for (Index i = 0; i < n; ++i) {
    const Index from = labels[i];
    bool moves = false;
    for (Index k = 0; k < width && counts[from] > 1; ++k) {
      if (k == from) continue;
      const Real change = value(sums[from] - z[i][from], counts[from] - 1) -
                          value(sums[from], counts[from]) +
                          value(sums[k] + z[i][k], counts[k] + 1) - value(sums[k], counts[k]);
      moves = moves || change < -1e-9L;
    }
    misplaced += moves ? 1 : 0;
  }
  Recomputed result;
  result.squares = static_cast<double>(width);
  result.terms.loss = loss < 1e-24L ? 0.0 : static_cast<double>(loss);  // rounding alone
  result.terms.penalties = {{"views", static_cast<double>(gamma_view * by_view)},
                            {"features", static_cast<double>(gamma_feature * by_feature)}};
  result.terms.gaps = {{"weights", static_cast<double>(std::sqrt(gradient / reference))},
                       {"rows", static_cast<double>(misplaced) / static_cast<double>(n)}};
  for (Index k = 0; k < clusters; ++k)
    result.components.push_back(
        {static_cast<double>(counts[k] / static_cast<Real>(n)), std::nan("")});
  result.memberships = {membership_of("rows", std::nullopt, labels)};
  result.used = {{"view-sparsity", {static_cast<double>(gamma_view)}},
                 {"feature-sparsity", {static_cast<double>(gamma_feature)}}};
  return result;
}

}  // namespace gingham::methods::mvfl
