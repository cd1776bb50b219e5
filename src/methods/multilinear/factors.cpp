#include "gingham/methods/multilinear/factors.hpp"

#include <algorithm>
#include <cmath>

namespace gingham::methods::multilinear {

std::vector<double> column(const Matrix& factor, Index k) {
  std::vector<double> values(static_cast<std::size_t>(factor.rows()));
  for (Index i = 0; i < factor.rows(); ++i) values[i] = factor(i, k);
  return values;
}

void set_column(Matrix& factor, Index k, ConstVec values) {
  for (Index i = 0; i < factor.rows(); ++i) factor(i, k) = values[i];
}

double largest_in_column(const Matrix& factor, Index k) {
  double largest = 0.0;
  for (Index i = 0; i < factor.rows(); ++i) largest = std::max(largest, std::abs(factor(i, k)));
  return largest;
}

Factors resized(const FactorView& factors, Index n_components) {
  Factors result;
  const Index kept = std::min(factors.n_components(), n_components);
  for (const Matrix& from : factors.modes) {
    Matrix to(from.rows(), n_components);
    for (Index i = 0; i < from.rows(); ++i) {
      std::copy_n(from.row(i).begin(), kept, to.row(i).begin());
    }
    result.modes.push_back(std::move(to));
  }
  result.weights.assign(factors.weights.begin(), factors.weights.end());
  result.weights.resize(static_cast<std::size_t>(n_components), 0.0);
  return result;
}

Factors reordered(const FactorView& factors, const std::vector<Index>& order) {
  Factors result = Factors::of(factors);
  for (std::size_t k = 0; k < order.size(); ++k) {
    result.weights[k] = factors.weights[order[k]];
    for (Index n = 0; n < factors.n_modes(); ++n) {
      set_column(result.modes[n], static_cast<Index>(k), column(factors.modes[n], order[k]));
    }
  }
  return result;
}

double level(const FactorView& factors, Index k) {
  double product = factors.weights[k];
  for (const Matrix& mode : factors.modes) product *= largest_in_column(mode, k);
  return product;
}

namespace {

// Scales x_n <= cap_n with prod x_n = exp(log_product) and sum_n cost_n x_n least.
std::vector<double> cheapest_scales(const std::vector<double>& cost, const std::vector<double>& cap,
                                    double log_product) {
  std::vector<double> scale(cost.size(), 1.0);
  std::vector<bool> is_capped(cost.size(), false);
  double left = log_product;
  std::size_t n_free = cost.size();
  const auto fix = [&](std::size_t n) {
    is_capped[n] = true;
    scale[n] = cap[n];
    left -= std::log(cap[n]);
    --n_free;
  };
  for (std::size_t n = 0; n < cost.size(); ++n) {
    if (cost[n] == 0.0) fix(n);  // costs nothing: as large as it may be
  }
  while (n_free > 0) {
    double log_costs = 0.0;
    for (std::size_t n = 0; n < cost.size(); ++n) {
      if (!is_capped[n]) log_costs += std::log(cost[n]);
    }
    const double share = std::exp((left + log_costs) / static_cast<double>(n_free));
    bool is_fixed = false;
    for (std::size_t n = 0; n < cost.size(); ++n) {
      if (is_capped[n]) continue;
      scale[n] = share / cost[n];
      if (scale[n] > cap[n]) {
        fix(n);
        is_fixed = true;
        break;
      }
    }
    if (!is_fixed) break;
  }
  return scale;
}

double length1(const Matrix& factor, Index k) {
  double total = 0.0;
  for (Index i = 0; i < factor.rows(); ++i) total += std::abs(factor(i, k));
  return total;
}

}  // namespace

Matrix balancing_scales(const Problem& problem, Index first, const FactorView& factors) {
  Matrix scales(factors.n_modes(), factors.n_components());
  std::fill(scales.values().begin(), scales.values().end(), 1.0);
  if (!problem.is_penalised()) return scales;
  for (Index k = first; k < factors.n_components(); ++k) {
    std::vector<double> cost, cap;
    bool is_empty = factors.weights[k] == 0.0;
    for (Index n = 0; n < factors.n_modes(); ++n) {
      const double largest = largest_in_column(factors.modes[n], k);
      is_empty = is_empty || largest == 0.0;
      cap.push_back(problem.high / largest);
      cost.push_back(factors.modes[n].rows() == 1 && problem.fixed_weights
                         ? 0.0
                         : problem.lambda[n] * length1(factors.modes[n], k));
    }
    if (is_empty) continue;
    const double wanted =
        problem.fixed_weights ? 0.0 : std::log(factors.weights[k] / problem.weight_cap);
    if (problem.fixed_weights) {  // a mode that costs nothing keeps its scale
      for (std::size_t n = 0; n < cost.size(); ++n) cap[n] = cost[n] == 0.0 ? 1.0 : cap[n];
    }
    const std::vector<double> scale = cheapest_scales(cost, cap, wanted);
    double product = 1.0;
    for (const double one : scale) product *= one;
    if (!(product > 0.0) || !std::isfinite(product)) continue;
    for (Index n = 0; n < factors.n_modes(); ++n) scales(n, k) = scale[n];
  }
  return scales;
}

void balance(const Problem& problem, Index first, Factors& factors) {
  const Matrix scales = balancing_scales(problem, first, factors);
  for (Index k = first; k < factors.n_components(); ++k) {
    bool is_changed = false;
    for (Index n = 0; n < factors.n_modes(); ++n) {
      if (scales(n, k) == 1.0) continue;
      is_changed = true;
      for (Index i = 0; i < factors.modes[n].rows(); ++i) {
        double& value = factors.modes[n](i, k);
        value = std::clamp(value * scales(n, k), problem.low, problem.high);
      }
    }
    if (is_changed) factors.weights[k] = balanced_weight(problem, factors.weights[k]);
  }
}

}  // namespace gingham::methods::multilinear
