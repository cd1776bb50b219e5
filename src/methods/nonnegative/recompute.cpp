#include "gingham/methods/nonnegative/recompute.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gingham/methods/nonnegative/plain_minimiser.hpp"

namespace gingham::methods::nonnegative {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

class Recomputation {
 public:
  Recomputation(const Block& block, const Options& options, const Model& model,
                const Problem& problem)
      : block_(block), options_(options), problem_(problem) {
    const Matrix& w = find_matrix(model, "W", block.shape()[0], -1);
    const Matrix& h = find_matrix(model, "H", w.cols(), block.shape()[1]);
    k_ = w.cols();
    for (int side = 0; side < 2; ++side) {
      const Index n = block.shape()[side];
      factors_[side].assign(static_cast<std::size_t>(n * k_), 0);
      for (Index i = 0; i < n; ++i) {
        for (Index k = 0; k < k_; ++k) factors_[side][i * k_ + k] = side == 0 ? w(i, k) : h(k, i);
      }
      slopes_[side].assign(factors_[side].size(), 0);
      curvatures_[side].assign(factors_[side].size(), 0);
    }
    take_used(model);
    for (int side = 0; side < 2; ++side) {
      for (const Index c : problem.missing.classes[side])
        n_classes_[side] = std::max(n_classes_[side], c + 1);
    }
    const bool has_many =
        block.is_sparse() && block.unlisted() == Unlisted::zero && !block.has_missing();
    lost_.assign(static_cast<std::size_t>(k_), 0);
    if (has_many) {
      by_entries();
    } else {
      by_cells();
    }
  }

  Recomputed result() {
    Recomputed all;
    all.terms.loss = static_cast<double>(loss_);
    for (const int side : {problem_.rules.free_side, 1 - problem_.rules.free_side}) {
      if (problem_.rules.sides[side].is_counted())
        all.terms.penalties.push_back({side == 0 ? "W" : "H", static_cast<double>(cost(side))});
    }
    for (int side = 0; side < 2; ++side) {
      const Real gap =
          squares_ > 0 ? std::sqrt(gap_squares(side) / squares_) : std::sqrt(gap_squares(side));
      all.terms.gaps.push_back({side == 0 ? "W" : "H", static_cast<double>(gap)});
    }
    for (int side = 0; side < 2; ++side)
      all.memberships.push_back(
          membership_of(side == 0 ? "rows" : "columns", std::nullopt, weighted(side)));
    for (Index k = 0; k < k_; ++k) {
      all.components.push_back({static_cast<double>(length(0, k) * length(1, k)),
                                static_cast<double>(squares_ > 0 ? lost_[k] / squares_ : 0)});
    }
    if (squares_ > 0) all.explained = static_cast<double>(1 - 2 * loss_ / squares_);
    const int second = 1 - problem_.rules.free_side;
    if (problem_.rules.sides[second].groups != nullptr) add_group_norms(second, all);
    return all;
  }

 private:
  Real f(int side, Index i, Index k) const { return factors_[side][i * k_ + k]; }

  // Weights that were asked for in per cent.
  void take_used(const Model& model) {
    if (problem_.beta_share)
      problem_.rules.sides[1 - problem_.rules.free_side].set_beta(used(model, "beta")[0]);
    if (!problem_.asked.has_percentages(0) && !problem_.asked.has_percentages(1)) return;
    const std::vector<double>& numbers = used(model, "penalty");
    std::size_t next = 0;
    for (const ModePenalty& one : options_.mode_penalties("penalty")) {
      const int side = one.mode == "rows" ? 0 : 1;
      const auto n = static_cast<std::size_t>(one.penalty.n_weights());
      if (next + n > numbers.size())
        throw Error(ErrorCode::input, "penalty", "numbers used are missing from the result");
      const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(next);
      problem_.rules.sides[side].penalty =
          one.penalty.make({from, from + static_cast<std::ptrdiff_t>(n)},
                           penalty_groups(options_, one.mode, block_.shape()[side]));
      next += n;
    }
  }
  static const std::vector<double>& used(const Model& model, const std::string& option) {
    for (const UsedValues& one : model.used) {
      if (one.option == option && !one.values.empty()) return one.values;
    }
    throw Error(ErrorCode::input, option, "the number used is missing from the result");
  }

  Index class_of(int side, Index i) const {
    return problem_.missing.classes[side].empty() ? 0 : problem_.missing.classes[side][i];
  }
  bool is_lost(Index row_class, Index column_class) const {
    const std::vector<std::uint8_t>& lost = problem_.missing.is_missing;
    return !lost.empty() && lost[row_class * n_classes_[1] + column_class] != 0;
  }
  bool is_missing(Index i, Index j) const { return is_lost(class_of(0, i), class_of(1, j)); }

  // One observed cell's part of everything.
  void add_cell(Index i, Index j, Real x) {
    Real model = 0;
    for (Index k = 0; k < k_; ++k) model += f(0, i, k) * f(1, j, k);
    const Real residual = x - model;
    loss_ += residual * residual / 2;
    squares_ += x * x;
    for (Index k = 0; k < k_; ++k) {
      const Real a = f(0, i, k), b = f(1, j, k);
      slopes_[0][i * k_ + k] += residual * b;
      slopes_[1][j * k_ + k] += residual * a;
      curvatures_[0][i * k_ + k] += b * b;
      curvatures_[1][j * k_ + k] += a * a;
      lost_[k] += a * b * (2 * residual + a * b);
    }
  }

  void by_cells() {
    if (block_.is_sparse() && block_.unlisted() == Unlisted::missing) {
      for_each_entry(block_, [&](std::span<const Index> at, double x) {
        if (!std::isnan(x) && !is_missing(at[0], at[1])) add_cell(at[0], at[1], x);
      });
      return;
    }
    for_each_row(block_, [&](Index i, ConstVec row) {
      for (Index j = 0; j < std::ssize(row); ++j) {
        if (!std::isnan(row[j]) && !is_missing(i, j)) add_cell(i, j, row[j]);
      }
    });
  }

  // Unlisted zeros by what all cells sum up to, listed entries one by one.
  void by_entries() {
    std::array<std::vector<Reals>, 2> grams;  // per class
    for (int side = 0; side < 2; ++side) {
      grams[side].assign(static_cast<std::size_t>(n_classes_[side]),
                         Reals(static_cast<std::size_t>(k_ * k_), 0));
      for (Index i = 0; i < block_.shape()[side]; ++i) {
        Reals& own = grams[side][class_of(side, i)];
        for (Index k = 0; k < k_; ++k) {
          for (Index l = 0; l < k_; ++l) own[k * k_ + l] += f(side, i, k) * f(side, i, l);
        }
      }
    }
    for (Index r = 0; r < n_classes_[0]; ++r) {
      for (Index c = 0; c < n_classes_[1]; ++c) {
        if (is_lost(r, c)) continue;
        for (Index k = 0; k < k_; ++k) {
          lost_[k] += grams[0][r][k * k_ + k] * grams[1][c][k * k_ + k];
          for (Index l = 0; l < k_; ++l) {
            const Real overlap = grams[0][r][k * k_ + l] * grams[1][c][k * k_ + l];
            loss_ += overlap / 2;
            lost_[k] -= 2 * overlap;
          }
        }
      }
    }
    for (int side = 0; side < 2; ++side) {
      std::vector<Reals> seen(grams[side].size(), Reals(static_cast<std::size_t>(k_ * k_), 0));
      for (Index c = 0; c < n_classes_[side]; ++c) {
        for (Index d = 0; d < n_classes_[1 - side]; ++d) {
          if (side == 0 ? is_lost(c, d) : is_lost(d, c)) continue;
          for (Index e = 0; e < k_ * k_; ++e) seen[c][e] += grams[1 - side][d][e];
        }
      }
      for (Index i = 0; i < block_.shape()[side]; ++i) {
        const Reals& own = seen[class_of(side, i)];
        for (Index k = 0; k < k_; ++k) {
          Real sum = 0;
          for (Index l = 0; l < k_; ++l) sum += f(side, i, l) * own[l * k_ + k];
          slopes_[side][i * k_ + k] = -sum;
          curvatures_[side][i * k_ + k] = own[k * k_ + k];
        }
      }
    }
    for_each_entry(block_, [&](std::span<const Index> at, double x) {
      if (is_missing(at[0], at[1])) return;
      Real model = 0;
      for (Index k = 0; k < k_; ++k) {
        const Real a = f(0, at[0], k), b = f(1, at[1], k);
        model += a * b;
        slopes_[0][at[0] * k_ + k] += x * b;
        slopes_[1][at[1] * k_ + k] += x * a;
        lost_[k] += 2 * x * a * b;
      }
      loss_ += x * (x / 2 - model);
      squares_ += static_cast<Real>(x) * x;
    });
    loss_ = std::max(loss_, Real{0});
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

  // Entries and groups by plain loops, what else ties items together by its own value.
  Real cost(int side) const {
    const SideRules& rules = problem_.rules.sides[side];
    const Index n = block_.shape()[side];
    Real total = 0;
    for (Index i = 0; i < n; ++i) {
      Real sum = 0;
      for (Index k = 0; k < k_; ++k) sum += f(side, i, k);
      total += rules.cross * sum * sum;
    }
    const bool is_plain = rules.groups != nullptr || rules.penalty->entry() != nullptr;
    for (Index k = 0; k < k_; ++k) {
      std::vector<double> column(static_cast<std::size_t>(n));
      for (Index i = 0; i < n; ++i) {
        const Real z = f(side, i, k);
        column[i] = static_cast<double>(z);
        if (is_plain) total += entry_cost(rules.penalty->rest(), z);
      }
      if (!is_plain) total += rules.penalty->value(column);
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
        Real slope = slopes_[side][i * k_ + k], sum = 0;
        for (Index l = 0; l < k_; ++l) sum += f(side, i, l);
        slope -= 2 * rules.cross * sum;
        h[i] = curvatures_[side][i * k_ + k] + 2 * static_cast<Real>(rules.cross);
        b[i] = h[i] > 0 ? slope + h[i] * f(side, i, k) : 0;
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
  Index k_ = 0;
  std::array<Index, 2> n_classes_{1, 1};  // of rows and of columns, by the blocks they miss
  std::array<Reals, 2> factors_, slopes_, curvatures_;
  Real loss_ = 0, squares_ = 0;
  Reals lost_;  // what the residual rises by without each
};

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model,
                     const Problem& problem) {
  Recomputed all = Recomputation(data.block(0), options, model, problem).result();
  if (!asked_rank(options))
    all.used.push_back({"rank",
                        {static_cast<double>(
                            rank_by_one_standard_error(find_matrix(model, "rank_curve", -1, 3)))}});
  return all;
}

}  // namespace gingham::methods::nonnegative
