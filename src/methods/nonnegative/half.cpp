#include "gingham/methods/nonnegative/half.hpp"

#include <algorithm>
#include <numeric>

#include "gingham/methods/nonnegative/in_ball.hpp"
#include "gingham/methods/nonnegative/least_squares.hpp"
#include "gingham/penalties/members/ball.hpp"
#include "gingham/penalties/nonneg_rows.hpp"

namespace gingham::methods::nonnegative {
namespace {

constexpr Index kLargeSet = 4096;  // items from which a set is worth several threads
constexpr Index kCellTile = 64;    // items with cells of their own that are treated together
constexpr double kSolved = 1e-3;   // of a first step's change: where accelerated steps end
constexpr int kMaxSteps = 300;

// Q and the inverses of its diagonal in the arithmetic of the rows.
template <class T>
class RowQ {
 public:
  RowQ(const Matrix& q, const EntryRule& rule)
      : q_(q.values().begin(), q.values().end()),
        inverse_(static_cast<std::size_t>(q.rows())),
        l1_(static_cast<T>(rule.l1)),
        high_(static_cast<T>(rule.high)) {
    for (Index k = 0; k < q.rows(); ++k)
      inverse_[k] = q(k, k) > 0.0 ? static_cast<T>(1.0 / (q(k, k) + rule.ridge)) : T{0};
  }
  NonnegRowProblem<T> problem() const {
    return {q_.data(), inverse_.data(), std::ssize(inverse_), l1_, high_};
  }

 private:
  std::vector<T> q_, inverse_;
  T l1_, high_;
};

// One per thread, kept: large pieces of memory are dear to get again and again.
PanelRoom& panel_room() {
  thread_local PanelRoom room;
  return room;
}

}  // namespace

SideSets::SideSets(const SideRules& rules, const ItemClasses& classes, bool whole)
    : sets(rules.penalty->parts(std::ssize(classes.of_item))), rule(rules.penalty->rest()) {
  std::vector<std::uint8_t> is_in_set(classes.of_item.size(), 0);
  if (whole && sets.empty() && rule.high < kInfinity) {
    sets.push_back({{}, rules.penalty});
    for (Index i = 0; i < std::ssize(classes.of_item); ++i) sets[0].items.push_back(i);
  }
  for (const Penalty::Part& set : sets) {
    for (const Index item : set.items) is_in_set[item] = 1;
  }
  rest.bounds.assign(1, 0);
  for (Index c = 0; c < classes.count(); ++c) {
    for (const Index item : classes.members(c)) {
      if (is_in_set[item] == 0) rest.items.push_back(item);
    }
    rest.bounds.push_back(std::ssize(rest.items));
  }
  entries = std::make_shared<Separable>(rule);
  if (!rules.is_in_ball) return;
  const bool is_plain = rules.penalty->entry() != nullptr;
  in_ball = is_plain ? std::shared_ptr<const Penalty>(std::make_shared<UnitBall>(kNonneg))
                     : std::make_shared<InBall>(rules.penalty);
}

// Calls treat(panel) for every set, and, with `has_rest`, for all other items a few at a time.
template <class T>
template <class Treat>
double Half<T>::over_panels(bool has_rest, const Treat& treat, Executor& executor) {
  double total = 0.0;
  const auto one = [&](std::span<const Index> items, const Penalty& penalty) {
    Panel panel(view, items, penalty, panel_room());
    panel.take(f, y);
    return treat(panel);
  };
  std::vector<const Penalty::Part*> small;
  std::vector<Index> pointers{0};
  for (const Penalty::Part& set : sets.sets) {
    if (std::ssize(set.items) >= kLargeSet || sets.sets.size() == 1) {
      total += one(set.items, *set.penalty);
    } else {
      small.push_back(&set);
      pointers.push_back(pointers.back() + std::ssize(set.items) * f.cols());
    }
  }
  if (!small.empty()) {
    const Partition blocks = Partition::weighted(pointers);
    total += sum_blocks(executor, blocks.count(), [&](Index block) {
      double sum = 0.0;
      for (Index s = blocks.begin(block); s < blocks.end(block); ++s)
        sum += one(small[static_cast<std::size_t>(s)]->items,
                   *small[static_cast<std::size_t>(s)]->penalty);
      return sum;
    });
  }
  if (!has_rest || sets.rest.items.empty()) return total;
  const Index n_tiles = (std::ssize(sets.rest.items) + kCellTile - 1) / kCellTile;
  const std::span<const Index> items = sets.rest.items;
  return total + sum_blocks(executor, n_tiles, [&](Index tile) {
           const Index from = tile * kCellTile;
           const Index size = std::min(kCellTile, std::ssize(items) - from);
           return one(items.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(size)),
                      *sets.entries);
         });
}

// Calls treat(tile problem, items, how many) for blocks of the items that are in no set.
template <class T>
template <class Treat>
double Half<T>::over_rest(int passes, const Treat& treat, Executor& executor) {
  double total = 0.0;
  const Index rank = f.cols();
  for (Index c = 0; c < sets.rest.count(); ++c) {
    const std::span<const Index> items = sets.rest.members(c);
    if (items.empty()) continue;
    const RowQ<T> q((*view.q)[static_cast<std::size_t>(c)], sets.rule);
    const Partition blocks = Partition::even(std::ssize(items), passes * rank * rank);
    total += sum_blocks(executor, blocks.count(), [&](Index block) {
      const Index begin = blocks.begin(block);
      return treat(q.problem(), items.data() + begin, blocks.end(block) - begin);
    });
  }
  return total;
}

template <class T>
double Half<T>::sweep(int passes, Executor& executor) {
  const bool has_cells = view.other != nullptr;
  T* rows = f.data();
  double total = over_panels(
      has_cells,
      [&](Panel& panel) {
        const double moved = panel.sweep(passes, executor);
        panel.put(rows);
        return moved;
      },
      executor);
  if (has_cells) return total;
  return total + over_rest(
                     passes,
                     [&](const NonnegRowProblem<T>& problem, const Index* items, Index n) {
                       return sweep_rows(problem, items, n, passes, y.data(), rows);
                     },
                     executor);
}

template <class T>
double Half<T>::gap(Executor& executor) {
  if (sets.in_ball != nullptr) {
    std::vector<Index> all(static_cast<std::size_t>(f.rows()));
    std::iota(all.begin(), all.end(), Index{0});
    Panel panel(view, all, *sets.in_ball, panel_room());
    panel.take(f, y);
    return panel.gap(executor);
  }
  const bool has_cells = view.other != nullptr;
  const T* rows = std::as_const(f).data();
  const double total = over_panels(
      has_cells, [&](Panel& panel) { return panel.gap(executor); }, executor);
  if (has_cells) return total;
  return total + over_rest(
                     1,
                     [&](const NonnegRowProblem<T>& problem, const Index* items, Index n) {
                       return gap_of_rows(problem, items, n, y.data(), rows);
                     },
                     executor);
}

template <class T>
double Half<T>::solve(double lipschitz, Executor& executor) {
  T* rows = f.data();
  const double total = over_panels(
      false,
      [&](Panel& panel) {
        const double moved = panel.accelerate(lipschitz, kSolved, kMaxSteps, executor);
        panel.put(rows);
        return moved;
      },
      executor);
  return total + solve_least_squares(view, sets.rest, sets.rule, y, f, executor);
}

template struct Half<double>;
template struct Half<float>;

}  // namespace gingham::methods::nonnegative
