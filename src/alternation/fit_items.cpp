#include "gingham/alternation/fit_items.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/nnls.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/new_items.hpp"
#include "gingham/operators/residual.hpp"
#include "gingham/penalties/rows.hpp"

namespace gingham::alternation {
namespace {

constexpr double kTolerance = 1e-10;
constexpr Index kMaxPasses = 100'000;
constexpr int kMaxExponent = 1000;  // of a unit, so that its inverse is a number as well

int exponent_of(ConstVec values) {
  const double most = max_abs(values);
  if (!(most > 0.0) || !std::isfinite(most)) return 0;
  return std::clamp(std::ilogb(most), -kMaxExponent, kMaxExponent);
}

void times_power(int exponent, Vec values) {
  for (double& value : values) value = std::ldexp(value, exponent);
}

// Powers of two in which factors and data are near 1, so that no square leaves the range of
// numbers: z = 2^of_z z', x = 2^of_x x', f = 2^(of_x - of_z) f'.
struct Units {
  int of_z = 0, of_x = 0;

  // Brings the problem into its units.
  Units(FittedFactors& fitted, Index mode) {
    for (Index m = 0; m < std::ssize(fitted.modes); ++m) {
      const int own = exponent_of(std::as_const(fitted.modes[m]).values());
      of_x += own;
      if (m == mode) continue;
      of_z += own;
      times_power(-own, fitted.modes[m].values());
    }
    if (!fitted.weights.empty()) {
      const int own = exponent_of(fitted.weights);
      of_z += own;
      of_x += own;
      times_power(-own, fitted.weights);
      Matrix& first = fitted.modes[mode == 0 ? 1 : 0];
      for (Index i = 0; i < first.rows(); ++i) {
        for (Index k = 0; k < first.cols(); ++k) first(i, k) *= fitted.weights[k];
      }
    }
    of_x = std::clamp(of_x, -kMaxExponent, kMaxExponent);
    EntryRule& rule = fitted.rule;
    rule.l1 = std::ldexp(rule.l1, -of_x - of_z);
    rule.ridge = std::ldexp(rule.ridge, -2 * of_z);
    rule.low = std::ldexp(rule.low, of_z - of_x);
    rule.high = std::ldexp(rule.high, of_z - of_x);
    fitted.cross = std::ldexp(fitted.cross, -2 * of_z);
    times_power(of_z - of_x, fitted.least);
  }
};

// One item after the other, with memory of its own.
class ItemSolver {
 public:
  ItemSolver(const NewItems& items, const FittedFactors& fitted)
      : items_(items),
        fitted_(fitted),
        common_(fitted.rule, items.rank(), 0, {}),
        own_(common_),
        whole_(completed(items.whole())),
        nnls_(items.rank()),
        keep_(static_cast<std::size_t>(items.rank())),
        pull_(keep_.size()) {
    common_.take(whole_);
  }

  struct Solved {
    double gap = 0.0;   // sum of h (f - its minimiser)^2
    double loss = 0.0;  // as a difference from the squares
  };
  // f is zero at first.
  Solved solve(Index item, Vec f) {
    const NewItem& seen = items_.seen(item);
    if (!seen.has_some) return {};
    if (!seen.has_all) {
      items_.gram_of(item, q_, room_);
      q_ = completed(std::move(q_));
      own_.take(q_);
    }
    const RowProblem<double>& problem = seen.has_all ? common_ : own_;
    const Matrix& q = seen.has_all ? whole_ : q_;
    const ConstVec y = items_.y(item);
    Solved solved;
    if (fitted_.in_order) {
      for (Index k = 0; k < problem.n_columns(); ++k) {
        f[k] = problem.minimiser(k, problem.pull(k, k, y.data(), f.data()), 0.0);
        if (std::abs(f[k]) < fitted_.least[k]) f[k] = 0.0;
      }
    } else {
      std::fill(keep_.begin(), keep_.end(), 1);
      if (fitted_.rule.is_nonnegative()) begin(q, y, f);
      solved.gap = descend(problem, y.data(), seen.squares, f);
      if (prune(f)) solved.gap = descend(problem, y.data(), seen.squares, f);
    }
    const double all = sum(f);
    solved.loss = 0.5 * seen.squares - fitted_.cross * all * all;
    for (Index k = 0; k < q.rows(); ++k) solved.loss += (0.5 * dot(q.row(k), f) - y[k]) * f[k];
    return solved;
  }

 private:
  Matrix completed(Matrix q) const {
    for (double& value : q.values()) value += 2.0 * fitted_.cross;
    return q;
  }
  // The minimiser without an upper bound, cut off there.
  void begin(const Matrix& q, ConstVec y, Vec f) {
    const EntryRule& rule = fitted_.rule;
    for (std::size_t k = 0; k < pull_.size(); ++k) pull_[k] = y[k] - rule.l1;
    with_ridge_ = q;
    for (Index k = 0; k < q.rows(); ++k) with_ridge_(k, k) += rule.ridge;
    nnls_.solve(with_ridge_.data(), pull_, f);
    for (double& x : f) x = std::min(x, rule.high);
  }
  // A round over the entries that are kept: sum of h (f - its minimiser)^2, each entry beside the
  // others as they then are; with kMoves it goes to its minimiser.
  template <bool kMoves>
  double round(const RowProblem<double>& problem, const double* y, Vec f) const {
    double squares = 0.0;
    for (Index k = 0; k < problem.n_columns(); ++k) {
      if (keep_[k] == 0) continue;
      const double pull = problem.pull(k, problem.n_columns(), y, f.data());
      const double best = problem.minimiser(k, pull, f[k]), off = f[k] - best;
      squares += problem.curvature(k) * off * off;
      if (kMoves) f[k] = best;
    }
    return squares;
  }
  double descend(const RowProblem<double>& problem, const double* y, double squares, Vec f) const {
    const double least = kTolerance * kTolerance * squares;
    double gap = round<false>(problem, y, f);
    for (Index pass = 1; gap > least && pass <= kMaxPasses; ++pass) {
      const double moved = round<true>(problem, y, f);
      if (moved > least && pass < kMaxPasses) continue;  // the gap costs as much as a round
      gap = round<false>(problem, y, f);
      if (moved == 0.0) break;
    }
    return gap;
  }
  // Entries below `least` become 0 and stay there, as do zeros; whether there was one.
  bool prune(Vec f) {
    bool is_pruned = false;
    for (std::size_t k = 0; k < fitted_.least.size(); ++k) {
      const bool is_small = f[k] != 0.0 && std::abs(f[k]) < fitted_.least[k];
      is_pruned = is_pruned || is_small;
      if (is_small) f[k] = 0.0;
      keep_[k] = f[k] != 0.0 ? 1 : 0;
    }
    return is_pruned;
  }

  const NewItems& items_;
  const FittedFactors& fitted_;
  RowProblem<double> common_, own_;
  Matrix whole_, q_, with_ridge_;
  NnlsRow nnls_;
  std::vector<std::uint8_t> keep_;
  std::vector<double> pull_, room_;
};

double penalty_of(const FittedFactors& fitted, const Matrix& f) {
  double total = fitted.rule.value(f.values(), 1.0);
  for (Index i = 0; i < f.rows() && fitted.cross > 0.0; ++i) {
    const double all = sum(f.row(i));
    total += fitted.cross * all * all;
  }
  return total;
}

}  // namespace

NewFactor fit_items(const Block& fresh, Index mode, FittedFactors fitted, Executor& executor) {
  fitted.least.resize(static_cast<std::size_t>(fitted.modes[mode].cols()), 0.0);
  const Units units(fitted, mode);
  const double x_scale = std::ldexp(1.0, -units.of_x);
  NewItems items(fresh, mode, fitted.modes, x_scale, executor);
  const Index n = items.count(), rank = items.rank();
  NewFactor found;
  Matrix& f = fitted.modes[mode];
  f = Matrix(n, rank);
  double* const rows = f.data();
  const Partition blocks = items.blocks();
  double sums[2] = {0.0, 0.0};
  sum_blocks(executor, blocks.count(), std::span<double>(sums), [&](Index block, Vec partial) {
    ItemSolver solver(items, fitted);
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      const auto [gap, loss] =
          solver.solve(i, Vec(rows + i * rank, static_cast<std::size_t>(rank)));
      partial[0] += gap;
      partial[1] += loss;
    }
  });
  double squares = 0.0;
  for (Index i = 0; i < n; ++i) {
    squares += items.seen(i).squares;
    found.n_unseen += items.seen(i).has_some ? 0 : 1;
  }
  auto [gap, loss] = sums;
  if (has_cancelled(loss, squares))
    loss = 0.5 *
           residual_squares(items.observed(executor), {.modes = fitted.modes}, executor, x_scale);
  found.gap = gap > 0.0 && squares > 0.0 ? std::sqrt(gap / squares) : gap;
  found.loss = std::ldexp(loss, 2 * units.of_x);
  found.penalty = std::ldexp(penalty_of(fitted, f), 2 * units.of_x);
  times_power(units.of_x - units.of_z, f.values());
  found.items = std::move(f);
  return found;
}

}  // namespace gingham::alternation
