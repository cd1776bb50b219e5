#include "gingham/methods/rank_one/recompute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/methods/rank_one/named_penalty.hpp"
#include "gingham/methods/rank_one/recompute_factors.hpp"
#include "gingham/methods/rank_one/recompute_signal.hpp"

namespace gingham::methods::rank_one {
namespace {

class Recomputation {
 public:
  Recomputation(const Dataset& data, const Options& options, const Model& model)
      : data_(data),
        model_(model),
        series_(options.has("column-fusion")),
        f_(data, model, series_),
        t_(data.size()),
        row_rule_(rule_of(options, 0)),
        column_rule_(rule_of(options, 1)),
        strengths_(f_.s) {
    even_[0] = is_even(0);
    even_[1] = is_even(1);
    measure_data();
    for (const NamedArray& array : model.arrays)
      if (array.name == "dual_gaps") dual_gaps_ = std::get_if<Matrix>(&array.values);
    if (dual_gaps_ == nullptr) return;
    dual_course_.assign(static_cast<std::size_t>(dual_gaps_->rows() * f_.components), 0.0);
    const PenaltyValue& asked = options.penalty("dual-gap");
    const double tolerance = options.real("tolerance");
    dual_share_ =
        asked.is("auto") ? std::clamp(0.01 * tolerance * tolerance, 1e-15, 1e-8) : asked.number;
  }

  Recomputed run() {
    for (std::vector<double>& table : tables_) {
      table.assign(static_cast<std::size_t>(t_ * f_.components), 0.0);
    }
    for (Index c = 0; c < f_.components; ++c) component(c);
    const double size = static_cast<double>(std::sqrt(data_squares_));
    for (std::size_t k = 0; k < std::size(kTables); ++k) {
      result_.arrays.push_back({kTables[k], tables_[k], kTableTolerances[k] * size});
    }
    add_dual_gaps();
    const char* const penalty_names[] = {"row_sparsity", "column_sparsity", "row_fusion",
                                         "column_fusion"};
    const char* const gap_names[] = {"rows", "columns", "weights"};
    for (int k = 0; k < (series_ ? 4 : 2); ++k) {
      result_.terms.penalties.push_back({penalty_names[k], static_cast<double>(penalties_[k])});
      const bool is_named = k < 2 && (k == 0 ? row_rule_ : column_rule_).penalty != nullptr;
      if (!is_named) result_.used.push_back(used_[k]);
    }
    for (int k = 0; k < (series_ ? 3 : 2); ++k) {
      result_.terms.gaps.push_back({gap_names[k], static_cast<double>(gaps_[k])});
    }
    const char* const variation_names[] = {"row_variation", "column_variation"};
    for (int k = 0; k < 2; ++k) {
      if (!series_ || t_ < 2 || !even_[k]) continue;
      result_.measures.push_back({variation_names[k], static_cast<double>(variations_[k])});
    }
    add_memberships("rows", f_.u);
    add_memberships("columns", f_.v);
    return std::move(result_);
  }

 private:
  // Of one component: both sides, and per time u'Rv and the sum of (u v)^2 over observed cells;
  // half the squares of R - s u v.
  struct Parts {
    PlainStep rows, columns;
    Reals cross, curvature;
    Real loss = 0;
  };

  PlainRule rule_of(const Options& options, Index mode) const {
    const std::string side = mode == 0 ? "row" : "column";
    PlainRule rule{options.penalty(side + "-sparsity"), {}, 0, series_};
    if (series_) rule.fusion = options.penalty(side + "-fusion");
    if (options.has("adaptive")) rule.exponent = options.real("adaptive");
    rule.penalty = fitted_penalty(options, model_, mode, data_.block(0).shape()[mode]);
    rule.asked = {options, model_, penalty_modes()[mode], data_.block(0).shape()[mode]};
    return rule;
  }

  bool is_even(Index mode) const {
    return std::all_of(data_.blocks().begin(), data_.blocks().end(), [&](const Block& b) {
      return b.shape()[mode] == data_.block(0).shape()[mode];
    });
  }

  void measure_data() {
    Real loss = 0, residual = 0;
    for (Index i = 0; i < t_; ++i) {
      const plain::Cells cells(data_.block(i));
      const Real all = static_cast<Real>(gingham::cells(cells.shape()));
      Real observed = 0, missing = 0;
      cells.for_each(
          [&](std::span<const Index>, Real x, Real) { (std::isnan(x) ? missing : observed) += 1; });
      if (cells.has_unseen()) observed = all - missing;
      weighted_ = weighted_ || observed < all;
      cells_ += observed;
      const plain::Sums in_model(cells, f_.product(i, f_.heights), plain::Others::all);
      loss += plain::Sums(cells, f_.product(i, f_.s), plain::Others::none).loss / 2;
      residual += in_model.loss;
      data_squares_ += in_model.squares;
      lost_.push_back(in_model.lost);
      found_in_turn_.emplace_back(cells, f_.product(i, f_.levels), plain::Others::earlier);
    }
    result_.terms.loss = static_cast<double>(loss);
    if (data_squares_ > 0) result_.explained = static_cast<double>(1 - residual / data_squares_);
  }

  Reals column(const Reals& table, Index c) const {
    Reals one;
    for (std::size_t e = static_cast<std::size_t>(c); e < table.size();
         e += static_cast<std::size_t>(f_.components))
      one.push_back(table[e]);
    return one;
  }

  // Targets and curvatures of both sides at one time.
  void add_time(Index c, Index i, Parts& parts) const {
    const plain::Sums& sums = found_in_turn_[i];
    Reals b_rows = column(sums.pull[0], c), h_rows = column(sums.curvature[0], c);
    Reals b_columns = column(sums.pull[1], c), h_columns = column(sums.curvature[1], c);
    const Real s = f_.s(i, c), curvature = sums.weight_curvature[c];
    Real cross = 0;
    parts.loss += (sums.left[c] - s * (2 * sums.weight_pull[c] - s * curvature)) / 2;
    for (const auto& [b, h] : {std::pair{&b_rows, &h_rows}, std::pair{&b_columns, &h_columns}}) {
      for (std::size_t r = 0; r < b->size(); ++r) {
        if ((*h)[r] < 1e-12L) (*b)[r] = (*h)[r] = 0;  // as good as unobserved
      }
      // What is left of a matrix of which nothing is left is rounding.
      if (norm(*b) <= 1e-11L * std::sqrt(sums.squares)) b->assign(b->size(), 0);
    }
    // u'Rv from the side an iteration begins with: the columns where they are not fused.
    const bool columns_first = !column_rule_.is_tied() && !(column_rule_.fusion.number > 0.0);
    const Reals& b = columns_first ? b_columns : b_rows;
    const Matrix& unit = columns_first ? *f_.v[i] : *f_.u[i];
    for (std::size_t r = 0; r < b.size(); ++r) cross += b[r] * unit(static_cast<Index>(r), c);
    // All data observed: the unit vectors' squares add up to 1. An absent term pulls to zero.
    if (is_zero(*f_.v[i], c) || !weighted_) h_rows.assign(h_rows.size(), 1);
    if (is_zero(*f_.u[i], c) || !weighted_) h_columns.assign(h_columns.size(), 1);
    parts.rows.b.push_back(std::move(b_rows));
    parts.rows.h.push_back(std::move(h_rows));
    parts.columns.b.push_back(std::move(b_columns));
    parts.columns.h.push_back(std::move(h_columns));
    parts.cross.push_back(cross);
    parts.curvature.push_back(curvature);
  }

  // The noise as the side's own step sees it: the residual of its least-squares estimates b / h.
  PlainNoise noise_of(Index c, const PlainStep& step, bool rows) const {
    PlainNoise noise;
    Real unknowns = 0;
    for (Index i = 0; i < t_; ++i) {
      unknowns += static_cast<Real>(step.b[i].size());
      const plain::Sums& sums = found_in_turn_[i];
      const Reals b = column(sums.pull[rows ? 0 : 1], c),
                  h = column(sums.curvature[rows ? 0 : 1], c);
      noise.rss += sums.left[c];
      for (std::size_t r = 0; r < b.size(); ++r) {
        const Real estimate = step.h[i][r] > 0 ? step.b[i][r] / step.h[i][r] : Real{0};
        noise.rss -= estimate * (2 * b[r] - estimate * h[r]);
      }
    }
    noise.rss = std::max(noise.rss, Real{0});
    noise.cells = std::max(cells_, Real{1});
    noise.variance = std::max({noise.rss / std::max(Real{1}, cells_ - unknowns),
                               1e-12L * data_squares_ / noise.cells,
                               static_cast<Real>(std::numeric_limits<double>::min())});
    return noise;
  }

  // The number that was asked for; what a percentage or a word came to is in the result.
  Real number_of(const PenaltyValue& asked, const std::string& option, Index c) const {
    const bool is_number = asked.kind == PenaltyValue::Kind::number;
    if (is_number) return asked.number;
    return plain::used_values(model_, option, static_cast<std::size_t>(f_.components))[c];
  }

  void solve_side(Index c, const PlainRule& rule, const std::string& side, PlainStep& step) const {
    if (!rule.penalty) step.lambda = number_of(rule.sparsity, side + "-sparsity", c);
    if (series_ && !rule.penalty) step.gamma = number_of(rule.fusion, side + "-fusion", c);
    solve_plainly(step, rule, weighted_, noise_of(c, step, side == "row"));
  }

  void component(Index c) {
    Parts parts;
    for (Index i = 0; i < t_; ++i) add_time(c, i, parts);
    solve_side(c, row_rule_, "row", parts.rows);
    solve_side(c, column_rule_, "column", parts.columns);
    Reals s, gain;
    Real squares = 0, explained = 0, paid = 0;
    bool is_in_model = false;
    for (Index i = 0; i < t_; ++i) is_in_model = is_in_model || f_.s(i, c) != 0.0;
    std::vector<double> shares;
    for (Index i = 0; i < t_; ++i) {
      const Real row_length = length_of(parts.rows, row_rule_, f_.u, c, i);
      const Real column_length = length_of(parts.columns, column_rule_, f_.v, c, i);
      s.push_back(f_.s(i, c));
      penalties_[0] += s[i] * row_length;
      penalties_[1] += s[i] * column_length;
      paid += s[i] * (row_length + column_length);
      const bool is_seen = parts.curvature[i] >= 1e-6L;  // in the observed cells
      const Real all = parts.cross[i] - row_length - column_length;
      gain.push_back(is_seen ? all : std::min(all, Real{0}));
      const Real own_level = is_seen ? parts.cross[i] / parts.curvature[i] : Real{0};
      table(kLevels, i, c) = static_cast<double>(own_level);
      table(kRowLengths, i, c) = static_cast<double>(norm(parts.rows.x[i]));
      table(kColumnLengths, i, c) = static_cast<double>(norm(parts.columns.x[i]));
      const Real level = is_in_model ? own_level : Real{0};
      if (!series_) strengths_(i, c) = static_cast<double>(level);
      if (level == 0) strengths_(i, c) = 0;  // no rows or no columns: no co-cluster
      squares += level * level;
      const Real here = lost_[i][c], squares_at = found_in_turn_[i].squares;
      explained += here;
      if (t_ > 1) shares.push_back(squares_at > 0 ? static_cast<double>(here / squares_at) : 0);
    }
    for (Index i = 0; i < t_; ++i) {
      table(kWeights, i, c) = is_in_model ? weight_of(parts, gain, i) : std::nan("");
    }
    add_dual_course(c, parts);
    const Real fused[] = {
        parts.rows.gamma > 0 ? parts.rows.gamma * fused_length(f_.u, c, s) : Real{0},
        parts.columns.gamma > 0 ? parts.columns.gamma * fused_length(f_.v, c, s) : Real{0}};
    for (int k = 0; k < 2; ++k) penalties_[2 + k] += fused[k];
    // BIC and percentages may come to other numbers when a component is measured than in its last
    // iteration.
    const bool is_given = row_rule_.is_given() && column_rule_.is_given();
    const Real end = parts.loss + paid + fused[0] + fused[1];
    result_.ends.push_back(is_in_model && is_given ? static_cast<double>(end) : std::nan(""));
    gaps_[0] = std::max(gaps_[0], gap_of(parts.rows, f_.u, c));
    gaps_[1] = std::max(gaps_[1], gap_of(parts.columns, f_.v, c));
    const bool rows_tied = t_ > 1 && row_rule_.is_tied();
    const bool columns_tied = t_ > 1 && column_rule_.is_tied();
    const Real gamma[] = {rows_tied ? 0 : parts.rows.gamma, columns_tied ? 0 : parts.columns.gamma};
    if (is_in_model)
      gaps_[2] = std::max(
          gaps_[2], weights_gap(f_, c, s, gain, parts.curvature, gamma, rows_tied || columns_tied));
    if (even_[0]) variations_[0] += variation(parts.rows.x);
    if (even_[1]) variations_[1] += variation(parts.columns.x);
    result_.components.push_back(
        {static_cast<double>(std::sqrt(squares)),
         data_squares_ > 0 ? static_cast<double>(explained / data_squares_) : 0,
         std::move(shares)});
    const Real numbers[4] = {parts.rows.lambda, parts.columns.lambda, parts.rows.gamma,
                             parts.columns.gamma};
    for (int k = 0; k < 4; ++k) used_[k].values.push_back(static_cast<double>(numbers[k]));
  }

  double& table(std::size_t which, Index i, Index c) {
    return tables_[which][static_cast<std::size_t>(i * f_.components + c)];
  }

  // The weight that minimises the objective where that has a closed form, otherwise NaN: its gap
  // tells.
  double weight_of(const Parts& parts, const Reals& gain, Index i) const {
    const bool tied = t_ > 1 && (row_rule_.is_tied() || column_rule_.is_tied());
    const bool chained = !row_rule_.is_tied() && parts.rows.gamma > 0;
    const bool column_chained = !column_rule_.is_tied() && parts.columns.gamma > 0;
    if (chained || column_chained) return std::nan("");
    Real all_gain = 0, curvature = 0;
    for (Index l = tied ? 0 : i; l < (tied ? t_ : i + 1); ++l) {
      all_gain += gain[l];
      curvature += parts.curvature[l];
    }
    return all_gain > 0 && curvature > 0 ? static_cast<double>(all_gain / curvature) : 0.0;
  }

  // The course of the dual solver in the component's last step.
  void add_dual_course(Index c, const Parts& parts) {
    if (!dual_gaps_) return;
    const bool rows = !(column_rule_.is_tied() || column_rule_.fusion.number > 0.0);
    const PlainStep& step = rows ? parts.rows : parts.columns;
    const Reals course = plain_dual_gaps(step.b, step.gamma, dual_share_, dual_gaps_->rows());
    for (std::size_t k = 0; k < course.size(); ++k) {
      dual_course_[k * static_cast<std::size_t>(f_.components) + static_cast<std::size_t>(c)] =
          static_cast<double>(course[k]);
    }
    for (const Reals& b : step.b) dual_size_ = std::max(dual_size_, norm(b) * norm(b));
  }

  void add_dual_gaps() {
    if (!dual_gaps_) return;
    result_.arrays.push_back(
        {"dual_gaps", dual_course_, 1e-12 * static_cast<double>(std::max(Real{1}, dual_size_))});
  }

  // What a unit of weight pays for one side at one time.
  Real length_of(const PlainStep& step, const PlainRule& rule,
                 const std::vector<const Matrix*>& factor, Index c, Index time) const {
    if (!rule.penalty) return alpha_length(step, factor, c, time);
    std::vector<double> unit, h;
    for (Index r = 0; r < factor[time]->rows(); ++r) {
      unit.push_back((*factor[time])(r, c));
      Real all = step.h[time][r];  // one vector for all times: observed at any of them
      for (Index i = 0; i < t_ && t_ > 1 && rule.is_tied(); ++i) all += step.h[i][r];
      h.push_back(static_cast<double>(all));
    }
    const std::optional<Real> known = rule.asked.value({unit.begin(), unit.end()}, h);
    return known ? *known : static_cast<Real>(rule.penalty->value(unit, h));
  }

  void add_memberships(const char* mode, const std::vector<const Matrix*>& factor) {
    for (Index i = 0; i < t_; ++i) {
      Matrix strength = *factor[i];
      for (Index r = 0; r < strength.rows(); ++r) {
        for (Index c = 0; c < f_.components; ++c) strength(r, c) *= strengths_(i, c);
      }
      result_.memberships.push_back(
          membership_of(mode, series_ ? std::optional(i) : std::nullopt, strength));
    }
  }

  const Dataset& data_;
  const Model& model_;
  bool series_;
  Factors f_;
  Index t_;
  PlainRule row_rule_, column_rule_;
  Matrix strengths_;  // of members: the weights, or for one matrix the levels
  bool even_[2] = {};
  bool weighted_ = false;  // data are missing
  Real data_squares_ = 0, cells_ = 0;
  static constexpr const char* kTables[] = {"levels", "s", "row_lengths", "column_lengths"};
  static constexpr double kTableTolerances[] = {1e-12, 1e-11, 1e-11, 1e-11};  // of the data's size
  enum : std::size_t { kLevels, kWeights, kRowLengths, kColumnLengths };
  std::vector<double> tables_[4];      // times x components
  const Matrix* dual_gaps_ = nullptr;  // as stored; null: no dual was used
  std::vector<double> dual_course_;
  Real dual_share_ = 0, dual_size_ = 0;
  std::vector<Reals> lost_;  // times x components: what the residual rises by without each
  std::vector<plain::Sums> found_in_turn_;  // per time: every component on what the earlier leave
  Real penalties_[4] = {}, gaps_[3] = {}, variations_[2] = {};
  UsedValues used_[4] = {
      {"row-sparsity", {}}, {"column-sparsity", {}}, {"row-fusion", {}}, {"column-fusion", {}}};
  Recomputed result_;
};

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  return Recomputation(data, options, model).run();
}

}  // namespace gingham::methods::rank_one
