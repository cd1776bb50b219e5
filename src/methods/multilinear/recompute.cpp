#include "gingham/methods/multilinear/recompute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/methods/multilinear/asked.hpp"
#include "gingham/methods/plain/penalty.hpp"
#include "gingham/methods/plain/sums.hpp"

namespace gingham::methods::multilinear {
namespace {

using plain::Real;
using plain::Reals;

// --sparsity as options and data have it: 0 of a mode of one item or with another penalty, a
// number, or of the paper
//   0.001  2 max x  max_slice (sum x^2)^(1/2)  prod over the other modes of what is expected
// (|x| for x where members have signs). NaN for auto and percentages, which the start decides.
std::vector<double> asked_sparsity(const Block& block, const Options& options, Real largest) {
  const Shape& shape = block.shape();
  std::vector<Reals> slice_squares;
  for (const Index size : shape) slice_squares.push_back(plain::zeros(size));
  for_each_entry(block, [&](std::span<const Index> at, double x) {
    for (std::size_t n = 0; n < at.size() && !std::isnan(x); ++n)
      slice_squares[n][at[n]] += static_cast<Real>(x) * x;
  });
  const auto of = [](const std::vector<PenaltyValue>& all, std::size_t n) {
    return all[all.size() == 1 ? 0 : n];
  };
  std::vector<double> lambda;
  for (std::size_t n = 0; n < shape.size(); ++n) {
    const PenaltyValue one = of(options.penalties("sparsity"), n);
    Real value = one.kind == PenaltyValue::Kind::number ? one.number : NAN;
    if (one.is("paper")) {
      const Real most = *std::max_element(slice_squares[n].begin(), slice_squares[n].end());
      value = 0.001L * 2 * largest * std::sqrt(most);
      for (std::size_t m = 0; m < shape.size(); ++m) {
        const auto size = static_cast<double>(shape[m]);
        if (m != n) value *= std::min(of(options.penalties("expect"), m).resolve(size), size);
      }
    }
    const bool has_other = asked_penalty(options, mode_names(block)[n]) != nullptr;
    lambda.push_back(shape[n] == 1 || has_other ? 0.0 : static_cast<double>(value));
  }
  return lambda;
}

// What the options ask for, read anew; `parafac` has none of these options.
struct Rules {
  bool is_signed = false, is_plain = true, in_order = false;
  std::vector<double> lambda, asked_lambda, prune;
  double asked_prune = 0.0;
  Real low = 0, high = std::numeric_limits<Real>::infinity(), cap = 0;
  Asked asked;

  Rules(const Block& block, const Options& options, const Model& model, Index components) {
    lambda.assign(static_cast<std::size_t>(block.modes()), 0.0);
    prune.assign(static_cast<std::size_t>(components), 0.0);
    if (options.has("sparsity")) {
      is_signed = options.flag("signed");
      is_plain = options.text("model") == "plain";
      in_order = options.text("strategy") == "deflation";
      for_each_entry(block, [&](std::span<const Index>, double x) {
        if (!std::isnan(x)) cap = std::max(cap, static_cast<Real>(is_signed ? std::abs(x) : x));
      });
      lambda = plain::used_values(model, "sparsity", lambda.size());
      asked_lambda = asked_sparsity(block, options, cap);
      for (std::size_t n = 0; n < lambda.size(); ++n) {
        if (!std::isnan(asked_lambda[n])) lambda[n] = asked_lambda[n];
      }
      prune = plain::used_values(model, "prune", prune.size());
      const PenaltyValue& share = options.penalty("prune");
      if (options.mode_penalties("penalty").empty())
        asked_prune = share.is("auto") ? (asks_for_auto(options) ? 0.2 : 0.1) : share.resolve(1.0);
      if (is_signed) low = is_plain ? -high : Real{-1};
      if (!is_plain) high = 1;
    }
    asked = asked_penalties(block, options, lambda, fitted_numbers(options, model));
  }
  static bool asks_for_auto(const Options& options) {
    const std::vector<PenaltyValue>& all = options.penalties("sparsity");
    return std::any_of(all.begin(), all.end(), [](const PenaltyValue& p) { return p.is("auto"); });
  }
};

plain::Product product_of(const Block& block, const Model& model) {
  plain::Product product;
  for (Index n = 0; n < block.modes(); ++n) {
    const std::string name = fmt::format("mode_{}", n);
    const Index width = n == 0 ? -1 : find_matrix(model, "mode_0", -1, -1).cols();
    product.factors.push_back(plain::reals(find_matrix(model, name, block.shape()[n], width)));
  }
  const Index n_components = find_matrix(model, "mode_0", -1, -1).cols();
  const std::vector<double>& weights = find_vector(model, "weights", n_components);
  product.weights.assign(weights.begin(), weights.end());
  return product;
}

class Recomputation {
 public:
  Recomputation(const Block& block, const Options& options, const Model& model)
      : block_(block),
        options_(options),
        model_(model),
        shape_(block.shape()),
        cells_(block),
        product_(product_of(block, model)),
        k_(product_.n_components()),
        rho_(product_.weights),
        rules_(block, options, model, k_),
        has_penalties_(options.has("sparsity")),
        sums_(cells_, product_, rules_.in_order ? plain::Others::earlier : plain::Others::all) {
    for (Index n = 0; n < block.modes(); ++n)
      modes_.push_back(&find_matrix(model, fmt::format("mode_{}", n), -1, -1));
  }

  Recomputed result() {
    Recomputed recomputed;
    recomputed.terms.loss = static_cast<double>(sums_.loss);
    for (Index n = 0; n < block_.modes() && !rules_.lambda.empty(); ++n) {
      if (const Penalty* penalty = asked(n)) {
        recomputed.terms.penalties.push_back({fmt::format("penalty_{}", n), value(*penalty, n)});
        continue;
      }
      Real total = 0;
      for (const double a : modes_[n]->values()) total += std::abs(static_cast<Real>(a));
      if (has_penalties_) {
        recomputed.terms.penalties.push_back(
            {"sparsity_" + std::to_string(n), static_cast<double>(rules_.lambda[n] * total)});
      }
    }
    recomputed.terms.gaps = gaps();
    const char* names[] = {"rows", "columns"};
    for (Index n = 0; n < block_.modes(); ++n) {
      recomputed.memberships.push_back(membership_of(
          block_.is_matrix() ? names[n] : "mode_" + std::to_string(n), std::nullopt, *modes_[n]));
    }
    recomputed.explained = sums_.explained();
    RecomputedArray levels{"levels", {}};
    for (Index k = 0; k < k_; ++k) {
      recomputed.components.push_back(component(k));
      levels.values.push_back(recomputed.components.back().level);
    }
    if (!has_penalties_) return recomputed;
    recomputed.arrays.push_back(std::move(levels));
    recomputed.used = {{"sparsity", rules_.asked_lambda}, {"prune", {rules_.asked_prune}}};
    return recomputed;
  }

 private:
  Real minimiser(Real pull, Real curvature, Real half_lambda, Real now) const {
    if (!(curvature > 0)) return half_lambda > 0 ? 0 : now;
    Real x = 0;
    if (pull > half_lambda) x = (pull - half_lambda) / curvature;
    if (pull < -half_lambda) x = (pull + half_lambda) / curvature;
    return std::clamp(x, rules_.low, rules_.high);
  }

  // Of item i and component k of a mode.
  Real pull(Index mode, Index i, Index k) const { return rho_[k] * sums_.pull[mode][i * k_ + k]; }
  Real curvature(Index mode, Index i, Index k) const {
    return rho_[k] * rho_[k] * std::max<Real>(sums_.curvature[mode][i * k_ + k], 0);
  }

  const Penalty* asked(Index mode) const {
    return rules_.asked.empty() ? nullptr : rules_.asked[mode].get();
  }

  // What a mode without a penalty obeys beside one that costs.
  std::optional<Real> in_ball(const Reals& z) const {
    Real squares = 0, least = 0;
    for (const Real x : z) {
      squares += x * x;
      least = std::min(least, x);
    }
    if (least < (rules_.is_signed ? -rules_.high : Real{0}) || squares > 1 + 1e-11L)
      return std::numeric_limits<Real>::infinity();
    return Real{0};
  }

  // Over the columns of the components that are there.
  double value(const Penalty& penalty, Index mode) const {
    const std::vector<double> is_observed = plain::observed_items(cells_, mode);
    const plain::AskedPenalty named(options_, model_, mode_names(block_)[mode], shape_[mode]);
    double total = 0.0;
    std::vector<double> column(is_observed.size());
    for (Index k = 0; k < k_; ++k) {
      if (rho_[k] == 0) continue;
      for (Index i = 0; i < shape_[mode]; ++i) column[i] = (*modes_[mode])(i, k);
      const Reals z(column.begin(), column.end());
      const std::optional<Real> known = named.is_asked() ? named.value(z, is_observed) : in_ball(z);
      const bool is_inside = rules_.is_plain || std::all_of(z.begin(), z.end(), [&](Real x) {
                               return rules_.low <= x && x <= rules_.high;
                             });
      total += !is_inside ? kInfinity
               : known    ? static_cast<double>(*known)
                          : penalty.value(column, is_observed);
    }
    return total;
  }

  // Of a mode with a penalty that was asked for: the largest over its columns.
  Real asked_gap(const Penalty& penalty, Index mode) const {
    const Matrix& a = *modes_[mode];
    const std::unique_ptr<Penalty> half = penalty.times(0.5);
    std::vector<double> b(static_cast<std::size_t>(a.rows())), h = b, column = b;
    double largest = 0.0;
    for (Index k = 0; k < k_; ++k) {
      if (rho_[k] == 0) continue;
      for (Index i = 0; i < a.rows(); ++i) {
        h[i] = static_cast<double>(curvature(mode, i, k));
        b[i] = h[i] > 0.0 ? static_cast<double>(pull(mode, i, k)) : 0.0;
        column[i] = a(i, k);
      }
      largest = std::max(largest, half->gap(column, b, h));
    }
    return largest;
  }

  Real mode_gap(Index mode) const {
    if (const Penalty* penalty = asked(mode)) return asked_gap(*penalty, mode);
    const Matrix& a = *modes_[mode];
    const Real half = 0.5L * rules_.lambda[mode];
    Real largest = 0;
    for (Index k = 0; k < k_; ++k) {
      Real total = 0;
      for (Index i = 0; i < a.rows(); ++i) {
        if (rules_.prune[k] > 0.0 && a(i, k) == 0.0) continue;
        const Real h = curvature(mode, i, k);
        const Real off = a(i, k) - minimiser(pull(mode, i, k), h, half, a(i, k));
        total += h * off * off;
      }
      largest = std::max(largest, total);
    }
    return std::sqrt(largest);
  }

  std::vector<NamedValue> gaps() const {
    const Real size = sums_.squares > 0 ? std::sqrt(sums_.squares) : 1;
    const bool all_single =
        std::all_of(shape_.begin(), shape_.end(), [](Index size_n) { return size_n == 1; });
    std::vector<NamedValue> found;
    for (Index n = 0; n < block_.modes(); ++n) {
      // The single entry of a mode of size 1 is not an unknown, unless there are no others.
      const bool is_unknown = shape_[n] > 1 || (all_single && n == 0);
      found.push_back({"mode_" + std::to_string(n),
                       is_unknown ? static_cast<double>(mode_gap(n) / size) : 0.0});
    }
    if (rules_.is_plain) return found;
    Real largest = 0;
    for (Index k = 0; k < k_; ++k) {
      const Real curvature = sums_.weight_curvature[k];
      if (!(curvature > 0)) continue;
      const Real off = rho_[k] - std::clamp<Real>(sums_.weight_pull[k] / curvature, 0, rules_.cap);
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
    return {static_cast<double>(rho_[k]), sums_.share_lost(k), {}, static_cast<double>(level)};
  }

  const Block& block_;
  const Options& options_;
  const Model& model_;
  const Shape& shape_;
  plain::Cells cells_;
  plain::Product product_;
  Index k_;
  const Reals& rho_;
  std::vector<const Matrix*> modes_;
  Rules rules_;
  bool has_penalties_;
  plain::Sums sums_;
};

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  return Recomputation(data.block(0), options, model).result();
}

}  // namespace gingham::methods::multilinear
