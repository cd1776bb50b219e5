#include "gingham/methods/rank_one/rank_one.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/rank_one/named_penalty.hpp"

namespace gingham::methods::rank_one {
namespace {

double distance(const Pair& a, const Pair& b) {
  return std::sqrt(std::max(squared_distance(a.rows.unit, b.rows.unit),
                            squared_distance(a.columns.unit, b.columns.unit)));
}

Index count_nonzero(const std::vector<double>& x) {
  return static_cast<Index>(
      std::count_if(x.begin(), x.end(), [](double value) { return value != 0.0; }));
}

}  // namespace

RankOne::RankOne(Rules rules) : rules_(std::move(rules)) {}

void RankOne::attach(const Dataset& data, Context& ctx) {
  data_ = &data;
  residuals_.clear();
  block_squares_.clear();
  BySide<std::vector<Index>> sizes;
  double n_all = 0.0;
  data_squares_ = n_cells_ = 0.0;
  for (const Block& block : data.blocks()) {
    residuals_.emplace_back(block, ctx.executor());
    sizes.rows.push_back(block.shape()[0]);
    sizes.columns.push_back(block.shape()[1]);
    n_all += static_cast<double>(cells(block.shape()));
    n_cells_ += static_cast<double>(cells(block.shape()) - block.summary().missing);
    block_squares_.push_back(residuals_.back().residual_squares());
    data_squares_ += block_squares_.back();
  }
  is_all_observed_ = n_cells_ == n_all;
  layouts_ = {Layout(sizes.rows), Layout(sizes.columns)};
  penalties_ = ModePenalties(rules_.options, penalty_modes(), {sizes.rows[0], sizes.columns[0]});
  has_percentages_ = penalties_.has_percentages(0) || penalties_.has_percentages(1);
  make_penalties();
}

void RankOne::make_penalties() {
  if (has_percentages_) return;
  for (const Which which : kSides) {
    const auto mode = static_cast<Index>(which);
    if (penalties_.is_asked(mode)) rules_.sides[which].penalty = penalties_.make(mode);
  }
}

void RankOne::start(const Dataset& data, Context& ctx) { attach(data, ctx); }

// What is left of a matrix when all of it has been taken away is rounding, not a component.
bool RankOne::is_negligible(double size, Index time) const {
  return size <= kRounding * std::sqrt(block_squares_[time]);
}

Targets RankOne::targets_of(Which which, const std::vector<double>& other) const {
  const Layout& own = layouts_[which];
  Targets targets = rank_one::targets_of(which, residuals_, own, layouts_[opposite(which)], other);
  for (Index i = 0; i < own.times(); ++i) {
    const Vec b = own.at(targets.b, i);
    if (is_negligible(norm2(b), i)) std::fill(b.begin(), b.end(), 0.0);
  }
  return targets;
}

Noise RankOne::noise_of(Which which, const Targets& targets,
                        const std::vector<double>& other) const {
  std::vector<double> own;
  for (std::size_t e = 0; e < targets.h.each.size(); ++e) own.push_back(targets.estimate(e));
  const std::vector<double>& z = own.empty() ? targets.b : own;
  double residual = residual_squares_ - dot(z, targets.b);
  if (has_cancelled(residual, residual_squares_)) {
    residual = 0.0;
    const bool rows = which == Which::rows;
    for (Index i = 0; i < times(); ++i) {
      residual += residuals_[i].residual_squares(layouts_.rows.at(rows ? z : other, i),
                                                 layouts_.columns.at(rows ? other : z, i));
    }
  }
  const double degrees = std::max(1.0, n_cells_ - static_cast<double>(z.size()));
  const double variance =
      std::max({residual / degrees, kRoundingOfSquares * data_squares_ / std::max(n_cells_, 1.0),
                std::numeric_limits<double>::min()});
  return {residual, variance, std::max(n_cells_, 1.0)};
}

Side RankOne::made(Which which, const std::vector<double>& other, const Side& before, Context& ctx,
                   Solver solver) const {
  SideRule own = rule(which);
  if (solver == Solver::as_asked) ctx.phase("products");
  Targets targets = targets_of(which, other);
  if (solver == Solver::as_asked) {
    ctx.phase("steps");
  } else {
    own.dual_gap = 0.0;
  }
  const auto noise = [&] { return noise_of(which, targets, other); };
  return SideStep{layouts_[which], own, noise, ctx.executor()}.make(targets, before);
}

Done RankOne::step(Context& ctx) {
  Side& first_side = now_[first()];
  Side& last_side = now_[last()];
  switch (stage_) {
    case Stage::start:
      ctx.phase("start");
      if (needs_leading_pairs(ctx.restart()) && n_started_ < times()) {
        add_leading_pair(n_started_, ctx);
        ++n_started_;
      } else {
        start_component(ctx);
      }
      return Done::nothing;
    case Stage::first:
      first_side =
          has_next_ ? std::move(next_first_) : made(first(), last_side.unit, first_side, ctx);
      has_next_ = false;
      stage_ = Stage::last;
      return Done::nothing;
    case Stage::last:
      last_side = made(last(), first_side.unit, last_side, ctx);
      stage_ = Stage::look;
      return Done::nothing;
    case Stage::look:
      break;
  }
  next_first_ = made(first(), last_side.unit, first_side, ctx);
  has_next_ = true;
  stage_ = Stage::first;
  ctx.phase("weights");
  Layer found = layer_of(now_, next_first_.targets);
  if (may_cycle()) watch_for_cycle(found);
  running_ = std::move(found);
  has_complete_ = true;
  return Done::iteration;
}

bool RankOne::may_cycle() const {
  for (const Which which : kSides) {
    if (rule(which).penalty && !rule(which).penalty->traits().is_convex) return true;
  }
  return !has_one_objective() || is_fused(Which::rows) || is_fused(Which::columns) ||
         !is_all_observed_;
}

bool RankOne::has_one_objective() const {
  return !is_chosen(Which::rows) && !is_chosen(Which::columns);
}

bool RankOne::is_chosen(Which which) const {
  const SideRule& own = rule(which);
  return !own.penalty && (own.exponent != 0.0 || own.sparsity.is("auto"));
}

// Brent 1980: an iterate is marked, later ones are compared with it, and after 2, 4, 8 ...
// iterations the mark moves on. The first to come back to the mark, while it differs from the
// iterate before it, closes a cycle: slow convergence brings neighbours closer than any others.
// The best iterate is kept along: of all where they have one objective, of those since the mark
// otherwise, which are a whole round when the cycle closes.
void RankOne::watch_for_cycle(const Layer& found) {
  constexpr double kSame = 1e-6, kContrast = 1e-3;
  const double value = criterion(found);
  const bool is_first = !has_complete_;
  ++since_mark_;
  if (!is_first) {
    const double across = distance(now_, mark_), moved = distance(now_, running_.pair);
    if (across <= kSame && across <= kContrast * moved) period_ = since_mark_;
  }
  if (is_first || (since_mark_ == window_ && period_ == 0)) {
    mark_ = now_;
    window_ = is_first ? 2 : 2 * window_;
    since_mark_ = 0;
    if (is_first || !has_one_objective()) best_value_ = std::numeric_limits<double>::infinity();
  }
  if (value < best_value_) {
    best_ = now_;
    best_value_ = value;
  }
}

// What of the iterates of a component is best; smaller is better.
double RankOne::criterion(const Layer& layer) const {
  if (has_one_objective()) return running_loss(layer) + layer.penalties();
  const double rss = std::max(residual_of(layer, layer.levels), kRoundingOfSquares * data_squares_);
  const auto size = static_cast<double>(count_nonzero(layer.pair.rows.unit) +
                                        count_nonzero(layer.pair.columns.unit));
  return n_cells_ * std::log(rss / n_cells_) + size * std::log(n_cells_);
}

std::vector<Layer> RankOne::all_layers(Context& ctx) const {
  std::vector<Layer> layers = layers_;
  if (has_complete_) {
    layers.push_back(measured(running_.pair, ctx));
    add_overlaps(layers.back(), ctx);
  }
  leave_out(layers);
  return layers;
}

namespace {

Terms named_terms(bool is_series) {
  Terms terms;
  terms.penalties = {{"row_sparsity", 0.0}, {"column_sparsity", 0.0}};
  terms.gaps = {{"rows", 0.0}, {"columns", 0.0}};
  if (is_series) {
    terms.penalties.push_back({"row_fusion", 0.0});
    terms.penalties.push_back({"column_fusion", 0.0});
    terms.gaps.push_back({"weights", 0.0});
  }
  return terms;
}

void add_layer(const Layer& layer, Terms& terms) {
  const double penalties[] = {layer.sparsity.rows, layer.sparsity.columns, layer.fusion.rows,
                              layer.fusion.columns};
  const double gaps[] = {layer.gap.rows, layer.gap.columns, layer.gap_weights};
  for (std::size_t i = 0; i < terms.penalties.size(); ++i) terms.penalties[i].value += penalties[i];
  for (std::size_t i = 0; i < terms.gaps.size(); ++i) {
    if (!(gaps[i] <= terms.gaps[i].value)) terms.gaps[i].value = gaps[i];
  }
}

}  // namespace

Terms RankOne::terms(Context& ctx, Accuracy accuracy) {
  Terms terms = named_terms(rules_.is_series);
  if (accuracy == Accuracy::running) {
    running_.gap[first()] =
        largest_distance(next_first_.unit, now_[first()].unit, layouts_[first()]);
    add_layer(running_, terms);
    terms.loss = running_loss(running_);
    terms.cycle = period_ > 0;
    return terms;
  }
  const std::vector<Layer> layers = all_layers(ctx);
  for (const Layer& layer : layers) add_layer(layer, terms);
  terms.loss = 0.5 * evaluated(layers).squares_at_s;
  return terms;
}

bool RankOne::conclude(Status status, Context& ctx) {
  // At the limit the last iterate may be worse than an earlier one where steps can raise F.
  const bool takes_best =
      may_cycle() &&
      (status == Status::cycle || (status == Status::iteration_limit && has_one_objective()));
  Layer layer = measured(takes_best ? best_ : running_.pair, ctx);
  add_overlaps(layer, ctx);
  layer.period = status == Status::cycle ? period_ : 0;
  has_complete_ = false;
  residual_squares_ = residual_of(layer, layer.levels);
  subtract(layer);
  if (has_cancelled(residual_squares_, data_squares_)) {
    residual_squares_ = 0.0;
    for (const PreparedMatrix& residual : residuals_)
      residual_squares_ += residual.residual_squares();
  }
  layers_.push_back(std::move(layer));
  evaluation_.reset();
  stage_ = Stage::start;
  return static_cast<Index>(layers_.size()) < rules_.n_components;
}

void RankOne::subtract(const Layer& layer) {
  for (Index i = 0; i < times(); ++i) {
    residuals_[i].subtract(layer.levels[i], layouts_.rows.at(layer.pair.rows.unit, i),
                           layouts_.columns.at(layer.pair.columns.unit, i));
  }
}

void RankOne::state(Archive& ar) {
  ar("earlier", earlier_)("stage", stage_)("n_started", n_started_)("layers", layers_);
  ar("now", now_)("next", next_first_)("has_next", has_next_)("complete", running_.pair);
  ar("has_complete", has_complete_)("best", best_)("best_value", best_value_)("mark", mark_);
  ar("since_mark", since_mark_)("window", window_)("period", period_);
  ar("residual_squares", residual_squares_)("search", search_);
  ar("penalties", penalties_)("has_percentages", has_percentages_);
  if (ar.reading()) {
    evaluation_.reset();
    make_penalties();
    for (const Layer& layer : layers_) subtract(layer);
  }
}

}  // namespace gingham::methods::rank_one
