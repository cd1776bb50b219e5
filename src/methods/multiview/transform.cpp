#include "gingham/methods/multiview/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multiview/cocluster.hpp"
#include "gingham/methods/multiview/settings.hpp"
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::multiview {
namespace {

constexpr double kSlack = 1e-9;  // relative: sums of a row in another order than the fit's
constexpr double kTie = 1e-13;   // relative: gains that are the same but for rounding

// What the fit says of new rows, and these as its views see them.
struct Fitted {
  std::vector<View> views;
  std::vector<Matrix> v;              // per view: columns x co-clusters
  std::vector<double> least;          // gain of a member, per co-cluster; 0 where it has none
  std::vector<double> row_weights;    // sqrt(rho)
  std::vector<std::uint8_t> is_seen;  // per row, in any view
  Limits limits;
  bool is_refined = false;
  bool deflates = false;

  Index rank() const { return std::ssize(least); }
  CoCluster without_rows(Index c) const {
    CoCluster empty;
    empty.omega.resize(row_weights.size());
    for (const Matrix& of_view : v) {
      empty.u.emplace_back(row_weights.size());
      std::vector<double>& column = empty.v.emplace_back();
      for (Index j = 0; j < of_view.rows(); ++j) column.push_back(of_view(j, c));
    }
    return empty;
  }
};

Fitted fitted_part(const Dataset& fresh, const Options& options, const Model& model,
                   Executor& executor) {
  const Index rank = std::ssize(model.components), n = fresh.block(0).shape()[0];
  const bool has_unit_rows = views::scale_of(options) == Scale::rows;
  Fitted fit;
  fit.least = find_vector(model, "least_gain", rank);
  fit.deflates = options.text("next") == "deflate";
  for (const NamedValue& one : model.measures) {
    if (one.name == "refined") fit.is_refined = one.value == 1.0;
  }
  fit.is_seen.resize(static_cast<std::size_t>(n));
  for (Index k = 0; k < fresh.size(); ++k) {
    const Block& block = fresh.block(k);
    const Index columns = block.shape()[1];
    const auto values = [&](const char* name) {
      return find_vector(model, fmt::format("{}_{}", name, k), columns);
    };
    fit.v.push_back(find_matrix(model, fmt::format("v_{}", k), columns, rank));
    fit.views.emplace_back(
        PreparedMatrix(
            block, prepare_new(block, values("center"), values("scale"), has_unit_rows, executor),
            executor),
        weight_of(options, static_cast<std::size_t>(k)));
    const std::vector<std::uint8_t> here = fit.views.back().seen_rows();
    for (std::size_t i = 0; i < here.size(); ++i) fit.is_seen[i] |= here[i];
  }
  fit.row_weights = weigh_rows(fit.views);
  fit.limits.available.assign(fit.is_seen.size(), 1);
  fit.limits.one_sign = has_one_sign(options);
  return fit;
}

// Of each row the co-cluster with the largest gain, -1 for none.
std::vector<Index> best_clusters(const Fitted& fit) {
  const Fitter fitter(fit.views);
  std::vector<Index> best(fit.is_seen.size(), -1);
  std::vector<double> most(fit.is_seen.size(), 0.0);
  for (Index c = 0; c < fit.rank(); ++c) {
    const std::vector<double> gains =
        fitter.gains(fitter.row_products(fit.without_rows(c)), fit.limits);
    for (std::size_t i = 0; i < gains.size(); ++i) {
      if (!(gains[i] > most[i] * (1.0 + kTie))) continue;
      most[i] = gains[i];
      best[i] = c;
    }
  }
  return best;
}

// The members of each co-cluster in turn; what it explains is taken away from the views.
std::vector<CoCluster> take_clusters(Fitted& fit) {
  const Fitter fitter(fit.views);
  std::vector<Index> best;
  if (!fit.deflates && fit.is_refined) best = best_clusters(fit);
  std::vector<CoCluster> found;
  for (Index c = 0; c < fit.rank(); ++c) {
    CoCluster& one = found.emplace_back(fit.without_rows(c));
    const std::vector<Products> z = fitter.row_products(one);
    const std::vector<double> gains = fitter.gains(z, fit.limits);
    const double least = fit.least[c];
    std::vector<std::uint8_t> chosen(gains.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const bool reaches = gains[i] > 0.0 && least > 0.0 && gains[i] >= least * (1.0 - kSlack);
      chosen[i] = best.empty() ? reaches : best[i] == c;
      if (!fit.deflates && chosen[i] != 0) fit.limits.available[i] = 0;
    }
    fitter.take_rows(z, chosen, fit.limits, one);
    for (std::size_t k = 0; k < fit.views.size(); ++k)
      fit.views[k].subtract(1.0, one.left(k), one.v[k]);
  }
  return found;
}

std::vector<std::string> notes_on(const Matrix& omega, Index n_unseen) {
  std::vector<std::string> notes;
  if (n_unseen > 0)
    notes.push_back(
        fmt::format("{} new rows have no observed value; they belong to nothing", n_unseen));
  Index n_outside = 0;
  for (Index i = 0; i < omega.rows(); ++i) {
    const ConstVec row = omega.row(i);
    n_outside += std::all_of(row.begin(), row.end(), [](double a) { return a == 0.0; }) ? 1 : 0;
  }
  if (n_outside > n_unseen)
    notes.push_back(fmt::format("{} of {} new rows are in no co-cluster", n_outside, omega.rows()));
  return notes;
}

}  // namespace

Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx) {
  if (mode != 0)
    throw Error(ErrorCode::usage, "multiview",
                "groups rows; there is nothing to say about new columns");
  Fitted fit = fitted_part(fresh, options, fitted, ctx.executor());
  const std::vector<CoCluster> clusters = take_clusters(fit);
  const Index n = fresh.block(0).shape()[0];
  Matrix omega(n, fit.rank()), strength(n, fit.rank());  // sqrt(rho sum_k w_k |v_c|^2 u_c^2)
  std::vector<Matrix> u(fit.views.size(), Matrix(n, fit.rank()));
  for (Index c = 0; c < fit.rank(); ++c) {
    const CoCluster& one = clusters[static_cast<std::size_t>(c)];
    for (std::size_t k = 0; k < u.size(); ++k) {
      const double squares = fit.views[k].weight() * sum_squares(one.v[k]);
      for (Index i = 0; i < n; ++i) {
        strength(i, c) += squares * one.u[k][i] * one.u[k][i];
        u[k](i, c) = one.u[k][i] / fit.row_weights[i];
      }
    }
    for (Index i = 0; i < n; ++i) {
      omega(i, c) = one.omega[i];
      strength(i, c) = std::sqrt(strength(i, c));
    }
  }
  Transformed result;
  for (const View& view : fit.views) result.terms.loss += view.weight() * view.residual_squares();
  result.terms.gaps = {{"rows", 0.0}};  // each row's own choice is exact
  result.memberships = {membership_of("rows", std::nullopt, strength)};
  result.notes = notes_on(omega, std::count(fit.is_seen.begin(), fit.is_seen.end(), 0));
  result.arrays.push_back({"omega", std::move(omega)});
  for (std::size_t k = 0; k < u.size(); ++k)
    result.arrays.push_back({fmt::format("u_{}", k), std::move(u[k])});
  return result;
}

}  // namespace gingham::methods::multiview
