#include "gingham/methods/multilinear/recompute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/methods/multilinear/asked.hpp"

namespace gingham::methods::multilinear {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

const NamedArray& named(const Model& model, const std::string& name) {
  for (const NamedArray& array : model.arrays) {
    if (array.name == name) return array;
  }
  throw Error(ErrorCode::input, name, "is missing from the result");
}

std::vector<double> used_values(const Model& model, const std::string& option) {
  for (const UsedValues& used : model.used) {
    if (used.option == option) return used.values;
  }
  throw Error(ErrorCode::input, option, "the numbers used are missing from the result");
}

// What the options ask for, read anew; `parafac` has none of these options.
struct Rules {
  bool is_signed = false, is_plain = true, in_order = false;
  std::vector<double> lambda, prune;
  double asked_prune = 0.0;
  Real low = 0, high = std::numeric_limits<Real>::infinity(), cap = 0;
  Asked asked;

  // One number for each, or the same for all however often it is given.
  static void fill(const std::vector<double>& used, const char* option, std::vector<double>& all) {
    const bool is_common =
        !used.empty() && std::count(used.begin(), used.end(), used[0]) == std::ssize(used);
    if (!is_common && used.size() != all.size()) {
      throw Error(ErrorCode::input, option, "the numbers used do not fit the data");
    }
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = used[is_common ? 0 : i];
  }

  Rules(const Block& block, const Options& options, const Model& model, Index components) {
    lambda.assign(static_cast<std::size_t>(block.modes()), 0.0);
    prune.assign(static_cast<std::size_t>(components), 0.0);
    if (!options.has("sparsity")) {
      asked = asked_penalties(block, options, lambda, used_numbers(options, model));
      return;
    }
    is_signed = options.flag("signed");
    is_plain = options.text("model") == "plain";
    in_order = options.text("strategy") == "deflation";
    fill(used_values(model, "sparsity"), "sparsity", lambda);
    fill(used_values(model, "prune"), "prune", prune);
    const std::vector<PenaltyValue>& sparsity = options.penalties("sparsity");
    const bool is_auto = std::any_of(sparsity.begin(), sparsity.end(),
                                     [](const PenaltyValue& one) { return one.is("auto"); });
    const PenaltyValue& share = options.penalty("prune");
    asked_prune = share.is("auto") ? (is_auto ? 0.2 : 0.1) : share.resolve(1.0);
    if (is_signed) low = is_plain ? -high : Real{-1};
    if (!is_plain) high = 1;
    asked = asked_penalties(block, options, lambda, used_numbers(options, model));
    for_each_entry(block, [&](std::span<const Index>, double x) {
      if (!std::isnan(x)) cap = std::max(cap, static_cast<Real>(is_signed ? std::abs(x) : x));
    });
  }
};

class Recomputation {
 public:
  Recomputation(const Block& block, const Options& options, const Model& model)
      : block_(block), shape_(block.shape()) {
    for (Index n = 0; n < block.modes(); ++n) {
      const auto* factor = std::get_if<Matrix>(&named(model, "mode_" + std::to_string(n)).values);
      if (factor == nullptr || factor->rows() != shape_[n] ||
          (n > 0 && factor->cols() != modes_[0]->cols())) {
        throw Error(ErrorCode::input, "mode_" + std::to_string(n), "does not fit the data");
      }
      modes_.push_back(factor);
    }
    k_ = modes_[0]->cols();
    const auto* weights = std::get_if<std::vector<double>>(&named(model, "weights").values);
    if (weights == nullptr || std::ssize(*weights) != k_) {
      throw Error(ErrorCode::input, "weights", "do not fit the factors");
    }
    rho_.assign(weights->begin(), weights->end());
    rules_.emplace(block, options, model, k_);
    // Unlisted zeros are observed cells that no loop over entries visits, unless they are few.
    has_unseen_ = block.is_sparse() && block.unlisted() == Unlisted::zero;
    if (has_unseen_ && n_cells() <= kMostCells) write_out();
    measure();
  }

  Recomputed result() {
    Recomputed recomputed;
    recomputed.terms.loss = static_cast<double>(loss_);
    for (Index n = 0; n < block_.modes() && !rules_->lambda.empty(); ++n) {
      if (const Penalty* penalty = asked(n)) {
        recomputed.terms.penalties.push_back({fmt::format("penalty_{}", n), value(*penalty, n)});
        continue;
      }
      Real total = 0;
      for (const double a : modes_[n]->values()) total += std::abs(static_cast<Real>(a));
      if (has_penalties_) {
        recomputed.terms.penalties.push_back(
            {"sparsity_" + std::to_string(n), static_cast<double>(rules_->lambda[n] * total)});
      }
    }
    recomputed.terms.gaps = gaps();
    const char* names[] = {"rows", "columns"};
    for (Index n = 0; n < block_.modes(); ++n) {
      recomputed.memberships.push_back(membership_of(
          block_.is_matrix() ? names[n] : "mode_" + std::to_string(n), std::nullopt, *modes_[n]));
    }
    if (squares_ > 0) recomputed.explained = static_cast<double>(1 - loss_ / squares_);
    RecomputedArray levels{"levels", {}};
    for (Index k = 0; k < k_; ++k) {
      recomputed.components.push_back(component(k));
      levels.values.push_back(recomputed.components.back().level);
    }
    if (!has_penalties_) return recomputed;
    recomputed.arrays.push_back(std::move(levels));
    UsedValues prune{"prune", {}};  // none of what was not pruned yet
    for (const double one : rules_->prune)
      prune.values.push_back(one != 0.0 ? rules_->asked_prune : 0.0);
    recomputed.used.push_back(std::move(prune));
    return recomputed;
  }
  void set_penalties(bool there) { has_penalties_ = there; }

 private:
  static constexpr double kMostCells = 1e6;

  double n_cells() const {
    double total = 1.0;
    for (const Index size : shape_) total *= static_cast<double>(size);
    return total;
  }

  // Every cell of a small sparse array.
  void write_out() {
    cells_.assign(static_cast<std::size_t>(n_cells()), 0.0);
    for_each_entry(block_, [&](std::span<const Index> at, double x) {
      Index place = 0;
      for (std::size_t n = 0; n < at.size(); ++n) place = place * shape_[n] + at[n];
      cells_[place] = x;
    });
    has_unseen_ = false;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    if (cells_.empty()) return for_each_entry(block_, visit);
    std::vector<Index> at(shape_.size(), 0);
    for (const double x : cells_) {
      visit(std::span<const Index>(at), x);
      for (std::size_t n = at.size(); n-- > 0;) {
        if (++at[n] < shape_[n]) break;
        at[n] = 0;
      }
    }
  }

  Real product(std::span<const Index> at, Index k, Index except) const {
    Real value = 1;
    for (Index n = 0; n < block_.modes(); ++n) {
      if (n != except) value *= (*modes_[n])(at[n], k);
    }
    return value;
  }

  // Inner products of columns k and l over all cells, one mode left out.
  Real overlap(Index k, Index l, Index except) const {
    Real value = 1;
    for (Index n = 0; n < block_.modes(); ++n) {
      if (n == except) continue;
      Real sum = 0;
      for (Index i = 0; i < shape_[n]; ++i) {
        sum += static_cast<Real>((*modes_[n])(i, k)) * (*modes_[n])(i, l);
      }
      value *= sum;
    }
    return value;
  }

  void measure() {
    linear_.assign(static_cast<std::size_t>(k_), 0);
    quadratic_.assign(static_cast<std::size_t>(k_ * k_), 0);
    lost_.assign(static_cast<std::size_t>(k_), 0);
    if (has_unseen_) {
      for (Index k = 0; k < k_; ++k) {
        for (Index l = 0; l < k_; ++l) quadratic_[k * k_ + l] = overlap(k, l, -1);
      }
      for (Index k = 0; k < k_; ++k) {
        for (Index l = 0; l < k_; ++l) loss_ += rho_[k] * rho_[l] * quadratic_[k * k_ + l];
        // As if all cells were zero: (m - m_k)^2 - m^2.
        for (Index l = 0; l < k_; ++l) lost_[k] -= 2 * rho_[k] * rho_[l] * quadratic_[k * k_ + l];
        lost_[k] += rho_[k] * rho_[k] * quadratic_[k * k_ + k];
      }
    }
    Reals z(static_cast<std::size_t>(k_));
    for_each([&](std::span<const Index> at, double x) {
      Real m = 0;
      for (Index k = 0; k < k_; ++k) {
        z[k] = product(at, k, -1);
        m += rho_[k] * z[k];
      }
      const bool is_observed = !std::isnan(x);
      if (is_observed) {
        squares_ += static_cast<Real>(x) * x;
        loss_ += (x - m) * (x - m);
      }
      if (has_unseen_) loss_ -= m * m;
      for (Index k = 0; k < k_; ++k) {
        const Real own = rho_[k] * z[k];
        if (is_observed) lost_[k] += (x - m + own) * (x - m + own) - (x - m) * (x - m);
        if (has_unseen_) lost_[k] -= (m - own) * (m - own) - m * m;
        if (is_observed) linear_[k] += x * z[k];
        const Real sign = has_unseen_ ? (is_observed ? 0 : -1) : (is_observed ? 1 : 0);
        if (sign == 0) continue;
        for (Index l = 0; l < k_; ++l) quadratic_[k * k_ + l] += sign * z[k] * z[l];
      }
    });
    loss_ = std::max<Real>(loss_, 0);
  }

  Real minimiser(Real pull, Real curvature, Real half_lambda, Real now) const {
    if (!(curvature > 0)) return half_lambda > 0 ? 0 : now;
    Real x = 0;
    if (pull > half_lambda) x = (pull - half_lambda) / curvature;
    if (pull < -half_lambda) x = (pull + half_lambda) / curvature;
    return std::clamp(x, rules_->low, rules_->high);
  }

  // Y and Z of every item of a mode: Z is K x K per item.
  void item_products(Index mode, Reals& y, Reals& z) const {
    y.assign(static_cast<std::size_t>(shape_[mode] * k_), 0);
    z.assign(static_cast<std::size_t>(shape_[mode] * k_ * k_), 0);
    if (has_unseen_) {
      for (Index k = 0; k < k_; ++k) {
        for (Index l = 0; l < k_; ++l) {
          const Real whole = overlap(k, l, mode);
          for (Index i = 0; i < shape_[mode]; ++i) z[(i * k_ + k) * k_ + l] = whole;
        }
      }
    }
    Reals p(static_cast<std::size_t>(k_));
    for_each([&](std::span<const Index> at, double x) {
      const bool is_observed = !std::isnan(x);
      const Real sign = has_unseen_ ? (is_observed ? 0 : -1) : (is_observed ? 1 : 0);
      for (Index k = 0; k < k_; ++k) p[k] = product(at, k, mode);
      Real* own = z.data() + at[mode] * k_ * k_;
      for (Index k = 0; k < k_; ++k) {
        if (is_observed) y[at[mode] * k_ + k] += x * p[k];
        for (Index l = 0; l < k_ && sign != 0; ++l) own[k * k_ + l] += sign * p[k] * p[l];
      }
    });
  }

  const Penalty* asked(Index mode) const {
    return rules_->asked.empty() ? nullptr : rules_->asked[mode].get();
  }

  // Over the columns of the components that are there; items without observed cells are marked by
  // 0.
  double value(const Penalty& penalty, Index mode) const {
    std::vector<double> is_observed(static_cast<std::size_t>(shape_[mode]),
                                    has_unseen_ ? 1.0 : 0.0);
    for_each([&](std::span<const Index> at, double x) {
      if (!std::isnan(x)) is_observed[at[mode]] = 1.0;
    });
    double total = 0.0;
    std::vector<double> column(is_observed.size());
    for (Index k = 0; k < k_; ++k) {
      if (rho_[k] == 0) continue;
      for (Index i = 0; i < shape_[mode]; ++i) column[i] = (*modes_[mode])(i, k);
      total += penalty.value(column, is_observed);
    }
    return total;
  }

  // Of a mode with a penalty that was asked for: the largest over its columns.
  Real asked_gap(const Penalty& penalty, Index mode) const {
    Reals y, z;
    item_products(mode, y, z);
    const Matrix& a = *modes_[mode];
    const std::unique_ptr<Penalty> half = penalty.times(0.5);
    std::vector<double> b(static_cast<std::size_t>(a.rows())), h = b, column = b;
    double largest = 0.0;
    for (Index k = 0; k < k_; ++k) {
      if (rho_[k] == 0) continue;
      for (Index i = 0; i < a.rows(); ++i) {
        const Real* own = z.data() + i * k_ * k_;
        Real pull = rho_[k] * y[i * k_ + k];
        for (Index l = 0; l < (rules_->in_order ? k : k_); ++l) {
          if (l != k) pull -= rho_[k] * rho_[l] * own[k * k_ + l] * a(i, l);
        }
        h[i] = static_cast<double>(std::max<Real>(rho_[k] * rho_[k] * own[k * k_ + k], 0));
        b[i] = h[i] > 0.0 ? static_cast<double>(pull) : 0.0;
        column[i] = a(i, k);
      }
      largest = std::max(largest, half->gap(column, b, h));
    }
    return largest;
  }

  Real mode_gap(Index mode) const {
    if (const Penalty* penalty = asked(mode)) return asked_gap(*penalty, mode);
    Reals y, z;
    item_products(mode, y, z);
    const Matrix& a = *modes_[mode];
    const Real half = 0.5L * rules_->lambda[mode];
    Reals totals(static_cast<std::size_t>(k_), 0);
    for (Index i = 0; i < a.rows(); ++i) {
      const Real* own = z.data() + i * k_ * k_;
      for (Index k = 0; k < k_; ++k) {
        if (rules_->prune[k] > 0.0 && a(i, k) == 0.0) continue;
        Real pull = rho_[k] * y[i * k_ + k];
        for (Index l = 0; l < (rules_->in_order ? k : k_); ++l) {
          if (l != k) pull -= rho_[k] * rho_[l] * own[k * k_ + l] * a(i, l);
        }
        const Real curvature = rho_[k] * rho_[k] * own[k * k_ + k];
        const Real off = a(i, k) - minimiser(pull, curvature, half, a(i, k));
        totals[k] += std::max<Real>(curvature, 0) * off * off;
      }
    }
    return std::sqrt(*std::max_element(totals.begin(), totals.end()));
  }

  std::vector<NamedValue> gaps() const {
    const Real size = squares_ > 0 ? std::sqrt(squares_) : 1;
    const bool all_single =
        std::all_of(shape_.begin(), shape_.end(), [](Index size_n) { return size_n == 1; });
    std::vector<NamedValue> found;
    for (Index n = 0; n < block_.modes(); ++n) {
      // The single entry of a mode of size 1 is not an unknown, unless there are no others.
      const bool is_unknown = shape_[n] > 1 || (all_single && n == 0);
      found.push_back({"mode_" + std::to_string(n),
                       is_unknown ? static_cast<double>(mode_gap(n) / size) : 0.0});
    }
    if (rules_->is_plain) return found;
    Real largest = 0;
    for (Index k = 0; k < k_; ++k) {
      const Real curvature = quadratic_[k * k_ + k];
      if (!(curvature > 0)) continue;
      Real pull = linear_[k];
      for (Index l = 0; l < (rules_->in_order ? k : k_); ++l) {
        if (l != k) pull -= quadratic_[k * k_ + l] * rho_[l];
      }
      const Real off = rho_[k] - std::clamp<Real>(pull / curvature, 0, rules_->cap);
      largest = std::max(largest, curvature * off * off);
    }
    found.push_back({"weights", static_cast<double>(std::sqrt(largest) / size)});
    return found;
  }

  Component component(Index k) const {
    Real level = rho_[k];
    for (const Matrix* mode : modes_) {
      Real largest = 0;
      for (Index i = 0; i < mode->rows(); ++i) {
        largest = std::max(largest, std::abs(static_cast<Real>((*mode)(i, k))));
      }
      level *= largest;
    }
    return {static_cast<double>(rho_[k]),
            squares_ > 0 ? static_cast<double>(lost_[k] / squares_) : 0.0,
            {},
            static_cast<double>(level)};
  }

  const Block& block_;
  const Shape& shape_;
  std::vector<const Matrix*> modes_;
  Index k_ = 0;
  Reals rho_;
  std::optional<Rules> rules_;
  bool has_unseen_ = false;
  std::vector<double> cells_;  // where all of them are written out
  bool has_penalties_ = false;
  Real squares_ = 0, loss_ = 0;
  Reals linear_, quadratic_;
  Reals lost_;  // what the loss rises by without each
};

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  Recomputation recomputation(data.block(0), options, model);
  recomputation.set_penalties(options.has("sparsity"));
  return recomputation.result();
}

}  // namespace gingham::methods::multilinear
