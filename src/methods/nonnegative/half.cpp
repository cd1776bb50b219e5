#include "gingham/methods/nonnegative/half.hpp"

#include <algorithm>

#include "gingham/methods/nonnegative/group_coupling.hpp"
#include "gingham/methods/nonnegative/least_squares.hpp"
#include "gingham/methods/nonnegative/tiles.hpp"

namespace gingham::methods::nonnegative {
namespace {

constexpr Index kLargeSet = 4096;  // items from which a set is worth several threads
constexpr Index kCellTile = 64;    // items with cells of their own that are treated together
constexpr double kSolved = 1e-3;   // of a first step's change: where accelerated steps end
constexpr int kMaxSteps = 300;

// Q and the inverses of its diagonal in the arithmetic of the tiles.
template <class T>
class TileQ {
 public:
  explicit TileQ(const Matrix& q)
      : q_(q.values().begin(), q.values().end()), inverse_(static_cast<std::size_t>(q.rows())) {
    for (Index k = 0; k < q.rows(); ++k)
      inverse_[k] = q(k, k) > 0.0 ? static_cast<T>(1.0 / q(k, k)) : T{0};
  }
  TileProblem<T> problem() const { return {q_.data(), inverse_.data(), std::ssize(inverse_)}; }

 private:
  std::vector<T> q_, inverse_;
};

// One per thread, kept: large pieces of memory are dear to get again and again.
PanelRoom& panel_room() {
  thread_local PanelRoom room;
  return room;
}

bool has_weight(const SideRules& rules, const ConnectedSet& set) {
  return std::any_of(set.groups.begin(), set.groups.end(),
                     [&](Index g) { return rules.beta[g] > 0.0; });
}

// The penalty of a set with its items in this order. place: room for a number per item of the side.
GroupProx prox_over(const SideRules& rules, const ConnectedSet& set,
                    const std::vector<Index>& items, std::vector<Index>& place) {
  for (Index i = 0; i < std::ssize(items); ++i) place[items[i]] = i;
  std::vector<std::vector<Index>> positions;
  std::vector<double> weights;
  for (const Index g : set.groups) {
    if (!(rules.beta[g] > 0.0)) continue;
    positions.emplace_back();
    for (const Index item : rules.groups->members(g)) positions.back().push_back(place[item]);
    std::sort(positions.back().begin(), positions.back().end());
    weights.push_back(rules.beta[g]);
  }
  return GroupProx(std::ssize(items), std::move(positions), std::move(weights),
                   rules.is_max_norm ? GroupNorm::infinity : GroupNorm::two);
}

}  // namespace

SideSets::SideSets(const SideRules& rules, const Classes& classes) {
  std::vector<std::uint8_t> is_coupled(classes.of_item.size(), 0);
  is_in_ball = rules.is_in_ball;
  if (rules.has_group_penalty()) {
    std::vector<Index> place(is_coupled.size());
    for (const ConnectedSet& one : rules.groups->connected_sets()) {
      if (!has_weight(rules, one)) continue;
      std::vector<Index> items = one.items;
      std::stable_sort(items.begin(), items.end(),
                       [&](Index a, Index b) { return classes.of_item[a] < classes.of_item[b]; });
      for (const Index item : items) is_coupled[item] = 1;
      auto coupling = std::make_unique<GroupCoupling>(prox_over(rules, one, items, place));
      sets.push_back({std::move(items), std::move(coupling)});
    }
  }
  rest.bounds.assign(1, 0);
  for (Index c = 0; c < classes.count(); ++c) {
    for (const Index item : classes.members(c)) {
      if (is_coupled[item] == 0) rest.items.push_back(item);
    }
    rest.bounds.push_back(std::ssize(rest.items));
  }
}

// Calls treat(panel) for every set, and, with `has_rest`, for all other items a few at a time.
template <class T>
template <class Treat>
double Half<T>::over_panels(bool has_rest, const Treat& treat, Executor& executor) {
  double total = 0.0;
  const auto one = [&](std::span<const Index> items, Coupling& coupling) {
    Panel panel(view, items, coupling, panel_room());
    panel.take(f, y);
    return treat(panel);
  };
  std::vector<SideSets::Set*> small;
  std::vector<Index> pointers{0};
  for (SideSets::Set& set : sets.sets) {
    if (std::ssize(set.items) >= kLargeSet || sets.sets.size() == 1) {
      total += one(set.items, *set.coupling);
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
                   *small[static_cast<std::size_t>(s)]->coupling);
      return sum;
    });
  }
  if (!has_rest || sets.rest.items.empty()) return total;
  const Index n_tiles = (std::ssize(sets.rest.items) + kCellTile - 1) / kCellTile;
  const std::span<const Index> items = sets.rest.items;
  return total + sum_blocks(executor, n_tiles, [&](Index tile) {
           Uncoupled none;
           const Index from = tile * kCellTile;
           const Index size = std::min(kCellTile, std::ssize(items) - from);
           return one(items.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(size)),
                      none);
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
    const TileQ<T> q((*view.q)[static_cast<std::size_t>(c)]);
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
                     [&](const TileProblem<T>& problem, const Index* items, Index n) {
                       return sweep_items(problem, items, n, passes, y.data(), rows);
                     },
                     executor);
}

template <class T>
double Half<T>::gap(Executor& executor) {
  if (sets.is_in_ball) {
    UnitBall ball;
    Panel panel(view, view.data->classes(view.side).items, ball, panel_room());
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
                     [&](const TileProblem<T>& problem, const Index* items, Index n) {
                       return gap_of_items(problem, items, n, y.data(), rows);
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
  return total + solve_least_squares(view, sets.rest, y, f, executor);
}

template struct Half<double>;
template struct Half<float>;

}  // namespace gingham::methods::nonnegative
