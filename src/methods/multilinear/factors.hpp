// The factors of a multilinear model and what is asked of them.
//
//   M = sum_k rho_k a_k^(0) o a_k^(1) o ... o a_k^(N-1)          a_k^(n): column k of factor n
#pragma once
#include <limits>
#include <memory>
#include <vector>

#include "gingham/data/matrix.hpp"
#include "gingham/operators/factor_view.hpp"
#include "gingham/penalties/separable.hpp"

namespace gingham::methods::multilinear {

struct Factors {
  std::vector<Matrix> modes;    // I_n x K
  std::vector<double> weights;  // K: rho

  Index n_modes() const { return static_cast<Index>(modes.size()); }
  Index n_components() const { return static_cast<Index>(weights.size()); }
  operator FactorView() const { return {modes, weights}; }
  static Factors of(const FactorView& view) {
    return {{view.modes.begin(), view.modes.end()}, {view.weights.begin(), view.weights.end()}};
  }

  template <class Archive>
  void state(Archive& ar) {
    ar("modes", modes)("weights", weights);
  }
};

// min over the factors of  sum over observed cells of (X - M)^2 + sum_n lambda_n sum_k |a_k^(n)|_1
//
// with another penalty in place of lambda_n |a|_1 and of the bounds where one is asked for.
struct Problem {
  std::vector<double> lambda;  // per mode; 0 for a mode of size 1
  double low = 0.0;            // low <= a <= high
  double high = 1.0;
  double weight_cap = 1.0;     // 0 <= rho_k <= weight_cap
  bool fixed_weights = false;  // rho = 1, not an unknown
  bool balance = true;
  // Per mode what was asked for, null for a mode without; empty: none has one. Not part of a saved
  // state: whoever reads one makes them anew.
  std::vector<std::shared_ptr<const Penalty>> asked = {};

  // The penalty of a mode.
  std::shared_ptr<const Penalty> penalty(Index mode) const {
    if (!asked.empty() && asked[mode]) return asked[mode];
    return std::make_shared<Separable>(EntryRule{.l1 = lambda[mode], .low = low, .high = high});
  }
  bool is_penalised() const {
    if (!asked.empty()) return true;
    for (const double one : lambda) {
      if (one > 0.0) return true;
    }
    return false;
  }
  template <class Archive>
  void state(Archive& ar) {
    ar("lambda", lambda)("low", low)("high", high)("weight_cap", weight_cap)(
        "fixed_weights", fixed_weights)("balance", balance);
  }
};

// Least squares alone: no penalty, no bounds but a >= 0 (not even that with signs), rho = 1.
inline Problem least_squares(Index n_modes, bool is_signed) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  return {.lambda = std::vector<double>(static_cast<std::size_t>(n_modes), 0.0),
          .low = is_signed ? -kNone : 0.0,
          .high = kNone,
          .weight_cap = 1.0,
          .fixed_weights = true,
          .balance = false};
}

std::vector<double> column(const Matrix& factor, Index k);
void set_column(Matrix& factor, Index k, ConstVec values);
double largest_in_column(const Matrix& factor, Index k);  // of the magnitudes
// The same factors with columns of zeros added or the last ones taken away, and weight 0 for new
// ones.
Factors resized(const FactorView& factors, Index n_components);
// The columns in this order.
Factors reordered(const FactorView& factors, const std::vector<Index>& order);

// The level of component k: rho_k times the largest magnitude of each of its columns.
double level(const FactorView& factors, Index k);

// By how much to rescale the columns of the components from `first` on, modes x components, so that
// with the weights that balance() gives them the model stays the same and the penalty is least.
//
// In the box the largest allowed weight is best: x_n <= high / max|a^(n)|, prod x_n = rho_k / cap,
// sum_n lambda_n x_n |a^(n)|_1 least: lambda_n x_n |a^(n)|_1 is the same for all modes but those at
// their bound. Without a box (fixed weights) prod x_n = 1. Components that are zero stay as they
// are; so do all where nothing is penalised.
Matrix balancing_scales(const Problem& problem, Index first, const FactorView& factors);
// The weight of a component that is rescaled.
inline double balanced_weight(const Problem& problem, double weight) {
  return problem.fixed_weights ? weight : problem.weight_cap;
}
// Rescales them.
void balance(const Problem& problem, Index first, Factors& factors);

}  // namespace gingham::methods::multilinear
