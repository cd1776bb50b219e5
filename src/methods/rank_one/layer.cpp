// A component as it stands: its weights, penalties and gaps.
#include <algorithm>
#include <cmath>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/rank_one/rank_one.hpp"
#include "gingham/methods/rank_one/weights.hpp"
#include "gingham/methods/rank_one/worth.hpp"

namespace gingham::methods::rank_one {
namespace {

// A term of whose squares less than this lies in observed cells cannot be seen there: to fit them
// it would have to be huge where nothing is known.
constexpr double kUnseen = 1e-6;

// Adds a fused side's edges to the problem of the weights. Since s >= 0, an entry that is zero at
// one of two times, or changes sign, costs |p| s_i+1 + |q| s_i: that is part of the gain. The
// others are |p| |s_i+1 - (q / p) s_i|; equal ratios, as of all entries that the step left equal
// over time, become one edge.
void add_edges(const Side& side, const Layout& layout, WeightProblem& problem) {
  constexpr double kSameRatio = 1e-14;
  std::vector<std::pair<double, double>> ratios;  // q / p and |p|
  for (Index i = 0; i + 1 < layout.times(); ++i) {
    const ConstVec now = layout.at(side.unit, i), next = layout.at(side.unit, i + 1);
    if (std::equal(now.begin(), now.end(), next.begin())) {
      if (!is_zero(now)) problem.edges.push_back({i, 1.0, 1.0, side.fusion * sum_abs(now)});
      continue;
    }
    ratios.clear();
    for (std::size_t j = 0; j < now.size(); ++j) {
      if ((now[j] > 0.0 && next[j] > 0.0) || (now[j] < 0.0 && next[j] < 0.0)) {
        ratios.emplace_back(now[j] / next[j], std::abs(next[j]));
      } else {
        problem.gain[i + 1] -= side.fusion * std::abs(next[j]);
        problem.gain[i] -= side.fusion * std::abs(now[j]);
      }
    }
    std::sort(ratios.begin(), ratios.end());
    for (std::size_t j = 0; j < ratios.size();) {
      const double ratio = ratios[j].first;
      double size = 0.0;
      for (; j < ratios.size() && ratios[j].first <= ratio * (1.0 + kSameRatio); ++j) {
        size += ratios[j].second;
      }
      problem.edges.push_back({i, 1.0, ratio, side.fusion * size});
    }
  }
}

}  // namespace

Layer RankOne::layer_of(const Pair& pair, const Targets& of_first) const {
  Layer layer;
  layer.pair = pair;
  const Layout& own = layout(first());
  const std::vector<double>& units = side(pair, first()).unit;
  const std::vector<double>& others = side(pair, last()).unit;
  WeightProblem problem;
  std::vector<double> row_length, column_length;
  for (Index i = 0; i < own.times(); ++i) {
    const ConstVec unit = own.at(units, i);
    const bool absent = is_zero(unit) || is_zero(layout(last()).at(others, i));
    const double cross = absent ? 0.0 : dot(own.at(of_first.b, i), unit);
    double curvature = absent ? 0.0 : 1.0;
    if (!absent && !of_first.h.empty()) {
      const ConstVec h = own.at(of_first.h, i);
      curvature = 0.0;
      for (std::size_t j = 0; j < unit.size(); ++j) curvature += h[j] * unit[j] * unit[j];
    }
    const bool is_seen = curvature >= kUnseen;
    row_length.push_back(penalty_length(pair.rows, rules_.rows, row_layout_, i, rules_.exponent));
    column_length.push_back(
        penalty_length(pair.columns, rules_.columns, column_layout_, i, rules_.exponent));
    problem.curvature.push_back(curvature);
    const double gain = cross - row_length.back() - column_length.back();
    problem.gain.push_back(is_seen ? gain : std::min(gain, 0.0));
    layer.levels.push_back(is_seen ? cross / curvature : 0.0);
    layer.cross.push_back(cross);
  }

  bool tied = false;
  for (const Which which : {Which::rows, Which::columns}) {
    if (!is_fused(which)) continue;
    const Side& fused = side(pair, which);
    if (rule(which).is_tied()) {
      tied = true;
    } else if (fused.fusion > 0.0) {  // 0: a share of a maximum of 0
      add_edges(fused, layout(which), problem);
    }
  }
  const Weights weights = tied ? tied_weights(problem) : solve_weights(problem);
  layer.curvature = problem.curvature;
  layer.s = weights.s;
  layer.gap_weights = weights.gap;
  for (std::size_t i = 0; i < layer.s.size(); ++i) {
    layer.sparsity_rows += layer.s[i] * row_length[i];
    layer.sparsity_columns += layer.s[i] * column_length[i];
  }
  if (is_fused(Which::rows)) layer.fusion_rows = fusion_penalty(pair.rows, row_layout_, layer.s);
  if (is_fused(Which::columns))
    layer.fusion_columns = fusion_penalty(pair.columns, column_layout_, layer.s);
  return layer;
}

Layer RankOne::measured(const Pair& pair, Context& ctx) const {
  // Estimates and penalties as they follow from u and v alone, so that anybody can recompute them.
  Side first_side = made(first(), side(pair, last()).unit, side(pair, first()), ctx, Solver::exact);
  Side last_side = made(last(), side(pair, first()).unit, side(pair, last()), ctx, Solver::exact);
  const double gap_first =
      largest_distance(first_side.unit, side(pair, first()).unit, layout(first()));
  const double gap_last = largest_distance(last_side.unit, side(pair, last()).unit, layout(last()));
  first_side.unit = side(pair, first()).unit;
  last_side.unit = side(pair, last()).unit;
  first_side.dual_gaps = side(pair, first()).dual_gaps;
  last_side.dual_gaps = side(pair, last()).dual_gaps;
  Pair same;
  side(same, first()) = std::move(first_side);
  side(same, last()) = std::move(last_side);
  Layer layer = layer_of(same, side(same, first()).targets);
  (first() == Which::rows ? layer.gap_rows : layer.gap_columns) = gap_first;
  (last() == Which::rows ? layer.gap_rows : layer.gap_columns) = gap_last;
  return layer;
}

// sum_i ||R_i - w_i u_i v_i^T||^2
double RankOne::residual_of(const Layer& layer, const std::vector<double>& weights) const {
  double squares = residual_squares_;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    squares += weights[i] * (layer.curvature[i] * weights[i] - 2.0 * layer.cross[i]);
  }
  if (!has_cancelled(squares, residual_squares_)) return squares;
  squares = 0.0;
  for (Index i = 0; i < row_layout_.times(); ++i) {
    const ConstVec u = row_layout_.at(layer.pair.rows.unit, i);
    std::vector<double> scaled(u.begin(), u.end());
    scale(weights[i], scaled);
    squares +=
        residuals_[i].residual_squares(scaled, column_layout_.at(layer.pair.columns.unit, i));
  }
  return squares;
}

double RankOne::running_loss(const Layer& layer) const { return 0.5 * residual_of(layer, layer.s); }

bool Layer::is_in_model() const { return !is_zero(s); }

// <u_i v_i^T, u'_i v'_i^T> over the observed cells of one time. Where some are missing, from the
// sums of squares of v, v' and v + v' over what is observed of each row.
double RankOne::overlap(const Layer& a, const Layer& b, Index time, Context& ctx) const {
  const ConstVec u = row_layout_.at(a.pair.rows.unit, time);
  const ConstVec v = column_layout_.at(a.pair.columns.unit, time);
  const ConstVec other_u = row_layout_.at(b.pair.rows.unit, time);
  const ConstVec other_v = column_layout_.at(b.pair.columns.unit, time);
  std::vector<double> both(u.begin(), u.end());
  for (std::size_t r = 0; r < both.size(); ++r) both[r] *= other_u[r];
  if (is_zero(both)) return 0.0;
  const PreparedMatrix whole(data_->block(time), ctx.executor());
  if (whole.is_complete()) return dot(u, other_u) * dot(v, other_v);
  const auto observed_squares = [&](double c, double d) {
    std::vector<double> x(v.size()), y(u.size()), squares(u.size());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = c * v[j] + d * other_v[j];
    whole.multiply_observed(x, y, squares);
    return dot(both, squares);
  };
  return 0.25 * (observed_squares(1.0, 1.0) - observed_squares(1.0, -1.0));
}

void RankOne::leave_out(std::vector<Layer>& layers, Context& ctx) const {
  if (layers.size() < 2) return;  // alone, a component has the best weights there are
  constexpr double kRounding = 1e-12;
  const auto n = static_cast<Index>(layers.size());
  WorthProblem problem{{}, Matrix(n, n), kRounding * data_squares_};
  for (Index k = 0; k < n; ++k) {
    const Layer& layer = layers[k];
    double own = layer.penalties();
    for (Index i = 0; i < row_layout_.times(); ++i) {
      if (layer.s[i] == 0.0) continue;
      double cross = layer.cross[i];  // with X in place of R, once the earlier ones are added
      for (Index l = 0; l < k; ++l) {
        const Layer& before = layers[l];
        const bool matters = before.levels[i] != 0.0 || before.s[i] != 0.0;
        const double g = matters ? overlap(before, layer, i, ctx) : 0.0;
        cross += before.levels[i] * g;
        problem.shared(k, l) += layer.s[i] * before.s[i] * g;
        problem.shared(l, k) = problem.shared(k, l);
      }
      own += layer.s[i] * (0.5 * layer.curvature[i] * layer.s[i] - cross);
    }
    problem.own.push_back(own);
  }
  const std::vector<bool> in = worth_keeping(problem);
  for (Index k = 0; k < n; ++k) {
    Layer& layer = layers[k];
    if (in[static_cast<std::size_t>(k)]) continue;
    std::fill(layer.s.begin(), layer.s.end(), 0.0);
    layer.sparsity_rows = layer.sparsity_columns = 0.0;
    layer.fusion_rows = layer.fusion_columns = 0.0;
    layer.gap_weights = 0.0;
  }
}

}  // namespace gingham::methods::rank_one
