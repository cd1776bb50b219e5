#include "gingham/methods/multilinear/solver.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::multilinear {
namespace {

constexpr int kPasses = 2;        // over the columns of a mode per product with the data
constexpr int kWeightPasses = 2;  // over the weights after every mode

double size_of(const Observed& data) {
  return data.squares() > 0.0 ? std::sqrt(data.squares()) : 1.0;
}

}  // namespace

// Halves of what is asked for.
std::vector<alternation::Rule> Solver::rules() const {
  std::vector<alternation::Rule> all;
  for (Index n = 0; n < std::ssize(problem_.lambda); ++n) {
    const std::shared_ptr<const Penalty> whole = problem_.penalty(n);
    const EntryRule* entry = whole->entry();
    all.push_back({.penalty = whole->times(0.5), .may_wait = entry == nullptr || entry->l1 == 0.0});
  }
  return all;
}

Solver::Solver(const Observed& data, Problem problem) : problem_(std::move(problem)) {
  for (Index n = 0; n < data.n_modes(); ++n) {
    if (data.shape()[n] > 1) sweep_.push_back(n);
  }
  if (sweep_.empty()) sweep_.push_back(0);
  problem_.lambda.resize(data.shape().size(), 0.0);
  alternation_ = alternation::Alternation<double>(data, rules());
  change_problem(std::move(problem_));
}

void Solver::change_problem(Problem problem) {
  problem_ = std::move(problem);
  alternation_.change(rules());
  if (problem_.asked.empty() || !observed_.empty()) return;
  for (Index n = 0; n < data().n_modes(); ++n) observed_.push_back(data().observed_items(n));
}

void Solver::begin(Factors factors, Index first, Executor& executor, ConstVec known) {
  Matrix& carrier = factors.modes[sweep_.front()];
  for (Index n = 0; n < factors.n_modes(); ++n) {
    if (std::find(sweep_.begin(), sweep_.end(), n) != sweep_.end()) continue;
    for (Index k = first; k < factors.n_components(); ++k) {  // its scale goes to another mode
      const double scale = factors.modes[n](0, k);
      factors.modes[n](0, k) = 1.0;
      for (Index i = 0; i < carrier.rows(); ++i) carrier(i, k) *= scale;
    }
  }
  const std::shared_ptr<const Penalty> penalty = problem_.penalty(sweep_.front());
  const EntryRule rule = penalty->entry() != nullptr
                             ? *penalty->entry()
                             : EntryRule{.low = problem_.low, .high = problem_.high};
  for (Index k = first; k < factors.n_components(); ++k) {
    for (Index i = 0; i < carrier.rows(); ++i)
      carrier(i, k) = std::clamp(carrier(i, k), rule.low, rule.high);
  }
  rounding_ = 1.0;
  alternation_.begin(std::move(factors.modes), std::move(factors.weights), first, executor, known);
}

void Solver::update_mode(Index mode, Executor& executor) {
  alternation_.update(mode, kPasses, {}, executor);
  rounding_ = 1.0;
  if (!problem_.fixed_weights) alternation_.update_weights(problem_.weight_cap, kWeightPasses);
}

void Solver::end_sweep(Executor& executor) {
  if (problem_.is_penalised()) remove_empty();
  if (!problem_.balance) return;
  const Matrix scales = balancing_scales(problem_, first(), factors());
  alternation_.rescale(scales, problem_.low, problem_.high, executor);
  for (Index k = first(); k < factors().n_components(); ++k) {
    bool is_changed = false;
    for (Index n = 0; n < scales.rows(); ++n) is_changed = is_changed || scales(n, k) != 1.0;
    if (is_changed)
      alternation_.set_weight(k, balanced_weight(problem_, alternation_.weights()[k]));
  }
}

void Solver::run_sweep(Executor& executor) {
  for (const Index mode : sweep_) update_mode(mode, executor);
  end_sweep(executor);
}

bool Solver::has_empty_mode(Index k) const {
  const FactorView view = factors();
  return view.weights[k] == 0.0 ||
         std::any_of(view.modes.begin(), view.modes.end(),
                     [&](const Matrix& a) { return largest_in_column(a, k) == 0.0; });
}

// A component without members in one mode explains nothing: without it the penalty is lower.
void Solver::remove_empty() {
  for (Index k = first(); k < factors().n_components(); ++k) {
    if (has_empty_mode(k)) alternation_.remove(k);
  }
}

bool Solver::remove_costly() {
  return alternation_.remove_costly([&] {
    alternation::Savings saved;
    for (Index k = 0; k < factors().n_components(); ++k) {
      double one = 0.0;
      for (Index n = 0; n < data().n_modes(); ++n) one += 0.5 * penalty_of(factors(), n, k);
      saved.of_component.push_back(one);
      saved.all += one;
    }
    return saved;
  });
}

// A component that is not there pays nothing.
double Solver::penalty_of(const FactorView& factors, Index mode, Index k) const {
  const std::vector<double> z = column(factors.modes[mode], k);
  if (problem_.asked.empty() || !problem_.asked[mode]) return problem_.lambda[mode] * sum_abs(z);
  if (factors.weights[k] == 0.0) return 0.0;
  return problem_.asked[mode]->value(z, observed_[mode]);
}

double Solver::penalty_of(const FactorView& factors, Index mode) const {
  if (problem_.asked.empty() || !problem_.asked[mode]) {
    return problem_.lambda[mode] * sum_abs(factors.modes[mode].values());
  }
  double total = 0.0;
  for (Index k = 0; k < factors.n_components(); ++k) total += penalty_of(factors, mode, k);
  return total;
}

double Solver::cost() const {
  double total = loss();
  for (Index n = 0; n < data().n_modes(); ++n) total += penalty(n);
  return total;
}

double Solver::cost_of(const Factors& factors, const Products& products) const {
  double total = data().squares();
  for (Index r = 0; r < factors.n_components(); ++r) {
    total += factors.weights[r] *
             (dot(products.quadratic.row(r), factors.weights) - 2.0 * products.linear[r]);
  }
  for (Index n = 0; n < factors.n_modes(); ++n) total += penalty_of(factors, n);
  return total;
}

double Solver::moved() const {
  double largest = alternation_.weights_moved();
  for (const Index n : sweep_) largest = std::max(largest, alternation_.moved(n));
  return largest / size_of(data());
}

double Solver::explained(Index k) const {
  return share_lost(alternation_.lost_without(k), data().squares());
}

std::vector<NamedValue> Solver::gaps(const std::vector<std::uint8_t>& members_only, Beside beside,
                                     Index from, Executor& executor) {
  std::vector<NamedValue> gaps;
  for (Index n = 0; n < data().n_modes(); ++n) gaps.push_back({"mode_" + std::to_string(n), 0.0});
  for (const Index mode : sweep_) {
    double largest = 0.0;
    for (const double one : alternation_.gaps(mode, from, beside, members_only, {}, executor)) {
      if (!(one <= largest)) largest = one;  // a NaN stays
    }
    gaps[mode].value = std::sqrt(largest) / size_of(data());
  }
  if (problem_.fixed_weights) return gaps;
  const double weights = alternation_.weights_gap(from, beside, problem_.weight_cap);
  gaps.push_back({"weights", std::sqrt(weights) / size_of(data())});
  return gaps;
}

void Solver::for_each_column(Index mode, Beside beside,
                             FunctionRef<void(Index, ConstVec, Curvature)> visit,
                             Executor& executor) {
  alternation_.for_each_column(
      mode, beside,
      [&](Index k, ConstVec b, Curvature h) {
        if (!is_empty(k)) visit(k, b, h);
      },
      executor);
}

Solver::Products Solver::products_of(const Factors& factors, Executor& executor) const {
  return {alternation_.products_of(factors.modes, sweep_.back(), executor), 1.0};
}

void Solver::jump(Factors factors, Products products, Executor& executor) {
  rounding_ = products.rounding;
  alternation_.jump(std::move(factors.modes), std::move(factors.weights), sweep_.back(),
                    std::move(products), executor);
}

}  // namespace gingham::methods::multilinear
