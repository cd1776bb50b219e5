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
        rules_{rule_of(options, 0), rule_of(options, 1)},
        strengths_(f_.s) {
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
    for (const int side : {0, 1}) {
      const std::string name = kSides[side];
      result_.terms.penalties.push_back({name + "_sparsity", static_cast<double>(sparsity_[side])});
      result_.terms.gaps.push_back({name + "s", static_cast<double>(gaps_[side])});
      if (!rules_[side].penalty) result_.used.push_back(lambdas_[side]);
      add_memberships(side);
    }
    for (const int side : {0, 1}) {
      const std::string name = kSides[side];
      if (!series_) break;
      result_.terms.penalties.push_back({name + "_fusion", static_cast<double>(fusion_[side])});
      result_.used.push_back(gammas_[side]);
      if (t_ > 1 && is_even(side))
        result_.measures.push_back({name + "_variation", static_cast<double>(variations_[side])});
    }
    if (series_) result_.terms.gaps.push_back({"weights", static_cast<double>(gaps_[2])});
    return std::move(result_);
  }

 private:
  // Of one component: both sides, and per time u'Rv and the sum of (u v)^2 over observed cells;
  // half the squares of R - s u v.
  struct Parts {
    PlainStep side[2];
    Reals cross, curvature;
    Real loss = 0;
  };

  PlainRule rule_of(const Options& options, Index mode) const {
    const std::string side = kSides[mode];
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

  // The side an iteration begins with: the columns where they are not fused.
  int first_side() const {
    return !rules_[1].is_tied() && !(rules_[1].fusion.number > 0.0) ? 1 : 0;
  }

  // Targets and curvatures of both sides at one time.
  void add_time(Index c, Index i, Parts& parts) const {
    const plain::Sums& sums = found_in_turn_[i];
    const Real s = f_.s(i, c), curvature = sums.weight_curvature[c];
    parts.loss += (sums.left[c] - s * (2 * sums.weight_pull[c] - s * curvature)) / 2;
    for (const int side : {0, 1}) {
      Reals b = column(sums.pull[side], c), h = column(sums.curvature[side], c);
      for (std::size_t r = 0; r < b.size(); ++r) {
        if (h[r] < 1e-12L) b[r] = h[r] = 0;  // as good as unobserved
      }
      // What is left of a matrix of which nothing is left is rounding.
      if (norm(b) <= 1e-10L * std::sqrt(sums.squares)) b.assign(b.size(), 0);
      // All data observed: the unit vectors' squares add up to 1. An absent term pulls to zero.
      if (is_zero(*f_.unit[1 - side][i], c) || !weighted_) h.assign(h.size(), 1);
      if (side == first_side()) {  // u'Rv
        Real cross = 0;
        for (std::size_t r = 0; r < b.size(); ++r)
          cross += b[r] * (*f_.unit[side][i])(static_cast<Index>(r), c);
        parts.cross.push_back(cross);
      }
      parts.side[side].b.push_back(std::move(b));
      parts.side[side].h.push_back(std::move(h));
    }
    parts.curvature.push_back(curvature);
  }

  // The noise as the side's own step sees it: the residual of its least-squares estimates b / h.
  PlainNoise noise_of(Index c, const PlainStep& step, int side) const {
    PlainNoise noise;
    Real unknowns = 0;
    for (Index i = 0; i < t_; ++i) {
      unknowns += static_cast<Real>(step.b[i].size());
      const plain::Sums& sums = found_in_turn_[i];
      const Reals b = column(sums.pull[side], c), h = column(sums.curvature[side], c);
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

  void solve_side(Index c, int side, PlainStep& step) const {
    const PlainRule& rule = rules_[side];
    const std::string name = kSides[side];
    step.is_weighted = weighted_;
    if (!rule.penalty) {
      step.lambda = number_of(rule.sparsity, name + "-sparsity", c);
      if (series_) step.gamma = number_of(rule.fusion, name + "-fusion", c);
      const bool is_share = rule.sparsity.kind == PenaltyValue::Kind::percent;
      if (is_share && rule.exponent > 0 && rule.sparsity.number > 0 &&
          !std::isnormal(static_cast<double>(step.lambda))) {
        Real squares = 0;
        const Matrix lengths = f_.table(named(model_, name + "_lengths"), t_);
        for (Index i = 0; i < t_; ++i) squares += static_cast<Real>(lengths(i, c)) * lengths(i, c);
        step.lambda = implied_lambda(step, rule.exponent, squares);
      }
    }
    solve_plainly(step, rule, noise_of(c, step, side));
  }

  void component(Index c) {
    Parts parts;
    for (Index i = 0; i < t_; ++i) add_time(c, i, parts);
    for (const int side : {0, 1}) solve_side(c, side, parts.side[side]);
    Reals s, gain;
    Real squares = 0, explained = 0, paid = 0;
    bool is_in_model = false;
    for (Index i = 0; i < t_; ++i) is_in_model = is_in_model || f_.s(i, c) != 0.0;
    std::vector<double> shares;
    for (Index i = 0; i < t_; ++i) {
      s.push_back(f_.s(i, c));
      Real all = parts.cross[i];
      for (const int side : {0, 1}) {
        const Real length = length_of(parts.side[side], rules_[side], f_.unit[side], c, i);
        sparsity_[side] += s[i] * length;
        paid += s[i] * length;
        all -= length;
        table(side == 0 ? kRowLengths : kColumnLengths, i, c) =
            static_cast<double>(norm(parts.side[side].x[i]));
      }
      const bool is_seen = parts.curvature[i] >= 1e-6L;  // in the observed cells
      gain.push_back(is_seen ? all : std::min(all, Real{0}));
      const Real own_level = is_seen ? parts.cross[i] / parts.curvature[i] : Real{0};
      table(kLevels, i, c) = static_cast<double>(own_level);
      const Real level = is_in_model ? own_level : Real{0};
      if (!series_) strengths_(i, c) = static_cast<double>(level);
      if (level == 0) strengths_(i, c) = 0;  // no rows or no columns: no co-cluster
      squares += s[i] * s[i];
      const Real here = lost_[i][c], squares_at = found_in_turn_[i].squares;
      explained += here;
      if (t_ > 1) shares.push_back(squares_at > 0 ? static_cast<double>(here / squares_at) : 0);
    }
    for (Index i = 0; i < t_; ++i) {
      table(kWeights, i, c) = is_in_model ? weight_of(parts, gain, i) : std::nan("");
    }
    add_dual_course(c, parts);
    Real gamma[2] = {};  // of times that can differ
    for (const int side : {0, 1}) {
      const PlainStep& step = parts.side[side];
      const Real fused = step.gamma > 0 ? step.gamma * fused_length(f_.unit[side], c, s) : Real{0};
      fusion_[side] += fused;
      paid += fused;
      gamma[side] = is_tied(side) ? Real{0} : step.gamma;
      gaps_[side] = std::max(gaps_[side], gap_of(step, f_.unit[side], c));
      if (is_even(side)) variations_[side] += variation(step.x);
      const auto used = [](const PenaltyValue& asked, Real number) {  // verify knows the shares
        return asked.kind == PenaltyValue::Kind::percent ? kUnknown : static_cast<double>(number);
      };
      lambdas_[side].values.push_back(used(rules_[side].sparsity, step.lambda));
      gammas_[side].values.push_back(used(rules_[side].fusion, step.gamma));
    }
    // BIC and percentages may come to other numbers when a component is measured than in its last
    // iteration.
    const bool is_given = rules_[0].is_given() && rules_[1].is_given();
    result_.ends.push_back(is_in_model && is_given ? static_cast<double>(parts.loss + paid)
                                                   : std::nan(""));
    if (is_in_model)
      gaps_[2] = std::max(
          gaps_[2], weights_gap(f_, c, s, gain, parts.curvature, gamma, is_tied(0) || is_tied(1)));
    result_.components.push_back(
        {static_cast<double>(std::sqrt(squares)),
         data_squares_ > 0 ? static_cast<double>(explained / data_squares_) : 0,
         std::move(shares)});
  }

  bool is_tied(int side) const { return t_ > 1 && rules_[side].is_tied(); }

  double& table(std::size_t which, Index i, Index c) {
    return tables_[which][static_cast<std::size_t>(i * f_.components + c)];
  }

  // The weight that minimises the objective where that has a closed form, otherwise NaN: its gap
  // tells.
  double weight_of(const Parts& parts, const Reals& gain, Index i) const {
    for (const int side : {0, 1}) {
      if (!is_tied(side) && parts.side[side].gamma > 0) return std::nan("");
    }
    const bool tied = is_tied(0) || is_tied(1);
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
    const PlainStep& step = parts.side[1 - first_side()];
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

  void add_memberships(int side) {
    for (Index i = 0; i < t_; ++i) {
      Matrix strength = *f_.unit[side][i];
      for (Index r = 0; r < strength.rows(); ++r) {
        for (Index c = 0; c < f_.components; ++c) strength(r, c) *= strengths_(i, c);
      }
      result_.memberships.push_back(membership_of(
          kSides[side] + std::string("s"), series_ ? std::optional(i) : std::nullopt, strength));
    }
  }

  const Dataset& data_;
  const Model& model_;
  bool series_;
  Factors f_;
  Index t_;
  PlainRule rules_[2];
  Matrix strengths_;       // of members: the weights, or for one matrix the levels
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
  static constexpr const char* kSides[] = {"row", "column"};
  Real sparsity_[2] = {}, fusion_[2] = {}, gaps_[3] = {}, variations_[2] = {};
  UsedValues lambdas_[2] = {{"row-sparsity", {}}, {"column-sparsity", {}}};
  UsedValues gammas_[2] = {{"row-fusion", {}}, {"column-fusion", {}}};
  Recomputed result_;
};

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  return Recomputation(data, options, model).run();
}

}  // namespace gingham::methods::rank_one
