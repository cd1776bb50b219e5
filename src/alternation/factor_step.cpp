#include "gingham/alternation/factor_step.hpp"

#include <algorithm>
#include <numeric>

#include "gingham/base/error.hpp"
#include "gingham/penalties/rows.hpp"
#include "gingham/penalties/separable.hpp"

namespace gingham::alternation {
namespace {

constexpr Index kLargeSet = 4096;  // items from which a set is worth several threads
constexpr double kSolved = 1e-3;   // of a first step's change: where accelerated steps end
constexpr int kMaxSteps = 300;

// One per thread, kept: large pieces of memory are dear to get again and again.
PanelRoom& panel_room() {
  thread_local PanelRoom room;
  return room;
}

std::vector<Index> all_items(Index n) {
  std::vector<Index> items(static_cast<std::size_t>(n));
  std::iota(items.begin(), items.end(), Index{0});
  return items;
}

}  // namespace

ItemSets::ItemSets(const Penalty& penalty, const ItemClasses& classes, bool whole)
    : sets(penalty.parts(std::ssize(classes.of_item))), rule(penalty.rest()) {
  std::vector<std::uint8_t> is_in_set(classes.of_item.size(), 0);
  if (whole && sets.empty() && rule.high < kInfinity) {
    sets.push_back({all_items(std::ssize(classes.of_item)), std::make_shared<Separable>(rule)});
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
}

// Calls treat(panel, sums) for every set, which adds to the sums.
template <class T>
template <class Treat>
void FactorStep<T>::over_sets(const DenseMatrix<T>& f, Vec sums, const Treat& treat,
                              Executor& executor) const {
  const auto one = [&](const Penalty::Part& set, Vec own) {
    Panel panel(part, set.items, *set.penalty, panel_room());
    panel.take(f, y);
    treat(panel, own);
  };
  std::vector<const Penalty::Part*> small;
  std::vector<Index> pointers{0};
  for (const Penalty::Part& set : sets.sets) {
    if (std::ssize(set.items) >= kLargeSet || sets.sets.size() == 1) {
      one(set, sums);
    } else {
      small.push_back(&set);
      pointers.push_back(pointers.back() + std::ssize(set.items) * f.cols());
    }
  }
  if (small.empty()) return;
  const Partition blocks = Partition::weighted(pointers);
  sum_blocks(executor, blocks.count(), sums, [&](Index block, Vec partial) {
    for (Index s = blocks.begin(block); s < blocks.end(block); ++s)
      one(*small[static_cast<std::size_t>(s)], partial);
  });
}

template <class T>
void FactorStep<T>::require_no_support(bool is_needed) const {
  if (is_needed && !support.empty())
    throw Error(ErrorCode::internal, "", "a support goes with rows that are swept one by one");
}

// The items that are in no set and share their Q: several at a time.
template <class T>
double FactorStep<T>::sweep_classes(int passes, DenseMatrix<T>& f, Executor& executor) const {
  double total = 0.0;
  T* rows = f.data();
  const Index rank = part.n_columns();
  const std::uint8_t* keep = support.empty() ? nullptr : support.data();
  RowProblem<T> problem(sets.rule.within(part.largest), rank, part.first, part.weights, part.waits);
  for (Index c = 0; c < sets.rest.count(); ++c) {
    const std::span<const Index> items = sets.rest.members(c);
    if (items.empty()) continue;
    problem.take((*part.q)[static_cast<std::size_t>(c)]);
    const Partition blocks =
        Partition::even(std::ssize(items), passes * rank * problem.n_unknown());
    total += sum_blocks(executor, blocks.count(), [&](Index block) {
      const Index begin = blocks.begin(block);
      const Rows own{items.data() + begin, 0, blocks.end(block) - begin};
      return sweep_rows(problem, own, passes, y.data(), keep, rows);
    });
  }
  return total;
}

// The same where each item has a Q of its own.
template <class T>
double FactorStep<T>::sweep_items(int passes, DenseMatrix<T>& f, Matrix* model_gram,
                                  Executor& executor) const {
  T* rows = f.data();
  const Index rank = part.n_columns();
  const std::span<const Index> items = sets.rest.items;
  std::vector<Index> pointers{0};
  for (const Index item : items)
    pointers.push_back(pointers.back() + rank + part.data->cells(part.mode).count(item));
  std::vector<double> sums(1 + (model_gram == nullptr ? 0 : model_gram->values().size()), 0.0);
  const Partition blocks = Partition::weighted(pointers, rank, std::ssize(sums));
  sum_blocks(executor, blocks.count(), std::span<double>(sums), [&](Index block, Vec partial) {
    RowProblem<T> problem(sets.rule.within(part.largest), rank, part.first, part.weights,
                          part.waits);
    Matrix z, q;
    std::vector<double> room;
    for (Index r = blocks.begin(block); r < blocks.end(block); ++r) {
      const Index i = items[r];
      part.grams->make(i, z, room);
      q = z;
      part.complete(q);
      problem.take(q);
      T* row = rows + i * rank;
      partial[0] += sweep_row(problem, passes, y.data() + i * problem.n_unknown(),
                              support.empty() ? nullptr : support.data() + i * rank, row);
      if (model_gram != nullptr) add_outer(std::as_const(f).row(i), z, partial.subspan(1));
    }
  });
  if (model_gram != nullptr) std::copy(sums.begin() + 1, sums.end(), model_gram->values().begin());
  return sums[0];
}

template <class T>
double FactorStep<T>::sweep(int passes, DenseMatrix<T>& f, Matrix& model_gram,
                            Executor& executor) const {
  require_no_support(!sets.sets.empty());
  T* rows = f.data();
  double total = 0.0;
  over_sets(
      f, Vec(&total, 1),
      [&](Panel& panel, Vec sum) {
        sum[0] += panel.sweep(passes, executor);
        panel.put(rows);
      },
      executor);
  if (!part.has_cells()) return total + sweep_classes(passes, f, executor);
  const bool has_all = sets.sets.empty();
  if (has_all) model_gram = Matrix(f.cols(), f.cols());
  return total + sweep_items(passes, f, has_all ? &model_gram : nullptr, executor);
}

template <class T>
void FactorStep<T>::for_each_column(Beside beside, const DenseMatrix<T>& f,
                                    FunctionRef<void(Index, ConstVec, Curvature)> visit,
                                    Executor& executor) const {
  const std::vector<Index> all = all_items(f.rows());
  Panel panel(part, all, *sets.entries, panel_room());
  panel.take(f, y);
  panel.for_each(beside, visit, executor);
}

template <class T>
std::vector<double> FactorStep<T>::gaps(Beside beside,
                                        const std::vector<std::uint8_t>& members_only,
                                        const DenseMatrix<T>& f, Executor& executor) const {
  const Index rank = f.cols();
  std::vector<double> sums(static_cast<std::size_t>(rank), 0.0);
  if (sets.judged != nullptr) {
    const std::vector<Index> all = all_items(f.rows());
    Panel panel(part, all, *sets.judged, panel_room());
    panel.take(f, y);
    panel.add_gaps(beside, sums, executor);
    return sums;
  }
  const auto add = [&](ConstVec own) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += own[k];
  };
  over_sets(
      f, sums, [&](Panel& panel, Vec own) { panel.add_gaps(beside, own, executor); }, executor);
  const RowProblem<T> common(sets.rule, rank, part.first, part.weights, part.waits);
  for (Index c = 0; c < sets.rest.count(); ++c) {
    const std::span<const Index> items = sets.rest.members(c);
    if (items.empty()) continue;
    const Partition blocks = Partition::even(std::ssize(items), rank * rank);
    std::vector<double> own(sums.size(), 0.0);
    sum_blocks(executor, blocks.count(), std::span<double>(own), [&](Index block, Vec partial) {
      RowProblem<T> problem = common;
      const auto judge = [&](const Rows& rows) {
        beside == Beside::before
            ? add_row_gaps_in_order(problem, rows, y.data(), f.data(), members_only, partial)
            : add_row_gaps(problem, rows, y.data(), f.data(), members_only, partial);
      };
      const Index begin = blocks.begin(block), end = blocks.end(block);
      if (!part.has_cells()) {
        problem.take((*part.q)[static_cast<std::size_t>(c)]);
        return judge({items.data() + begin, 0, end - begin});
      }
      Matrix q;
      std::vector<double> room;
      for (Index i = begin; i < end; ++i) {
        part.make(items[i], q, room);
        problem.take(q);
        judge({items.data() + i, 0, 1});
      }
    });
    add(own);
  }
  return sums;
}

template <class T>
double FactorStep<T>::solve(double lipschitz, DenseMatrix<T>& f, Executor& executor) const {
  require_no_support(true);
  T* rows = f.data();
  double total = 0.0;
  over_sets(
      f, Vec(&total, 1),
      [&](Panel& panel, Vec sum) {
        sum[0] += panel.accelerate(lipschitz, kSolved, kMaxSteps, executor);
        panel.put(rows);
      },
      executor);
  return total + solve_least_squares(part, sets.rest, sets.rule, y, f, executor);
}

template struct FactorStep<double>;
template struct FactorStep<float>;

}  // namespace gingham::alternation
