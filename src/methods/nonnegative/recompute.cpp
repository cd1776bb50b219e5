#include "gingham/methods/nonnegative/recompute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/methods/nonnegative/plain_minimiser.hpp"
#include "gingham/methods/plain/penalty.hpp"
#include "gingham/methods/plain/sums.hpp"

namespace gingham::methods::nonnegative {
namespace {

using plain::Real;
using plain::Reals;

// W and H, items x components each, with the weights 1.
plain::Product product_of(const Block& block, const Model& model) {
  const Matrix& w = find_matrix(model, "W", block.shape()[0], -1);
  const Matrix& h = find_matrix(model, "H", w.cols(), block.shape()[1]);
  Reals columns;
  for (Index j = 0; j < h.cols(); ++j) {
    for (Index k = 0; k < h.rows(); ++k) columns.push_back(h(k, j));
  }
  return {{plain::reals(w), std::move(columns)}, Reals(static_cast<std::size_t>(w.cols()), 1)};
}

class Recomputation {
 public:
  Recomputation(const Block& block, const Options& options, const Model& model,
                const Problem& problem)
      : block_(block),
        options_(options),
        problem_(problem),
        product_(product_of(block, model)),
        k_(product_.n_components()),
        cells_(block, problem.missing.classes[0], problem.missing.classes[1],
               problem.missing.is_missing),
        sums_(cells_, product_, plain::Others::all) {
    for (const char* mode : {"rows", "columns"})
      asked_.emplace_back(options, model, mode, block.shape()[std::ssize(asked_)]);
    take_used(model);
  }

  Recomputed result() {
    Recomputed all;
    all.terms.loss = static_cast<double>(sums_.loss / 2);
    for (const int side : {problem_.rules.free_side, 1 - problem_.rules.free_side}) {
      if (problem_.rules.sides[side].is_counted())
        all.terms.penalties.push_back({side == 0 ? "W" : "H", static_cast<double>(cost(side))});
    }
    for (int side = 0; side < 2; ++side) {
      const Real gap = std::sqrt(gap_squares(side) / (sums_.squares > 0 ? sums_.squares : 1));
      all.terms.gaps.push_back({side == 0 ? "W" : "H", static_cast<double>(gap)});
    }
    for (int side = 0; side < 2; ++side)
      all.memberships.push_back(
          membership_of(side == 0 ? "rows" : "columns", std::nullopt, weighted(side)));
    for (Index k = 0; k < k_; ++k)
      all.components.push_back(
          {static_cast<double>(length(0, k) * length(1, k)), sums_.share_lost(k)});
    all.explained = sums_.explained();
    const int second = problem_.rules.sides[0].groups != nullptr ? 0 : 1;
    if (problem_.rules.sides[second].groups != nullptr) add_group_norms(second, all);
    return all;
  }

 private:
  Real f(int side, Index i, Index k) const { return product_.at(side, i, k); }

  // Weights that were asked for in per cent.
  void take_used(const Model& model) {
    if (problem_.beta_share)
      problem_.rules.sides[1 - problem_.rules.free_side].set_beta(
          plain::used_values(model, "beta")[0]);
    if (!problem_.asked.has_percentages(0) && !problem_.asked.has_percentages(1)) return;
    const std::vector<double>& numbers = plain::used_values(model, "penalty");
    std::size_t next = 0;
    for (const ModePenalty& one : options_.mode_penalties("penalty")) {
      const int side = one.mode == "rows" ? 0 : 1;
      const auto n = static_cast<std::size_t>(one.penalty.n_weights());
      if (next + n > numbers.size())
        throw Error(ErrorCode::input, "penalty", "numbers used are missing from the result");
      const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(next);
      problem_.rules.sides[side].set_penalty(
          one.penalty.make({from, from + static_cast<std::ptrdiff_t>(n)},
                           penalty_groups(options_, one.mode, block_.shape()[side])));
      next += n;
    }
  }
  Real length(int side, Index k) const {
    Real squares = 0;
    for (Index i = 0; i < block_.shape()[side]; ++i) squares += f(side, i, k) * f(side, i, k);
    return std::sqrt(squares);
  }

  Matrix weighted(int side) const {
    Matrix values(block_.shape()[side], k_);
    for (Index k = 0; k < k_; ++k) {
      const Real other = length(1 - side, k);
      for (Index i = 0; i < values.rows(); ++i)
        values(i, k) = static_cast<double>(f(side, i, k)) * static_cast<double>(other);
    }
    return values;
  }

  Real group_norm(int side, Index g, Index k) const {
    const SideRules& rules = problem_.rules.sides[side];
    Real norm = 0;
    for (const Index i : rules.groups->members(g)) {
      const Real value = f(side, i, k);
      norm = rules.is_max_norm ? std::max(norm, value) : norm + value * value;
    }
    return rules.is_max_norm ? norm : std::sqrt(norm);
  }

  // By plain loops; a penalty that these do not know by its own value.
  Real cost(int side) const {
    const SideRules& rules = problem_.rules.sides[side];
    const Index n = block_.shape()[side];
    Real total = 0;
    for (Index i = 0; i < n; ++i) {
      Real sum = 0;
      for (Index k = 0; k < k_; ++k) sum += f(side, i, k);
      total += rules.cross * sum * sum;
    }
    const std::vector<double> observed = plain::observed_items(cells_, side);
    for (Index k = 0; k < k_; ++k) {
      Reals column;
      for (Index i = 0; i < n; ++i) column.push_back(f(side, i, k));
      if (asked_[side].is_asked()) {
        const std::vector<double> z(column.begin(), column.end());
        const std::optional<Real> known = asked_[side].value(column, observed);
        total += known ? *known : static_cast<Real>(rules.penalty->value(z, observed));
      } else {
        for (const Real z : column) total += entry_cost(rules.penalty->rest(), z);
      }
    }
    for (Index g = 0; rules.has_group_penalty() && g < rules.groups->count(); ++g) {
      for (Index k = 0; k < k_; ++k)
        total += static_cast<Real>(rules.beta) * rules.factors[g] * group_norm(side, g, k);
    }
    return total;
  }
  static Real entry_cost(const EntryRule& rule, Real z) {
    if (z < rule.low || z > rule.high) return std::numeric_limits<Real>::infinity();
    return rule.l1 * std::abs(z) + rule.ridge * z * z / 2;
  }

  // Per group and component, and how many of those that are not empty have the norm 0.
  void add_group_norms(int side, Recomputed& all) const {
    RecomputedArray norms{"group_norms", {}};
    double n_zero = 0.0;
    for (Index g = 0; g < problem_.rules.sides[side].groups->count(); ++g) {
      for (Index k = 0; k < k_; ++k) {
        norms.values.push_back(static_cast<double>(group_norm(side, g, k)));
        n_zero += norms.values.back() == 0.0 && length(0, k) > 0 && length(1, k) > 0 ? 1.0 : 0.0;
      }
    }
    all.measures.push_back({"zero_blocks", n_zero});
    all.arrays.push_back(std::move(norms));
  }

  // sum of h (f - its minimiser)^2, column by column.
  Real gap_squares(int side) const {
    const SideRules& rules = problem_.rules.sides[side];
    const Index n = block_.shape()[side];
    Real total = 0;
    for (Index k = 0; k < k_; ++k) {
      Reals b(static_cast<std::size_t>(n)), h(b.size());
      for (Index i = 0; i < n; ++i) {
        Real others = 0;
        for (Index l = 0; l < k_; ++l) others += l == k ? 0 : f(side, i, l);
        h[i] = sums_.curvature[side][i * k_ + k] + 2 * static_cast<Real>(rules.cross);
        b[i] = h[i] > 0 ? sums_.pull[side][i * k_ + k] - 2 * rules.cross * others : 0;
      }
      const Reals best = plain_minimiser(rules, b, h);
      for (Index i = 0; i < n; ++i) {
        const Real off = f(side, i, k) - best[i];
        total += h[i] * off * off;
      }
    }
    return total;
  }

  const Block& block_;
  const Options& options_;
  Problem problem_;
  plain::Product product_;
  Index k_;
  plain::Cells cells_;
  std::vector<plain::AskedPenalty> asked_;  // per side
  plain::Sums sums_;
};

// The curve that the errors of held-out cells come to, as long as the search had to go on, and the
// rank chosen by it: the first whose mean is within one standard error of the lowest.
void add_choice(const Shape& shape, const Options& options, const Model& model, Recomputed& all) {
  const Matrix& errors = find_matrix(model, "rank_errors", -1, -1);
  const Index most = std::min({options.integer("max-rank"), shape[0], shape[1]});
  RecomputedArray curve{.name = "rank_curve", .values = {}, .from = "rank_errors"};
  Reals means, deviations;
  Index chosen = 0;
  for (Index r = 0; r < most && r < chosen + kPatience; ++r) {
    if (r == errors.rows()) {
      curve.values.push_back(NAN);  // the search ended too early
      break;
    }
    Real mean = 0, squares = 0;
    const auto n = static_cast<Real>(errors.cols());
    for (const double one : errors.row(r)) mean += one / n;
    for (const double one : errors.row(r)) squares += (one - mean) * (one - mean);
    means.push_back(mean);
    deviations.push_back(std::sqrt(squares / (n - 1) / n));
    curve.values.insert(curve.values.end(), {static_cast<double>(r + 1), static_cast<double>(mean),
                                             static_cast<double>(deviations.back())});
    const auto best = std::min_element(means.begin(), means.end()) - means.begin();
    chosen = 0;
    while (chosen < best && means[chosen] > means[best] + deviations[best]) ++chosen;
    ++chosen;
  }
  all.used.push_back({"rank", {static_cast<double>(chosen)}});
  all.arrays.push_back(std::move(curve));
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model,
                     const Problem& problem) {
  Recomputed all = Recomputation(data.block(0), options, model, problem).result();
  if (!asked_rank(options)) add_choice(data.block(0).shape(), options, model, all);
  return all;
}

}  // namespace gingham::methods::nonnegative
