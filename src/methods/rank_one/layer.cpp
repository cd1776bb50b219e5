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

// sum_j h_j x_j^2
double squares_in(Curvature h, ConstVec x) {
  if (h.is_even()) return h[0] * sum_squares(x);
  double total = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) total += h[j] * x[j] * x[j];
  return total;
}

// Adds a fused side's edges to the problem of the weights. Since s >= 0, an entry that is zero at
// one of two times, or changes sign, costs |p| s_i+1 + |q| s_i: that is part of the gain. The
// others are |p| |s_i+1 - (q / p) s_i|; equal ratios, as of all entries that the step left equal
// over time, become one edge.
void add_edges(const Side& side, const Layout& layout, WeightProblem& problem) {
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
  WeightProblem problem;
  BySide<std::vector<double>> lengths;
  for (const Which which : kSides)
    lengths[which] = penalty_lengths(pair[which], rule(which), layouts_[which]);
  for (Index i = 0; i < times(); ++i) {
    const ConstVec unit = layouts_[first()].at(pair[first()].unit, i);
    const ConstVec b = layouts_[first()].at(of_first.b, i);
    const Curvature h = of_first.curvature(layouts_[first()], i);
    double cross = 0.0, curvature = 0.0;
    if (!is_zero(layouts_[last()].at(pair[last()].unit, i))) {
      cross = dot(b, unit);
      curvature = squares_in(h, unit);
    }
    const bool is_seen = curvature >= kUnseen;
    const double gain = cross - lengths.rows[i] - lengths.columns[i];
    problem.curvature.push_back(curvature);
    problem.gain.push_back(is_seen ? gain : std::min(gain, 0.0));
    layer.levels.push_back(is_seen ? cross / curvature : 0.0);
    layer.cross.push_back(cross);
  }

  layer.curvature = problem.curvature;
  bool is_tied = false;
  for (const Which which : kSides) {
    const bool is_edge = is_fused(which) && !rule(which).is_tied() && pair[which].fusion > 0.0;
    is_tied = is_tied || rule(which).is_tied(layouts_[which]);
    if (is_edge) add_edges(pair[which], layouts_[which], problem);
  }
  const Weights weights = is_tied ? tied_weights(problem) : solve_weights(problem);
  layer.s = weights.s;
  layer.gap_weights = weights.gap;
  for (const Which which : kSides) {
    layer.sparsity[which] = dot(layer.s, lengths[which]);
    if (is_fused(which))
      layer.fusion[which] = fusion_penalty(pair[which], layouts_[which], layer.s);
  }
  return layer;
}

Layer RankOne::measured(const Pair& pair, Context& ctx) const {
  // Estimates and penalties as they follow from u and v alone, so that anybody can recompute them.
  Pair same;
  BySide<double> gap;
  for (const Which which : {first(), last()}) {
    const Side& stored = pair[which];
    Side& own = same[which];
    own = made(which, pair[opposite(which)].unit, stored, ctx, Solver::exact);
    gap[which] = largest_distance(own.unit, stored.unit, layouts_[which]);
    own.unit = stored.unit;
    own.dual_gaps = stored.dual_gaps;
  }
  Layer layer = layer_of(same, same[first()].targets);
  layer.gap = gap;
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
  for (Index i = 0; i < times(); ++i) {
    const ConstVec u = layouts_.rows.at(layer.pair.rows.unit, i);
    std::vector<double> scaled(u.begin(), u.end());
    scale(weights[i], scaled);
    squares +=
        residuals_[i].residual_squares(scaled, layouts_.columns.at(layer.pair.columns.unit, i));
  }
  return squares;
}

double RankOne::running_loss(const Layer& layer) const { return 0.5 * residual_of(layer, layer.s); }

bool Layer::is_in_model() const { return !is_zero(s); }

// <u v^T, u' v'^T> over the observed cells of each time, from the sums of squares of v + v' and
// v - v' over what is observed of each row.
void RankOne::add_overlaps(Layer& layer, Context& ctx) const {
  layer.overlaps.clear();
  for (const Layer& before : layers_) {
    for (Index i = 0; i < times(); ++i) {
      const ConstVec v = layouts_.columns.at(layer.pair.columns.unit, i);
      const ConstVec other = layouts_.columns.at(before.pair.columns.unit, i);
      const ConstVec u = layouts_.rows.at(layer.pair.rows.unit, i);
      std::vector<double> both(u.begin(), u.end());
      const ConstVec other_u = layouts_.rows.at(before.pair.rows.unit, i);
      for (std::size_t r = 0; r < both.size(); ++r) both[r] *= other_u[r];
      double overlap = 0.0;
      const bool matters = (before.levels[i] != 0.0 || before.s[i] != 0.0) &&
                           (layer.levels[i] != 0.0 || layer.s[i] != 0.0);
      if (matters && !is_zero(both)) {
        const PreparedMatrix whole(data_->block(i), ctx.executor());
        for (const double sign : {1.0, -1.0}) {
          std::vector<double> x(v.begin(), v.end());
          axpy(sign, other, x);
          const Norms squares = whole.row_norms(x);
          for (std::size_t r = 0; r < both.size(); ++r)
            overlap += 0.25 * sign * both[r] * squares[r];
        }
      }
      layer.overlaps.push_back(overlap);
    }
  }
}

void RankOne::leave_out(std::vector<Layer>& layers) const {
  if (layers.size() < 2) return;  // alone, a component has the best weights there are
  const auto n = static_cast<Index>(layers.size());
  WorthProblem problem{{}, Matrix(n, n), kRoundingOfSquares * data_squares_};
  for (Index k = 0; k < n; ++k) {
    const Layer& layer = layers[k];
    double own = layer.penalties();
    for (Index i = 0; i < times(); ++i) {
      double cross = layer.cross[i];  // with X in place of R, once the earlier ones are added
      for (Index l = 0; l < k; ++l) {
        const double overlap = layer.overlaps[l * times() + i];
        cross += layers[l].levels[i] * overlap;
        problem.shared(k, l) += layer.s[i] * layers[l].s[i] * overlap;
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
    layer.sparsity = layer.fusion = {};
    layer.gap_weights = 0.0;
  }
}

}  // namespace gingham::methods::rank_one
