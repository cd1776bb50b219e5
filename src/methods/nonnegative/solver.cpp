#include "gingham/methods/nonnegative/solver.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/penalties/in_ball.hpp"
#include "gingham/penalties/members/ball.hpp"

namespace gingham::methods::nonnegative {
namespace {

// Rounds over the columns of a factor per product with the data: as many as cost about half of what
// the product does, which saves more products than it costs. How the data are stored must not
// matter.
constexpr double kSweepShare = 0.5;
constexpr double kSparseCost = 2.0;   // of a nonzero, beside a cell of a dense matrix
constexpr double kCellCost = 8.0;     // of a cell that is looked at by itself
constexpr double kCoupledCost = 1.5;  // of a round where groups hang together
constexpr double kMostPasses = 8.0;
constexpr double kFewPasses = 2.0;  // a component that others hid at the start gets its turn

int passes_for(const Observed& data, int side, Index rank, bool is_coupled) {
  const double cells = static_cast<double>(data.size(0)) * static_cast<double>(data.size(1));
  const double work = std::min(cells, kSparseCost * data.n_nonzeros());
  const double single = std::min(data.n_observed(), cells - data.n_observed());
  const double sweep =
      static_cast<double>(data.size(side)) * static_cast<double>(rank) + kCellCost * single;
  const double passes = std::clamp(kSweepShare * work / sweep, 1.0, kMostPasses);
  return static_cast<int>(is_coupled ? std::max(passes / kCoupledCost, std::min(passes, kFewPasses))
                                     : passes);
}

// The root of c^2 (one_a c + 2 two_a c^2) = one_b c + 2 two_b.
double best_scale(const Degrees& a, const Degrees& b) {
  if (a.two == 0.0 && b.two == 0.0) return std::sqrt(b.one / a.one);
  if (a.one == 0.0 && b.one == 0.0) return std::sqrt(std::sqrt(b.two / a.two));
  if (a.one == 0.0 && b.two == 0.0) return std::cbrt(b.one / (2.0 * a.two));
  if (a.two == 0.0 && b.one == 0.0) return std::cbrt(2.0 * b.two / a.one);
  double low = -300.0, high = 300.0;  // of log c
  for (int halving = 0; halving < 100; ++halving) {
    const double middle = 0.5 * (low + high), c = std::exp(middle);
    const bool is_low = a.one * c + 2.0 * a.two * c * c < b.one / c + 2.0 * b.two / (c * c);
    (is_low ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

std::vector<double> lengths(const std::vector<Matrix>& grams) {
  std::vector<double> squares(static_cast<std::size_t>(grams[0].rows()), 0.0);
  for (const Matrix& g : grams) {
    for (Index k = 0; k < g.rows(); ++k) squares[k] += g(k, k);
  }
  for (double& x : squares) x = std::sqrt(x);
  return squares;
}

// Columns in the unit ball: its price is part of the Q of a step (Solver::price), so that it ties
// items together only where optimality is measured.
alternation::Rule rule_of(const SideRules& rules) {
  alternation::Rule rule{.penalty = rules.penalty};
  if (!rules.is_in_ball) return rule;
  if (rules.penalty->entry() != nullptr) {
    rule.judged = std::make_shared<UnitBall>(kNonneg);
  } else {
    rule.judged = std::make_shared<InBall>(rules.penalty);
  }
  return rule;
}

}  // namespace

template <class T>
Solver<T>::Solver(const Observed& data, Rules rules)
    : rules_(std::move(rules)),
      observed_{data.observed_items(0), data.observed_items(1)},
      alternation_(data, {rule_of(rules_.sides[0]), rule_of(rules_.sides[1])},
                   rules_.whole_factors) {}

template <class T>
void Solver<T>::look_at(DenseMatrix<T> rows, DenseMatrix<T> columns, Executor& executor) {
  std::vector<double> ones(static_cast<std::size_t>(rows.cols()), 1.0);
  std::vector<DenseMatrix<T>> factors;
  factors.push_back(std::move(rows));
  factors.push_back(std::move(columns));
  alternation_.begin(std::move(factors), std::move(ones), 0, executor);
  known_ = {};
}

template <class T>
void Solver<T>::begin(DenseMatrix<T> rows, DenseMatrix<T> columns, Executor& executor) {
  look_at(std::move(rows), std::move(columns), executor);
  set_scales(executor);
}

template <class T>
void Solver<T>::second_half(Executor& executor) {
  update(rules_.free_side, executor);
  set_scales(executor);
}

// What the other factor would pay for a column in the ball that grows. With its columns b_k / |a_k|
// in place of b_k the ball can go: the objective is the same for all lengths of a_k. The penalty of
// b_k then is one on the lengths, one_k |a_k| + two_k |a_k|^2 (Degrees), at most 1/2 price_k
// |a_k|^2 and a constant more where the lengths are 1 now, price_k = one_k + 2 two_k. Columns of
// any length that lower this lower the objective, and are given the length 1 again.
template <class T>
std::vector<double> Solver<T>::price() const {
  const int other = 1 - rules_.free_side;
  const SideRules& rules = rules_.sides[other];
  std::vector<double> prices;
  for (const Degrees& own : degrees_of(other)) prices.push_back(own.one + 2.0 * own.two);
  for (const Matrix& g : alternation_.grams(other)) {
    for (Index k = 0; k < rank(); ++k) prices[k] += 2.0 * rules.cross * sum(g.row(k));
  }
  return prices;
}

template <class T>
void Solver<T>::update(int side, Executor& executor) {
  const SideRules& rules = rules_.sides[side];
  const int passes = passes_for(data(), side, rank(), alternation_.has_sets(side));
  alternation::Added added{.cross = rules.cross};
  if (rules.is_in_ball) added.diagonal = price();
  alternation_.update(side, passes, added, executor);
  // A column may become 0 because of others that become 0 after it. From 0 on the factor stays
  // there only if that is its minimum.
  known_ = {};
  if (!rules.penalty->traits().charges_length() || !is_zero(costs(side))) return;
  alternation_.update(side, passes, added, executor);
  known_ = {};
}

// The scales of the columns that cost least.
template <class T>
void Solver<T>::set_scales(Executor& executor) {
  const std::vector<double> there = best_scales();
  Matrix scales(2, rank());
  for (Index k = 0; k < rank(); ++k) {
    scales(rules_.free_side, k) = there[k];
    scales(1 - rules_.free_side, k) = there[k] > 0.0 ? 1.0 / there[k] : 0.0;
  }
  alternation_.rescale(scales, -kInfinity, kInfinity, executor);
  known_.exact_loss.reset();
  for (int side = 0; side < 2; ++side) {
    std::optional<std::vector<double>>& known = known_.costs[side];
    if (!known) continue;
    if (!rules_.sides[side].penalty->traits().is_homogeneous) known.reset();
    for (Index k = 0; known && k < rank(); ++k) (*known)[k] *= scales(side, k);
  }
}

// In the ball: columns of length 1. Where both factors pay: the c at which one_a c + two_a c^2 +
// one_b / c + two_b / c^2 is least. Entries that pay together have one scale for all.
template <class T>
std::vector<double> Solver<T>::best_scales() const {
  const int free = rules_.free_side;
  const SideRules &own = rules_.sides[free], &other = rules_.sides[1 - free];
  const std::vector<double> a = lengths(alternation_.grams(free));
  std::vector<double> scales(a.size(), 1.0);
  if (own.is_in_ball) {
    for (std::size_t k = 0; k < a.size(); ++k) scales[k] = a[k] > 0.0 ? 1.0 / a[k] : 0.0;
    return scales;
  }
  if (!own.has_cost() || !other.has_cost() || own.is_bounded() || other.is_bounded()) return scales;
  std::vector<Degrees> up = degrees_of(free), down = degrees_of(1 - free);
  if (own.cross > 0.0 || other.cross > 0.0) {
    Degrees all_up{0.0, cross_cost(own, factor(free))};
    Degrees all_down{0.0, cross_cost(other, factor(1 - free))};
    for (std::size_t k = 0; k < a.size(); ++k) {
      all_up = {all_up.one + up[k].one, all_up.two + up[k].two};
      all_down = {all_down.one + down[k].one, all_down.two + down[k].two};
    }
    std::fill(up.begin(), up.end(), all_up);
    std::fill(down.begin(), down.end(), all_down);
  }
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double c = best_scale(up[k], down[k]);
    if (c > 0.0 && std::isfinite(c)) scales[k] = c;
  }
  return scales;
}

template <class T>
double Solver<T>::exact_loss(Executor& executor) const {
  if (!known_.exact_loss) known_.exact_loss = 0.5 * alternation_.exact_squares_left(executor);
  return *known_.exact_loss;
}

template <class T>
Terms Solver<T>::exact_terms(Executor& executor) {
  Terms all = terms(executor);
  all.loss = exact_loss(executor);
  return all;
}

template <class T>
const std::vector<double>& Solver<T>::costs(int side) const {
  std::optional<std::vector<double>>& known = known_.costs[side];
  if (!known) known = column_costs(rules_.sides[side], factor(side), observed_[side], room_);
  return *known;
}

template <class T>
std::vector<NamedValue> Solver<T>::penalties() const {
  std::vector<NamedValue> all;
  for (const int side : {rules_.free_side, 1 - rules_.free_side}) {
    const SideRules& rules = rules_.sides[side];
    if (!rules.is_counted()) continue;
    double total = rules.cross > 0.0 ? cross_cost(rules, factor(side)) : 0.0;
    for (const double one : costs(side)) total += one;
    all.push_back({side == 0 ? "W" : "H", total});
  }
  return all;
}

template <class T>
bool Solver<T>::drop_costly() {
  if (!rules_.sides[0].has_cost() && !rules_.sides[1].has_cost()) return false;
  for (const SideRules& rules : rules_.sides) {
    if (!rules.penalty->traits().has_zero) return false;
  }
  const bool has_dropped = alternation_.remove_costly([&] {
    known_ = {};
    alternation::Savings saved{std::vector<double>(static_cast<std::size_t>(rank()), 0.0)};
    for (int side = 0; side < 2; ++side)
      axpy(1.0, savings(rules_.sides[side], costs(side), factor(side)), saved.of_component);
    for (const NamedValue& one : penalties()) saved.all += one.value;
    return saved;
  });
  known_ = {};
  return has_dropped;
}

template <class T>
double Solver<T>::moved() const {
  const double size = data().squares() > 0.0 ? std::sqrt(data().squares()) : 1.0;
  return std::max({alternation_.moved(0), alternation_.moved(1), alternation_.weights_moved()}) /
         size;
}

template <class T>
Terms Solver<T>::terms(Executor& executor) {
  Terms terms;
  terms.loss = loss();
  terms.penalties = penalties();
  const double size = data().squares() > 0.0 ? std::sqrt(data().squares()) : 1.0;
  for (int side = 0; side < 2; ++side) {
    const alternation::Added added{.cross = rules_.sides[side].cross};
    const std::vector<double> gaps =
        alternation_.gaps(side, 0, alternation::Beside::all, {}, added, executor);
    terms.gaps.push_back({side == 0 ? "W" : "H", std::sqrt(sum(gaps)) / size});
  }
  return terms;
}

template class Solver<double>;
template class Solver<float>;

}  // namespace gingham::methods::nonnegative
