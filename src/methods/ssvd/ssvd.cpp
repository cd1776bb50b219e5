#include "gingham/methods/ssvd/ssvd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/kernels/truncated_svd.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::ssvd {
namespace {

constexpr Index kLongestPeriod = 8;
// A singular value below this share of ||X|| is rounding, not a component.
constexpr double kNegligible = 1e-13;
// The noise variance of the BIC is at least this share of the mean square of the data.
constexpr double kVarianceFloor = 1e-12;

double distance(ConstVec a, ConstVec b) {
  std::vector<double> difference(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
  return norm2(difference);
}

double distance(const Pair& a, const Pair& b) {
  return std::max(distance(a.rows.unit, b.rows.unit), distance(a.columns.unit, b.columns.unit));
}

Index count_nonzero(ConstVec x) {
  return static_cast<Index>(
      std::count_if(x.begin(), x.end(), [](double value) { return value != 0.0; }));
}

// sum_i lambda w_i |x_i|
double weighted_length(const Side& side, double exponent) {
  double total = 0.0;
  for (std::size_t i = 0; i < side.unit.size(); ++i) {
    if (side.unit[i] != 0.0)
      total += side.threshold.at(side.estimate[i], exponent) * std::abs(side.unit[i]);
  }
  return total;
}

}  // namespace

Ssvd::Ssvd(const Options& options)
    : row_rule_(options.penalty("row-sparsity")),
      column_rule_(options.penalty("column-sparsity")),
      exponent_(options.real("adaptive")),
      n_components_(options.integer("clusters")) {}

bool Ssvd::may_cycle() const {
  return exponent_ > 0.0 || row_rule_.is("auto") || column_rule_.is("auto");
}

void Ssvd::attach(const Dataset& data, Context& ctx) {
  block_ = &data.block(0);
  residual_ = std::make_unique<Deflated>(*block_);
  const std::vector<double> no_rows(static_cast<std::size_t>(residual_->rows()));
  const std::vector<double> no_columns(static_cast<std::size_t>(residual_->cols()));
  data_squares_ = residual_->residual_squared(no_rows, no_columns, ctx.executor());
}

void Ssvd::start(const Dataset& data, Context& ctx) { attach(data, ctx); }

void Ssvd::start_component(Context& ctx) {
  const auto rows = static_cast<std::size_t>(residual_->rows());
  const auto cols = static_cast<std::size_t>(residual_->cols());
  const LinearOperator products{
      residual_->rows(), residual_->cols(),
      [&](ConstVec x, Vec y) {
        ctx.check_stop();
        residual_->multiply(x, y, ctx.executor());
      },
      [&](ConstVec x, Vec y) { residual_->multiply_transposed(x, y, ctx.executor()); }};
  const Svd leading = truncated_svd(products, 1, ctx.rng("svd"));
  residual_squares_ = residual_->residual_squared(std::vector<double>(rows),
                                                  std::vector<double>(cols), ctx.executor());
  now_ = Pair{};
  now_.rows.unit.assign(rows, 0.0);
  now_.columns.unit.assign(cols, 0.0);
  if (leading.s[0] > kNegligible * std::sqrt(data_squares_)) {
    for (std::size_t i = 0; i < rows; ++i) now_.rows.unit[i] = leading.u(static_cast<Index>(i), 0);
    for (std::size_t j = 0; j < cols; ++j)
      now_.columns.unit[j] = leading.v(static_cast<Index>(j), 0);
  }
  needs_start_ = has_next_ = has_complete_ = false;
  at_columns_ = true;
  history_.clear();
  period_ = 0;
}

Side Ssvd::side_step(std::vector<double> z, const PenaltyValue& rule, const Side& before,
                     ConstVec other, bool z_is_rows, Context& ctx) const {
  Side side;
  side.unit.resize(z.size());
  if (rule.is("auto")) {
    const double cells =
        static_cast<double>(residual_->rows()) * static_cast<double>(residual_->cols());
    const double rss = z_is_rows ? residual_->residual_squared(z, other, ctx.executor())
                                 : residual_->residual_squared(other, z, ctx.executor());
    const double degrees = std::max(1.0, cells - static_cast<double>(z.size()));
    const double variance = std::max({rss / degrees, kVarianceFloor * data_squares_ / cells,
                                      std::numeric_limits<double>::min()});
    side.threshold = shrink_by_bic(z, exponent_, rss, variance, cells, side.unit);
  } else {
    if (rule.kind == PenaltyValue::Kind::number) {
      side.threshold = fixed_threshold(rule.number);
    } else {
      side.threshold =
          before.estimate.empty() ? share_of_maximum(z, rule.number / 100.0) : before.threshold;
    }
    shrink(z, side.threshold, exponent_, side.unit);
  }
  const double length = norm2(side.unit);
  if (length > 0.0) {
    for (double& value : side.unit) value /= length;
  }
  side.estimate = std::move(z);
  return side;
}

Side Ssvd::columns_from(const Side& rows, const Side& before, Context& ctx) const {
  std::vector<double> z(static_cast<std::size_t>(residual_->cols()));
  residual_->multiply_transposed(rows.unit, z, ctx.executor());
  return side_step(std::move(z), column_rule_, before, rows.unit, false, ctx);
}

Side Ssvd::rows_from(const Side& columns, const Side& before, Context& ctx) const {
  std::vector<double> z(static_cast<std::size_t>(residual_->rows()));
  residual_->multiply(columns.unit, z, ctx.executor());
  return side_step(std::move(z), row_rule_, before, columns.unit, true, ctx);
}

Done Ssvd::step(Context& ctx) {
  if (needs_start_) {
    ctx.phase("start");
    start_component(ctx);
    return Done::nothing;
  }
  if (at_columns_) {
    ctx.phase("columns");
    now_.columns = has_next_ ? next_columns_ : columns_from(now_.rows, now_.columns, ctx);
    at_columns_ = false;
    return Done::nothing;
  }
  ctx.phase("rows");
  now_.rows = rows_from(now_.columns, now_.rows, ctx);
  next_columns_ = columns_from(now_.rows, now_.columns, ctx);
  has_next_ = at_columns_ = true;
  complete_ = now_;
  has_complete_ = true;
  if (may_cycle()) {
    if (static_cast<Index>(history_.size()) > kLongestPeriod) history_.erase(history_.begin());
    history_.push_back(now_);
    period_ = find_cycle();
  }
  return Done::iteration;
}

// The shortest p >= 2 such that the last iterate equals the one p before it, while it differs from
// its neighbour: slow convergence brings neighbours closer than any others, a cycle does not.
Index Ssvd::find_cycle() const {
  constexpr double kSame = 1e-8, kContrast = 1e-2;
  const auto last = static_cast<Index>(history_.size()) - 1;
  if (last < 2) return 0;
  const double to_neighbour = distance(history_[last], history_[last - 1]);
  for (Index period = 2; period <= std::min(last, kLongestPeriod); ++period) {
    const double across = distance(history_[last], history_[last - period]);
    if (across <= kSame && across <= kContrast * to_neighbour) return period;
  }
  return 0;
}

Pair Ssvd::best_of_cycle(Context& ctx) const {
  const double cells =
      static_cast<double>(residual_->rows()) * static_cast<double>(residual_->cols());
  const auto last = static_cast<Index>(history_.size()) - 1;
  Index best = last;
  double least = std::numeric_limits<double>::infinity();
  for (Index k = last; k > last - period_; --k) {
    const Pair& pair = history_[k];
    std::vector<double> fitted = pair.rows.unit;
    // z = R v is the rows' estimate, so u^T R v = u . z.
    scale(dot(pair.rows.unit, pair.rows.estimate), fitted);
    const double rss = residual_->residual_squared(fitted, pair.columns.unit, ctx.executor());
    const auto size =
        static_cast<double>(count_nonzero(pair.rows.unit) + count_nonzero(pair.columns.unit));
    const double criterion = cells * std::log(rss / cells) + size * std::log(cells);
    if (criterion < least) {
      least = criterion;
      best = k;
    }
  }
  return history_[best];
}

Layer Ssvd::layer_of(const Pair& pair, ConstVec z_columns) const {
  Layer layer;
  layer.pair = pair;
  layer.level = dot(z_columns, pair.columns.unit);
  const double rows = weighted_length(pair.rows, exponent_);
  const double columns = weighted_length(pair.columns, exponent_);
  layer.s = std::max(layer.level - rows - columns, 0.0);
  layer.penalty_rows = layer.s * rows;
  layer.penalty_columns = layer.s * columns;
  return layer;
}

Layer Ssvd::measured(const Pair& pair, Context& ctx) const {
  // Estimates and thresholds as they follow from u and v alone, so that anybody can recompute them.
  Side columns = columns_from(pair.rows, pair.columns, ctx);
  Side rows = rows_from(pair.columns, pair.rows, ctx);
  const double gap_columns = distance(columns.unit, pair.columns.unit);
  const double gap_rows = distance(rows.unit, pair.rows.unit);
  columns.unit = pair.columns.unit;
  rows.unit = pair.rows.unit;
  const std::vector<double> z_columns = columns.estimate;
  Layer layer = layer_of({std::move(rows), std::move(columns)}, z_columns);
  layer.gap_columns = gap_columns;
  layer.gap_rows = gap_rows;
  return layer;
}

std::vector<Layer> Ssvd::all_layers(Context& ctx) const {
  std::vector<Layer> layers = layers_;
  if (has_complete_) layers.push_back(measured(complete_, ctx));
  return layers;
}

Terms Ssvd::terms(Context& ctx, Accuracy accuracy) {
  Terms terms;
  if (accuracy == Accuracy::running) {
    const Layer layer = layer_of(now_, next_columns_.estimate);
    // Cancels when the component explains nearly everything; the exact terms use the residual
    // itself.
    terms.loss =
        std::max(0.5 * residual_squares_ - layer.s * layer.level + 0.5 * layer.s * layer.s, 0.0);
    terms.penalties = {{"row_sparsity", layer.penalty_rows},
                       {"column_sparsity", layer.penalty_columns}};
    terms.gaps = {{"rows", 0.0}, {"columns", distance(next_columns_.unit, now_.columns.unit)}};
    terms.cycle = period_ > 0;
    return terms;
  }
  Deflated whole(*block_);
  terms.penalties = {{"row_sparsity", 0.0}, {"column_sparsity", 0.0}};
  terms.gaps = {{"rows", 0.0}, {"columns", 0.0}};
  for (const Layer& layer : all_layers(ctx)) {
    whole.subtract(layer.s, layer.pair.rows.unit, layer.pair.columns.unit);
    terms.penalties[0].value += layer.penalty_rows;
    terms.penalties[1].value += layer.penalty_columns;
    terms.gaps[0].value = std::max(terms.gaps[0].value, layer.gap_rows);
    terms.gaps[1].value = std::max(terms.gaps[1].value, layer.gap_columns);
  }
  terms.loss =
      0.5 * whole.residual_squared(std::vector<double>(static_cast<std::size_t>(whole.rows())),
                                   std::vector<double>(static_cast<std::size_t>(whole.cols())),
                                   ctx.executor());
  return terms;
}

bool Ssvd::conclude(Status status, Context& ctx) {
  Layer layer = measured(status == Status::cycle ? best_of_cycle(ctx) : complete_, ctx);
  layer.period = status == Status::cycle ? period_ : 0;
  has_complete_ = false;
  residual_->subtract(layer.level, layer.pair.rows.unit, layer.pair.columns.unit);
  layers_.push_back(std::move(layer));
  needs_start_ = true;
  return static_cast<Index>(layers_.size()) < n_components_;
}

Model Ssvd::model(Context& ctx) const {
  const std::vector<Layer> layers = all_layers(ctx);
  const auto k = static_cast<Index>(layers.size());
  Matrix u(residual_->rows(), k), v(residual_->cols(), k);
  Matrix row_strength(residual_->rows(), k), column_strength(residual_->cols(), k);
  std::vector<double> s, levels, row_lambda, column_lambda;
  Model model;
  if (k == 0) return model;
  for (Index c = 0; c < k; ++c) {
    const Layer& layer = layers[c];
    for (Index i = 0; i < u.rows(); ++i) {
      u(i, c) = layer.pair.rows.unit[i];
      row_strength(i, c) = layer.level * u(i, c);
    }
    for (Index j = 0; j < v.rows(); ++j) {
      v(j, c) = layer.pair.columns.unit[j];
      column_strength(j, c) = layer.level * v(j, c);
    }
    s.push_back(layer.s);
    levels.push_back(layer.level);
    row_lambda.push_back(layer.pair.rows.threshold.lambda(exponent_));
    column_lambda.push_back(layer.pair.columns.threshold.lambda(exponent_));
    model.components.push_back(
        {layer.level, data_squares_ > 0.0 ? layer.level * layer.level / data_squares_ : 0.0});
    if (layer.period > 0) {
      model.notes.push_back(
          fmt::format("component {} cycles with period {}; the best state of the cycle is kept", c,
                      layer.period));
    }
    if (layer.level == 0.0) model.notes.push_back(fmt::format("component {} is empty", c));
  }
  model.memberships = {membership_of("rows", std::nullopt, row_strength),
                       membership_of("columns", std::nullopt, column_strength)};
  model.arrays.push_back({"u", std::move(u)});
  model.arrays.push_back({"v", std::move(v)});
  model.arrays.push_back({"s", std::move(s)});
  model.arrays.push_back({"levels", std::move(levels)});
  model.used = {{"row-sparsity", std::move(row_lambda)},
                {"column-sparsity", std::move(column_lambda)}};
  return model;
}

void Ssvd::state(Archive& ar) {
  ar("needs_start", needs_start_)("layers", layers_)("now", now_)("next", next_columns_)("has_next",
                                                                                         has_next_);
  ar("at_columns", at_columns_)("complete", complete_)("has_complete", has_complete_);
  ar("history", history_)("period", period_)("residual_squares", residual_squares_);
  if (ar.reading()) {
    for (const Layer& layer : layers_) {
      residual_->subtract(layer.level, layer.pair.rows.unit, layer.pair.columns.unit);
    }
  }
}

}  // namespace gingham::methods::ssvd
