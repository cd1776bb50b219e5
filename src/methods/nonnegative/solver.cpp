#include "gingham/methods/nonnegative/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/nonnegative/matrices.hpp"
#include "gingham/operators/residual.hpp"

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
constexpr double kCancelledInSingle = 0.25;  // kCancelled for sums in single precision
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

template <class T>
void scale_columns(const std::vector<double>& by, DenseMatrix<T>& m) {
  for (Index i = 0; i < m.rows(); ++i) {
    const std::span<T> row = m.row(i);
    for (std::size_t k = 0; k < by.size(); ++k)
      row[k] = static_cast<T>(static_cast<double>(row[k]) * by[k]);
  }
}

// Sum over items, in fixed blocks, of what body(item) gives.
template <class Body>
double sum_items(Index n_items, Index work, Executor& executor, const Body& body) {
  const Partition blocks = Partition::even(n_items, work);
  return sum_blocks(executor, blocks.count(), [&](Index block) {
    double sum = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) sum += body(i);
    return sum;
  });
}

template <class T>
double dot_in_double(std::span<const T> a, std::span<const T> b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  return sum;
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

}  // namespace

template <class T>
Solver<T>::Solver(const Observed& data, Rules rules) : data_(&data), rules_(std::move(rules)) {
  make_sets();
}

template <class T>
void Solver<T>::make_sets() {
  for (int side = 0; side < 2; ++side)
    sets_[side] = SideSets(rules_.sides[side], data_->classes(side), rules_.whole_factors);
}

template <class T>
void Solver<T>::look_at(DenseMatrix<T> rows, DenseMatrix<T> columns, Executor& executor) {
  factors_ = {std::move(rows), std::move(columns)};
  for (int side = 0; side < 2; ++side) make_grams(side, executor);
  for (int side = 0; side < 2; ++side) {
    make_quadratic(side);
    product(side, executor);
  }
  measure_loss(executor);
}

template <class T>
void Solver<T>::begin(DenseMatrix<T> rows, DenseMatrix<T> columns, Executor& executor) {
  look_at(std::move(rows), std::move(columns), executor);
  set_scales();
  product(1 - rules_.free_side, executor);
}

template <class T>
void Solver<T>::first_half(Executor& executor) {
  const int side = 1 - rules_.free_side;
  update(side, executor);
  make_grams(side, executor);
  make_quadratic(1 - side);
  product(1 - side, executor);
}

template <class T>
void Solver<T>::second_half(Executor& executor) {
  const int side = rules_.free_side;
  update(side, executor);
  make_grams(side, executor);
  measure_loss(executor);
  set_scales();
  product(1 - side, executor);
}

template <class T>
void Solver<T>::product(int side, Executor& executor) {
  if (data_->kind() != Observed::Kind::listed)
    return data_->products(side, std::span<const DenseMatrix<T>>(factors_), y_[side], executor);
  y_[side] = DenseMatrix<T>(data_->size(side), rank());  // all there is comes from the cells
}

template <class T>
void Solver<T>::make_grams(int side, Executor& executor) {
  const ItemClasses& classes = data_->classes(side);
  const DenseMatrix<T>& f = factors_[side];
  grams_[side].resize(static_cast<std::size_t>(classes.count()));
  DenseMatrix<T> g;
  for (Index c = 0; c < classes.count(); ++c) {
    if (classes.count() == 1) {
      gram(f, g, executor);
    } else {
      const std::span<const Index> members = classes.members(c);
      DenseMatrix<T> part(std::ssize(members), f.cols());
      for (Index r = 0; r < part.rows(); ++r) {
        const auto from = f.row(members[r]);
        std::copy(from.begin(), from.end(), part.row(r).begin());
      }
      gram(part, g, executor);
    }
    grams_[side][c] = in_double(g);
  }
}

template <class T>
void Solver<T>::make_quadratic(int side) {
  const Index n_own = data_->classes(side).count(), n_other = data_->classes(1 - side).count();
  const SideRules& rules = rules_.sides[side];
  seen_[side].assign(static_cast<std::size_t>(n_own), Matrix(rank(), rank()));
  for (Index c = 0; c < n_own && data_->kind() != Observed::Kind::listed; ++c) {
    for (Index d = 0; d < n_other; ++d) {
      if (data_->sees(side, c, d))
        axpy(1.0, std::as_const(grams_[1 - side][d]).values(), seen_[side][c].values());
    }
  }
  q_[side] = seen_[side];
  diagonals_[side].assign(static_cast<std::size_t>(rank()), 0.0);
  for (Matrix& q : q_[side]) {
    for (double& x : q.values()) x += 2.0 * rules.cross;
  }
}

template <class T>
Half<T> Solver<T>::half(int side) {
  SideView view{
      data_, side, &q_[side], nullptr, nullptr, &diagonals_[side], rules_.sides[side].cross};
  if (!data_->cells(side).empty()) {
    std::span<const Matrix> factors;
    if constexpr (std::is_same_v<T, double>) {
      factors = factors_;
    } else {
      in_double_[1 - side] = in_double(factors_[1 - side]);
      factors = in_double_;
    }
    items_ = std::make_unique<ItemGrams>(*data_, side, factors, seen_[side]);
    view.other = &factors[1 - side];
    view.grams = items_.get();
  }
  return {view, sets_[side], y_[side], factors_[side]};
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
  for (const Degrees& own : degrees(rules, factors_[other]))
    prices.push_back(own.one + 2.0 * own.two);
  for (const Matrix& g : grams_[other]) {
    for (Index k = 0; k < rank(); ++k) prices[k] += 2.0 * rules.cross * sum(g.row(k));
  }
  return prices;
}

template <class T>
void Solver<T>::update(int side, Executor& executor) {
  Half<T> one = half(side);
  std::vector<Matrix> priced;
  std::vector<double> prices;
  if (rules_.sides[side].is_in_ball) {
    prices = price();
    priced = q_[side];
    for (Matrix& q : priced) {
      for (Index k = 0; k < rank(); ++k) q(k, k) += prices[k];
    }
    one.view.q = &priced;
    one.view.diagonal = &prices;
  }
  const auto once = [&] {
    return rules_.whole_factors
               ? one.solve(sets_[side].sets.empty() ? 0.0 : lipschitz(side, *one.view.q), executor)
               : one.sweep(passes_for(*data_, side, rank(), !sets_[side].sets.empty()), executor);
  };
  double squares = once();
  // A column may become 0 because of others that become 0 after it. From 0 on the factor stays
  // there only if that is its minimum.
  if (rules_.sides[side].has_cost() && !pays(rules_.sides[side], factors_[side])) squares += once();
  moved_[side] = std::sqrt(squares);
}

// At least the largest eigenvalue of every item's Q: for a matrix without negative entries it is at
// most max_i (Q x)_i / x_i, for any x > 0.
template <class T>
double Solver<T>::lipschitz(int side, const std::vector<Matrix>& qs) const {
  constexpr int kSteps = 40;
  constexpr double kLeast = 1e-6;  // of the largest entry of x
  double largest = 0.0;
  for (Matrix q : qs) {
    if (data_->kind() == Observed::Kind::listed) {
      for (const Matrix& g : grams_[1 - side]) axpy(1.0, g.values(), q.values());
    }
    std::vector<double> x(static_cast<std::size_t>(rank()), 1.0), y(x.size());
    double bound = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kSteps; ++step) {
      double most = 0.0, length = 0.0;
      for (Index k = 0; k < rank(); ++k) {
        y[k] = dot(std::as_const(q).row(k), x);
        most = std::max(most, y[k] / x[k]);
        length = std::max(length, y[k]);
      }
      bound = std::min(bound, most);
      if (!(length > 0.0)) break;
      for (Index k = 0; k < rank(); ++k) x[k] = std::max(y[k] / length, kLeast);
    }
    largest = std::max(largest, bound);
  }
  return largest;
}

// The scales of the columns that cost least; what belongs to the free side's half is scaled along.
template <class T>
void Solver<T>::set_scales() {
  const int free = rules_.free_side;
  const std::vector<double> there = best_scales();
  std::vector<double> back = there;
  for (double& one : back) one = one > 0.0 ? 1.0 / one : 0.0;
  scale_side(there, free);
  scale_side(back, 1 - free);
  scale_columns(back, y_[free]);
  for (int side = 0; side < 2; ++side) make_quadratic(side);
}

// In the ball: columns of length 1. Where both factors pay: the c at which one_a c + two_a c^2 +
// one_b / c + two_b / c^2 is least. Entries that pay together have one scale for all.
template <class T>
std::vector<double> Solver<T>::best_scales() const {
  const int free = rules_.free_side;
  const SideRules &own = rules_.sides[free], &other = rules_.sides[1 - free];
  const std::vector<double> a = lengths(grams_[free]);
  std::vector<double> scales(a.size(), 1.0);
  if (own.is_in_ball) {
    for (std::size_t k = 0; k < a.size(); ++k) scales[k] = a[k] > 0.0 ? 1.0 / a[k] : 0.0;
    return scales;
  }
  if (!own.has_cost() || !other.has_cost() || own.is_bounded() || other.is_bounded()) return scales;
  std::vector<Degrees> up = degrees(own, factors_[free]), down = degrees(other, factors_[1 - free]);
  if (own.cross > 0.0 || other.cross > 0.0) {
    Degrees all_up{0.0, cross_cost(own, factors_[free])};
    Degrees all_down{0.0, cross_cost(other, factors_[1 - free])};
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

// Columns of a factor, and its Gram matrices with them.
template <class T>
void Solver<T>::scale_side(const std::vector<double>& by, int side) {
  scale_columns(by, factors_[side]);
  for (Matrix& g : grams_[side]) {
    for (Index k = 0; k < g.rows(); ++k) {
      for (Index l = 0; l < g.cols(); ++l) g(k, l) *= by[k] * by[l];
    }
  }
}

// Over the cells: half the squares of x less the model.
template <class T>
double Solver<T>::cell_loss(Executor& executor) const {
  const CellList& cells = data_->cells(0);
  if (cells.empty()) return 0.0;
  return sum_items(data_->size(0), rank(), executor, [&](Index i) {
    double sum = 0.0;
    for (Index e = cells.pointers[i]; e < cells.pointers[i + 1]; ++e) {
      const double residual =
          cells.values[e] - dot_in_double(factors_[0].row(i), factors_[1].row(cells.others[0][e]));
      sum += 0.5 * residual * residual;
    }
    return sum;
  });
}

// Needs y and what is seen of the free side.
template <class T>
void Solver<T>::measure_loss(Executor& executor) {
  if (data_->kind() == Observed::Kind::listed) {
    loss_ = cell_loss(executor);
    return;
  }
  const int side = rules_.free_side;
  const double linear = sum_items(data_->size(side), rank(), executor, [&](Index i) {
    return dot_in_double(std::as_const(y_[side]).row(i), std::as_const(factors_[side]).row(i));
  });
  double quadratic = 0.0;
  for (std::size_t c = 0; c < grams_[side].size(); ++c)
    quadratic +=
        dot(std::as_const(grams_[side][c]).values(), std::as_const(seen_[side][c]).values());
  const double whole = 0.5 * data_->stored_squares() - linear + 0.5 * quadratic;
  const double in_holes = cell_loss(executor);
  constexpr double kLeast = std::is_same_v<T, double> ? kCancelled : kCancelledInSingle;
  loss_ =
      data_->squares() < kLeast * in_holes ? exact_loss(executor) : std::max(whole - in_holes, 0.0);
}

template <class T>
double Solver<T>::exact_loss(Executor& executor) const {
  if constexpr (std::is_same_v<T, double>) {
    return 0.5 * residual_squares(*data_, {factors_}, executor);
  } else {
    const Matrix factors[] = {in_double(factors_[0]), in_double(factors_[1])};
    return 0.5 * residual_squares(*data_, {factors}, executor);
  }
}

template <class T>
std::vector<NamedValue> Solver<T>::penalties() const {
  std::vector<NamedValue> all;
  for (const int side : {rules_.free_side, 1 - rules_.free_side}) {
    const SideRules& rules = rules_.sides[side];
    if (!rules.is_counted()) continue;
    double total = rules.cross > 0.0 ? cross_cost(rules, factors_[side]) : 0.0;
    for (const double one : column_costs(rules, factors_[side])) total += one;
    all.push_back({side == 0 ? "W" : "H", total});
  }
  return all;
}

// Without component k the loss rises by half of `lost`, and what its columns pay is saved.
template <class T>
bool Solver<T>::drop_costly(Executor& executor) {
  constexpr double kClearly = 1e-12;  // of the objective: more than rounding
  bool has_dropped = false;
  for (const SideRules& rules : rules_.sides) {
    if (!rules.penalty->traits().has_zero) return false;
  }
  while (rules_.sides[0].has_cost() || rules_.sides[1].has_cost()) {
    const Matrix factors[] = {in_double(factors_[0]), in_double(factors_[1])};
    std::vector<double> change = lost_without(*data_, {factors}, executor);
    for (double& one : change) one *= 0.5;
    double objective = 0.5 * residual_squares(*data_, {factors}, executor);
    for (const NamedValue& penalty : penalties()) objective += penalty.value;
    for (int side = 0; side < 2; ++side) {
      const std::vector<double> saved = savings(rules_.sides[side], factors[side]);
      for (std::size_t k = 0; k < change.size(); ++k) change[k] -= saved[k];
    }
    const auto best = std::min_element(change.begin(), change.end());
    const double empty = 0.5 * data_->squares() - objective;
    if (!(std::min(*best, empty) < -kClearly * objective)) return has_dropped;
    has_dropped = true;
    for (int side = 0; side < 2; ++side) {
      std::vector<double> keep(change.size(), empty < *best ? 0.0 : 1.0);
      keep[static_cast<std::size_t>(best - change.begin())] = 0.0;
      scale_columns(keep, factors_[side]);
    }
    look_at(std::move(factors_[0]), std::move(factors_[1]), executor);
  }
  return has_dropped;
}

template <class T>
double Solver<T>::moved() const {
  const double size = data_->squares() > 0.0 ? std::sqrt(data_->squares()) : 1.0;
  return std::max(moved_[0], moved_[1]) / size;
}

template <class T>
Terms Solver<T>::terms(Executor& executor) {
  Terms terms;
  terms.loss = loss_;
  terms.penalties = penalties();
  const double size = data_->squares() > 0.0 ? std::sqrt(data_->squares()) : 1.0;
  for (int side = 0; side < 2; ++side)
    terms.gaps.push_back({side == 0 ? "W" : "H", std::sqrt(half(side).gap(executor)) / size});
  return terms;
}

template <class T>
void Solver<T>::check_sizes() const {
  for (int side = 0; side < 2; ++side) {
    const bool fits =
        factors_[side].rows() == data_->size(side) && y_[side].rows() == data_->size(side) &&
        factors_[side].cols() == rank() && y_[side].cols() == rank() && rank() > 0 &&
        std::ssize(grams_[side]) == data_->classes(side).count() &&
        std::all_of(grams_[side].begin(), grams_[side].end(),
                    [&](const Matrix& g) { return g.rows() == rank() && g.cols() == rank(); });
    if (!fits) throw Error(ErrorCode::input, "", "saved state: the factors do not fit the data");
  }
}

template class Solver<double>;
template class Solver<float>;

}  // namespace gingham::methods::nonnegative
