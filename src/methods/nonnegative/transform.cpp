#include "gingham/methods/nonnegative/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/kernels/nnls.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/kernels/copies.hpp"
#include "gingham/methods/nonnegative/model.hpp"
#include "gingham/operators/new_items.hpp"

namespace gingham::methods::nonnegative {
namespace {

constexpr int kMaxExponent = 1000;  // of a unit, so that its inverse is a number as well
constexpr const char* kFactors[] = {"W", "H"};
constexpr const char* kItems[] = {"rows", "columns"};

// The factor that is fixed, one row per item of its side.
Matrix fixed_factor(const Dataset& fresh, const Model& fitted, Index mode) {
  const Index rank = std::ssize(fitted.components), n = fresh.block(0).shape()[1 - mode];
  if (mode == 1) return find_matrix(fitted, "W", n, rank);
  const Matrix& h = find_matrix(fitted, "H", rank, n);
  Matrix turned(n, rank);
  for (Index k = 0; k < rank; ++k) {
    for (Index j = 0; j < n; ++j) turned(j, k) = h(k, j);
  }
  return turned;
}

// The exponent of the largest entry: in this unit squares neither overflow nor vanish.
int exponent_of(const Matrix& factor) {
  const double most = max_abs(factor.values());
  if (!(most > 0.0) || !std::isfinite(most)) return 0;
  return std::clamp(std::ilogb(most), -kMaxExponent, kMaxExponent);
}

Matrix in_units(Matrix factor, int exponent) {
  for (double& value : factor.values()) value = std::ldexp(value, -exponent);
  return factor;
}

struct ItemTerms {
  double loss = 0.0, penalty = 0.0, gap = 0.0;
  bool is_seen = false;
};

// One item after the other, with memory of its own. Units: B = 2^e B', f = 2^-e f'.
class ItemSolver {
 public:
  ItemSolver(const NewItems& items, const SideRules& rules, int exponent)
      : items_(items),
        ridge_(std::ldexp(rules.penalty->rest().ridge, -2 * exponent)),
        l1_(std::ldexp(rules.penalty->rest().l1, -exponent)),
        high_(std::ldexp(rules.penalty->rest().high, exponent)),
        cross_(std::ldexp(rules.cross, -2 * exponent)),
        whole_(with_rules(items.whole_gram())),
        nnls_(items.rank()),
        pull_(static_cast<std::size_t>(items.rank())),
        off_(static_cast<std::size_t>(items.rank())) {}

  // f is zero at first.
  ItemTerms solve(Index item, const NewItem& seen, ConstVec y, Vec f) {
    ItemTerms terms{.is_seen = seen.has_some};
    if (!terms.is_seen) return terms;
    if (!seen.has_all) {
      items_.gram_of(item, own_);
      own_ = with_rules(std::move(own_));
    }
    const Matrix& q = seen.has_all ? whole_ : own_;
    for (std::size_t k = 0; k < pull_.size(); ++k) pull_[k] = y[k] - l1_;
    nnls_.solve(q.data(), pull_, f);
    if (high_ < kInfinity) into_box(q, f);
    terms.penalty = penalty_of(f);
    double products = 0.0;  // (Q f / 2 - y)^T f
    for (Index k = 0; k < q.rows(); ++k) {
      const double model = dot(q.row(k), f), d = q(k, k);
      products += (0.5 * model - pull_[k]) * f[k];
      const double best = d > 0.0 ? std::clamp(f[k] + (pull_[k] - model) / d, 0.0, high_) : f[k];
      off_[k] = std::sqrt(d) * (f[k] - best);
    }
    terms.loss = std::max(0.5 * seen.squares + products - terms.penalty, 0.0);
    terms.gap = norm2(off_) / (seen.squares > 0.0 ? std::sqrt(seen.squares) : 1.0);
    return terms;
  }

 private:
  Matrix with_rules(Matrix q) const {
    for (double& value : q.values()) value += 2.0 * cross_;
    for (Index k = 0; k < q.rows(); ++k) q(k, k) += ridge_;
    return q;
  }
  // Coordinate descent, entries at most `high`.
  void into_box(const Matrix& q, Vec f) const {
    constexpr int kMaxRounds = 10000;
    constexpr double kStill = 1e-15;
    for (double& x : f) x = std::min(x, high_);
    for (int round = 0; round < kMaxRounds; ++round) {
      double change = 0.0;
      for (Index k = 0; k < q.rows(); ++k) {
        if (!(q(k, k) > 0.0)) continue;
        const double now = std::clamp(f[k] + (pull_[k] - dot(q.row(k), f)) / q(k, k), 0.0, high_);
        change = std::max(change, std::abs(now - f[k]));
        f[k] = now;
      }
      if (!(change > kStill * high_)) return;
    }
  }
  double penalty_of(ConstVec f) const {
    const double all = sum(f);
    return 0.5 * ridge_ * sum_squares(f) + l1_ * all + cross_ * all * all;
  }

  const NewItems& items_;
  double ridge_, l1_, high_, cross_;
  Matrix whole_, own_;  // Q and what the rules add to it
  NnlsRow nnls_;
  std::vector<double> pull_, off_;
};

std::vector<ItemTerms> solve_all(const NewItems& items, const SideRules& rules, int exponent,
                                 Matrix& factor, Executor& executor) {
  const Index n = items.count(), rank = items.rank();
  std::vector<ItemTerms> terms(static_cast<std::size_t>(n));
  double* const rows = factor.data();
  executor.map(items.n_blocks(), [&](Index block) {
    ItemSolver solver(items, rules, exponent);
    const Index begin = items.begin(block), end = items.end(block);
    Matrix y(end - begin, rank);
    std::vector<NewItem> seen(static_cast<std::size_t>(end - begin));
    items.add(begin, end, y.data(), seen.data());
    for (Index i = begin; i < end; ++i) {
      const Vec f(rows + i * rank, static_cast<std::size_t>(rank));
      terms[i] = solver.solve(i, seen[i - begin], std::as_const(y).row(i - begin), f);
    }
  });
  return terms;
}

Terms total_terms(const std::vector<ItemTerms>& items, const SideRules& rules, Index mode) {
  double penalty = 0.0, gap = 0.0;
  Terms total;
  for (const ItemTerms& item : items) {
    total.loss += item.loss;
    penalty += item.penalty;
    if (!(item.gap <= gap) && !std::isnan(gap)) gap = item.gap;
  }
  const EntryRule& rule = rules.penalty->rest();
  if (rule.ridge > 0.0 || rule.l1 > 0.0 || rules.cross > 0.0)
    total.penalties = {{kFactors[mode], penalty}};
  total.gaps = {{kFactors[mode], gap}};
  return total;
}

std::vector<std::string> notes_on(const Matrix& factor, const std::vector<ItemTerms>& terms,
                                  const SideRules& rules, Index mode) {
  std::vector<std::string> notes;
  if (rules.penalty->entry() == nullptr && (rules.groups == nullptr || rules.has_group_penalty()))
    notes.push_back(fmt::format("the penalty{} ties {} together; new ones do not pay it",
                                rules.groups != nullptr ? " of groups" : "", kItems[mode]));
  if (rules.is_in_ball)
    notes.push_back(fmt::format(
        "the length of {} is at most 1 over the {} of the fit; it is not limited over new ones",
        mode == 0 ? "W's columns" : "H's rows", kItems[mode]));
  const auto n_unseen = std::count_if(terms.begin(), terms.end(),
                                      [](const ItemTerms& item) { return !item.is_seen; });
  if (n_unseen > 0)
    notes.push_back(
        fmt::format("{} new {} have no observed value; they are zero", n_unseen, kItems[mode]));
  Index n_zero = 0;
  for (Index i = 0; i < factor.rows(); ++i) n_zero += is_zero(factor.row(i)) ? 1 : 0;
  if (n_zero > n_unseen)
    notes.push_back(
        fmt::format("{} of {} new {} use no component", n_zero, factor.rows(), kItems[mode]));
  return notes;
}

}  // namespace

Transformed transform(const Dataset& fresh, const Model& fitted, Index mode, const SideRules& rules,
                      Context& ctx) {
  Matrix fixed = fixed_factor(fresh, fitted, mode);
  const int exponent = exponent_of(fixed);
  fixed = in_units(std::move(fixed), exponent);
  ctx.phase("items");
  std::vector<Matrix> factors(2);
  factors[1 - mode] = fixed;
  const NewItems items(fresh.block(0), mode, factors, 1.0, ctx.executor());
  Matrix factor(items.count(), items.rank());
  const std::vector<ItemTerms> terms = solve_all(items, rules, exponent, factor, ctx.executor());
  Transformed found;
  found.terms = total_terms(terms, rules, mode);
  // B' f' = B f: the lengths of B' are those that f' is to be weighted by.
  found.memberships = {membership_of(kItems[mode], std::nullopt, weighted_by(factor, fixed))};
  factor = in_units(std::move(factor), exponent);
  found.notes = notes_on(factor, terms, rules, mode);
  found.arrays.push_back({kFactors[mode], mode == 0 ? std::move(factor) : transposed(factor)});
  return found;
}

}  // namespace gingham::methods::nonnegative
