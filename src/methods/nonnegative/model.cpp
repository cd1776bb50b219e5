#include "gingham/methods/nonnegative/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gingham/kernels/copies.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/nonnegative/factorization.hpp"

namespace gingham::methods::nonnegative {
namespace {

Matrix reordered(const Matrix& m, const std::vector<Index>& order) {
  Matrix sorted(m.rows(), m.cols());
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index k = 0; k < m.cols(); ++k) sorted(i, k) = m(i, order[k]);
  }
  return sorted;
}

// The columns of one side at length 1, those of the other taking over what they had. A component
// that is zero on one side is zero on both.
void normalise(Matrix& w, Matrix& h) {
  const std::vector<double> w_length = column_lengths(w), h_length = column_lengths(h);
  for (Index k = 0; k < w.cols(); ++k) {
    const bool is_empty = w_length[k] == 0.0 || h_length[k] == 0.0;
    for (Index i = 0; i < w.rows(); ++i) w(i, k) = is_empty ? 0.0 : w(i, k) / w_length[k];
    for (Index j = 0; j < h.rows(); ++j) h(j, k) = is_empty ? 0.0 : h(j, k) * w_length[k];
  }
}

// Components that only free groups and items in no group use: a ridge on the other side alone.
Index n_adrift(const Rules& rules, const Observed& data, const Matrix& w, const Matrix& h) {
  const SideRules& paying = rules.sides[1 - rules.free_side];
  if (!rules.sides[rules.free_side].has_cost() || !paying.has_group_penalty()) return 0;
  const std::vector<double> costs =
      column_costs(paying, rules.free_side == 0 ? h : w, data.observed_items(1 - rules.free_side));
  const std::vector<double> w_length = column_lengths(w), h_length = column_lengths(h);
  Index n = 0;
  for (std::size_t k = 0; k < costs.size(); ++k)
    n += costs[k] == 0.0 && w_length[k] > 0.0 && h_length[k] > 0.0 ? 1 : 0;
  return n;
}

}  // namespace

std::vector<double> column_lengths(const Matrix& m) {
  std::vector<double> lengths(static_cast<std::size_t>(m.cols()));
  std::vector<double> column(static_cast<std::size_t>(m.rows()));
  for (Index k = 0; k < m.cols(); ++k) {
    for (Index i = 0; i < m.rows(); ++i) column[i] = m(i, k);
    lengths[k] = norm2(column);
  }
  return lengths;
}

Matrix weighted_by(const Matrix& factor, const Matrix& other) {
  const std::vector<double> lengths = column_lengths(other);
  Matrix weighted = factor;
  for (Index i = 0; i < weighted.rows(); ++i) {
    for (Index k = 0; k < weighted.cols(); ++k) weighted(i, k) *= lengths[k];
  }
  return weighted;
}

Model report(const Solver<double>& solver, const Observed& data, Executor& executor) {
  Model model;
  std::vector<double> lost;
  for (Index k = 0; k < solver.rank(); ++k)
    lost.push_back(share_lost(solver.lost_without(k), data.squares()));
  std::vector<Index> order(lost.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return lost[a] > lost[b]; });
  Matrix w = reordered(solver.factor(0), order), h = reordered(solver.factor(1), order);
  const Rules& rules = solver.rules();
  if (!rules.sides[0].is_penalised() && !rules.sides[1].is_penalised())
    rules.free_side == 0 ? normalise(w, h) : normalise(h, w);
  const std::vector<double> w_length = column_lengths(w), h_length = column_lengths(h);
  Index n_empty = 0;
  for (Index k = 0; k < w.cols(); ++k) {
    model.components.push_back({w_length[k] * h_length[k], lost[order[k]]});
    n_empty += w_length[k] * h_length[k] == 0.0 ? 1 : 0;
  }
  model.explained = share_explained(2.0 * solver.exact_loss(executor), data.squares());
  if (!(data.n_observed() > 0.0)) {
    model.notes.push_back("no value was observed: the model is empty");
  } else if (n_empty > 0) {
    const char* const why = data.largest() > 0.0
                                ? ""
                                : ": no value is above 0, and factors that are at least 0 fit no "
                                  "other";
    model.notes.push_back(
        fmt::format("{} of the {} components are empty{}", n_empty, w.cols(), why));
  }
  if (const Index n = n_adrift(rules, data, w, h); n > 0)
    model.notes.push_back(fmt::format(
        "{} of the {} components are used by free groups alone: with a number for --alpha their "
        "scale has no best value; --alpha auto has one",
        n, w.cols()));
  if (data.n_dropped() > 0)
    model.notes.push_back(fmt::format(
        "{} values lie in groups said to be missing and were not looked at", data.n_dropped()));
  model.memberships = {membership_of("rows", std::nullopt, weighted_by(w, h)),
                       membership_of("columns", std::nullopt, weighted_by(h, w))};
  model.arrays.push_back({"W", w});
  model.arrays.push_back({"H", transposed(h)});
  const int second = rules.sides[0].groups != nullptr ? 0 : 1;
  if (rules.sides[second].groups != nullptr) {
    Matrix norms = group_norms(rules.sides[second], second == 0 ? w : h);
    Index n_zero = 0;
    for (Index g = 0; g < norms.rows(); ++g) {
      for (Index k = 0; k < norms.cols(); ++k)
        n_zero += norms(g, k) == 0.0 && w_length[k] > 0.0 && h_length[k] > 0.0 ? 1 : 0;
    }
    model.measures.push_back({"zero_blocks", static_cast<double>(n_zero)});
    model.arrays.push_back({"group_norms", std::move(norms)});
  }
  return model;
}

Model Factorization::model(Context& ctx) const {
  if (n_iterations_ == 0) return {};
  Model model = is_single() ? report(in_full(ctx.executor()), *data_, ctx.executor())
                            : report(std::get<Solver<double>>(solver_), *data_, ctx.executor());
  if (problem_->beta_share) {
    const double most = beta_maximum_.value_or(0.0);
    model.used.push_back({"beta", {*problem_->beta_share * most}, {most}});
  }
  if (asked_.has_percentages(0) || asked_.has_percentages(1)) model.used.push_back(asked_.used());
  if (!asked_rank(options_)) model.used.push_back({"rank", {static_cast<double>(rank_)}});
  if (rank_errors_.rows() > 0) {
    model.arrays.push_back({"rank_curve", RankSearch::curve_of(rank_errors_)});
    model.arrays.push_back({"rank_errors", rank_errors_});
  }
  return model;
}

}  // namespace gingham::methods::nonnegative
