#include "gingham/methods/rank_one/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/rank_one/named_penalty.hpp"

namespace gingham::methods::rank_one {
namespace {

// The number that a penalty came to in the fit.
PenaltyValue used_number(const Model& fitted, const std::string& option, Index component) {
  for (const UsedValues& used : fitted.used) {
    if (used.option != option || component >= std::ssize(used.values)) continue;
    const double number = used.values[component];
    if (!std::isfinite(number)) {
      throw Error(ErrorCode::input, "--" + option,
                  fmt::format("the number that component {} was fitted with is out of range; fit "
                              "the data in other units",
                              component));
    }
    return {.kind = PenaltyValue::Kind::number, .number = number, .word = {}};
  }
  throw Error(ErrorCode::input, option, "the number used is missing from the result");
}

// What of a fit new items of one mode need.
class Fitted {
 public:
  Fitted(const Dataset& fresh, const Rules& rules, const Model& model, Index mode)
      : rules_(rules), model_(model), times_(fresh.size()), mode_(mode) {
    n_components_ = std::ssize(model.components);
    std::vector<Index> own, others;
    for (Index i = 0; i < times_; ++i) {
      own.push_back(fresh.block(i).shape()[mode]);
      others.push_back(fresh.block(i).shape()[1 - mode]);
      factors_.push_back(&find_matrix(model, name(1 - mode, i), others.back(), n_components_));
    }
    own_ = Layout(own);
    others_ = Layout(others);
    s_ = table("s");
    levels_ = table("levels");
    lengths_ = table(mode == 0 ? "row_lengths" : "column_lengths");
    penalty_ = fitted_penalty(rules.options, model, mode, own[0]);
  }
  Index n_components() const { return n_components_; }
  const Layout& own() const { return own_; }
  const Layout& others() const { return others_; }
  Which which() const { return mode_ == 0 ? Which::rows : Which::columns; }
  const char* items() const { return mode_ == 0 ? "rows" : "columns"; }
  const char* item() const { return mode_ == 0 ? "row" : "column"; }
  std::string name(Index mode, Index time) const {
    const std::string letter = mode == 0 ? "u" : "v";
    return rules_.is_series ? letter + "_" + std::to_string(time) : letter;
  }
  // The other side's unit vectors.
  std::vector<double> other(Index component) const {
    std::vector<double> unit;
    for (const Matrix* factor : factors_) {
      for (Index r = 0; r < factor->rows(); ++r) unit.push_back((*factor)(r, component));
    }
    return unit;
  }
  SideRule rule(Index component) const {
    SideRule rule = rules_.sides[which()];
    rule.dual_gap = 0.0;
    if (penalty_) {
      rule.penalty = penalty_;
      return rule;
    }
    rule.sparsity = used_number(model_, item() + std::string("-sparsity"), component);
    if (rules_.is_series && !rule.is_tied()) {
      rule.fusion = used_number(model_, item() + std::string("-fusion"), component);
    }
    return rule;
  }
  std::vector<double> weights(Index component) const { return s_[component]; }
  double level(Index time, Index component) const { return levels_[component][time]; }
  double length(Index time, Index component) const { return lengths_[component][time]; }
  // By which a new item's entry becomes its strength as a member.
  double strength(Index time, Index component) const {
    const std::vector<double>& s = s_[component];
    const bool is_in_model = std::any_of(s.begin(), s.end(), [](double x) { return x != 0.0; });
    const bool is_by_level = !rules_.is_series && is_in_model;
    return is_by_level || level(time, component) == 0.0 ? level(time, component) : s[time];
  }

 private:
  // Per component its values over time.
  std::vector<std::vector<double>> table(const char* array) const {
    std::vector<std::vector<double>> all;
    if (!rules_.is_series) {
      for (const double value : find_vector(model_, array, n_components_)) all.push_back({value});
      return all;
    }
    const Matrix& values = find_matrix(model_, array, times_, n_components_);
    for (Index k = 0; k < n_components_; ++k) {
      all.emplace_back();
      for (Index i = 0; i < times_; ++i) all.back().push_back(values(i, k));
    }
    return all;
  }

  const Rules& rules_;
  const Model& model_;
  Index times_, mode_, n_components_;
  std::vector<const Matrix*> factors_;
  Layout own_, others_;
  std::vector<std::vector<double>> s_, levels_, lengths_;
  std::shared_ptr<const Penalty> penalty_;
};

// A penalty that looks at several items at once says nothing about new ones.
void check_penalty(const Options& options, Index mode, Index n_items) {
  const PenaltyRequest* request = asked_penalty(options, penalty_modes()[mode]);
  if (request == nullptr) return;
  const bool is_separable =
      request->file().empty() && any_penalty(options, mode, n_items)->traits().is_separable;
  if (is_separable) return;
  throw Error(ErrorCode::usage, "--penalty",
              fmt::format("{} of {} ties the items of the fit to each other; new ones cannot be "
                          "found by it",
                          request->text(), penalty_modes()[mode]));
}

// The new items' entries in component k, in the units of the fit's unit vectors.
Side new_items(const Fitted& fit, Index k, const std::vector<PreparedMatrix>& residuals,
               Executor& executor) {
  const SideRule rule = fit.rule(k);
  const auto no_noise = [] { return Noise{}; };  // all penalties are numbers
  const SideStep step{fit.own(), rule, no_noise, executor};
  const std::vector<double> other = fit.other(k);
  Side side =
      step.minimiser(targets_of(fit.which(), residuals, fit.own(), fit.others(), other), {});
  for (Index i = 0; i < fit.own().times(); ++i) {
    const double length = fit.length(i, k);
    for (double& value : fit.own().at(side.unit, i)) value = length > 0.0 ? value / length : 0.0;
  }
  return side;
}

void subtract(double weight, const std::vector<double>& own, const std::vector<double>& other,
              const Fitted& fit, Index time, PreparedMatrix& from) {
  const ConstVec x = fit.own().at(own, time), y = fit.others().at(other, time);
  fit.which() == Which::rows ? from.subtract(weight, x, y) : from.subtract(weight, y, x);
}

std::string unseen_note(const std::vector<Side>& sides, const Fitted& fit) {
  std::size_t unseen = 0;
  for (std::size_t e = 0; e < fit.own().size() && !sides.empty(); ++e) {
    unseen += std::all_of(sides.begin(), sides.end(),
                          [&](const Side& one) { return one.targets.h[e] == 0.0; });
  }
  if (unseen == 0) return {};
  return fmt::format("{} of {} new {} have no observed cell where a component has members", unseen,
                     fit.own().size(), fit.items());
}

}  // namespace

Transformed transform(const Dataset& fresh, const Rules& rules, const Model& fitted, Index mode,
                      Context& ctx) {
  check_penalty(rules.options, mode, fresh.block(0).shape()[mode]);
  const Fitted fit(fresh, rules, fitted, mode);
  const Index times = fresh.size();
  std::vector<PreparedMatrix> residuals, whole;
  for (const Block& block : fresh.blocks()) residuals.emplace_back(block, ctx.executor());
  whole = residuals;
  std::vector<Side> sides;
  double sparsity = 0.0, fusion = 0.0;
  for (Index k = 0; k < fit.n_components(); ++k) {
    Side side = new_items(fit, k, residuals, ctx.executor());
    const std::vector<double> s = fit.weights(k), other = fit.other(k);
    for (Index i = 0; i < times; ++i) {
      subtract(fit.level(i, k), side.unit, other, fit, i, residuals[i]);
      subtract(s[i], side.unit, other, fit, i, whole[i]);
    }
    sparsity += dot(s, penalty_lengths(side, fit.rule(k), fit.own()));
    if (times > 1 && fit.rule(k).is_fused()) fusion += fusion_penalty(side, fit.own(), s);
    sides.push_back(std::move(side));
  }

  Transformed found;
  found.terms.penalties.push_back({fit.item() + std::string("_sparsity"), sparsity});
  if (rules.is_series)
    found.terms.penalties.push_back({fit.item() + std::string("_fusion"), fusion});
  found.terms.gaps = {{fit.items(), 0.0}};  // each item's problem is solved directly
  for (Index i = 0; i < times; ++i) {
    found.terms.loss += 0.5 * whole[i].residual_squares();
    Matrix unit(fit.own().size_at(i), fit.n_components()), strength(unit.rows(), unit.cols());
    for (Index k = 0; k < fit.n_components(); ++k) {
      const ConstVec values = fit.own().at(sides[k].unit, i);
      for (Index r = 0; r < unit.rows(); ++r) {
        unit(r, k) = values[r];
        strength(r, k) = fit.strength(i, k) * values[r];
      }
    }
    const std::optional<Index> block = rules.is_series ? std::optional(i) : std::nullopt;
    found.memberships.push_back(membership_of(fit.items(), block, strength));
    found.arrays.push_back({fit.name(mode, i), std::move(unit)});
  }
  if (const std::string note = unseen_note(sides, fit); !note.empty()) found.notes.push_back(note);
  return found;
}

}  // namespace gingham::methods::rank_one
