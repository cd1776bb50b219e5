// Multilinear problems cell by cell in long double, and random ones of every kind.
#pragma once
#include <algorithm>
#include <limits>

#include "gingham/methods/multilinear/solver.hpp"
#include "methods/tensor/random_data.hpp"

namespace gingham::testing {

using methods::multilinear::Factors;
using methods::multilinear::Problem;
using methods::multilinear::Supports;
using Real = long double;

inline Executor& one_thread() {
  static ThreadPool pool(1);
  return pool;
}

// The observed cells of an array.
struct Cells {
  Shape shape;
  std::vector<std::vector<Index>> at;
  std::vector<double> x;

  Real squares() const {
    Real sum = 0;
    for (const double value : x) sum += static_cast<Real>(value) * value;
    return sum;
  }
  double size() const { return std::sqrt(static_cast<double>(squares())); }
};

// NaN is missing, and zeros too where they are not listed.
inline Cells cells_of(const Tensor& x, bool without_zeros = false) {
  Cells cells{.shape = x.shape(), .at = {}, .x = {}};
  std::vector<Index> at(x.shape().size(), 0);
  for (const double cell : x.values()) {
    if (!std::isnan(cell) && !(without_zeros && cell == 0.0)) {
      cells.at.push_back(at);
      cells.x.push_back(cell);
    }
    for (std::size_t n = at.size(); n-- > 0;) {
      if (++at[n] < x.shape()[static_cast<Index>(n)]) break;
      at[n] = 0;
    }
  }
  return cells;
}

// Column k at a cell, one mode left out (-1: none).
inline Real product_at(const Factors& factors, const std::vector<Index>& at, Index k,
                       Index except = -1) {
  Real product = 1;
  for (Index n = 0; n < factors.n_modes(); ++n) {
    if (n != except) product *= factors.modes[n](at[n], k);
  }
  return product;
}

inline Real model_at(const Factors& factors, const std::vector<Index>& at) {
  Real sum = 0;
  for (Index k = 0; k < factors.n_components(); ++k) {
    sum += factors.weights[k] * product_at(factors, at, k);
  }
  return sum;
}

inline Real naive_loss(const Cells& cells, const Factors& factors) {
  Real sum = 0;
  for (std::size_t e = 0; e < cells.x.size(); ++e) {
    const Real off = cells.x[e] - model_at(factors, cells.at[e]);
    sum += off * off;
  }
  return sum;
}

inline Real naive_penalty(const Problem& problem, const Factors& factors) {
  Real sum = 0;
  for (Index n = 0; n < factors.n_modes(); ++n) {
    for (const double a : factors.modes[n].values()) {
      sum += static_cast<Real>(problem.lambda[n]) * std::abs(a);
    }
  }
  return sum;
}

inline Real naive_cost(const Cells& cells, const Problem& problem, const Factors& factors) {
  return naive_loss(cells, factors) + naive_penalty(problem, factors);
}

// The quadratic in one entry (mode, i, k), or in weight k where mode is -1: its curvature and its
// slope at 0, halved, with the columns up to `n_columns` alone.
struct Entry {
  Real curvature = 0, pull = 0;
};
inline Entry entry_of(const Cells& cells, const Factors& factors, Index mode, Index i, Index k,
                      Index n_columns) {
  Entry entry;
  for (std::size_t e = 0; e < cells.x.size(); ++e) {
    const std::vector<Index>& at = cells.at[e];
    if (mode >= 0 && at[mode] != i) continue;
    const Real z = product_at(factors, at, k, mode) * (mode >= 0 ? factors.weights[k] : Real{1});
    Real rest = cells.x[e];
    for (Index l = 0; l < n_columns; ++l) {
      if (l != k) rest -= factors.weights[l] * product_at(factors, at, l);
    }
    entry.curvature += z * z;
    entry.pull += z * rest;
  }
  return entry;
}

// argmin over the box of  curvature a^2 - 2 pull a + lambda |a|
inline Real best_entry(const Entry& entry, double lambda, double low, double high, double now) {
  if (!(entry.curvature > 0)) return lambda > 0.0 ? 0 : now;
  const Real half = 0.5L * lambda;
  const Real soft = entry.pull > half    ? entry.pull - half
                    : entry.pull < -half ? entry.pull + half
                                         : Real{0};
  return std::clamp<Real>(soft / entry.curvature, low, high);
}

// One update of a mode as the solver says it does: rows twice over, the weights twice over.
inline void naive_update(const Cells& cells, const Problem& problem, Index first, Index mode,
                         const Supports& supports, Factors& factors) {
  Matrix& a = factors.modes[mode];
  const Index k_all = factors.n_components();
  for (Index i = 0; i < a.rows(); ++i) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Index k = first; k < k_all; ++k) {
        if (!supports.empty() && supports[mode][i * k_all + k] == 0) continue;
        a(i, k) = static_cast<double>(best_entry(entry_of(cells, factors, mode, i, k, k_all),
                                                 problem.lambda[mode], problem.low, problem.high,
                                                 a(i, k)));
      }
    }
  }
  for (int pass = 0; pass < 2 && !problem.fixed_weights; ++pass) {
    for (Index k = first; k < k_all; ++k) {
      factors.weights[k] =
          static_cast<double>(best_entry(entry_of(cells, factors, -1, 0, k, k_all), 0.0, 0.0,
                                         problem.weight_cap, factors.weights[k]));
    }
  }
}

// The gaps of the modes and, unless they are fixed, of the weights.
inline std::vector<double> naive_gaps(const Cells& cells, const Problem& problem,
                                      const Factors& factors,
                                      const std::vector<std::uint8_t>& members_only, bool in_order,
                                      Index from) {
  const Index k_all = factors.n_components();
  const bool all_single =
      std::all_of(cells.shape.begin(), cells.shape.end(), [](Index size) { return size == 1; });
  const Real size = cells.squares() > 0 ? std::sqrt(cells.squares()) : Real{1};
  std::vector<double> gaps;
  for (Index n = 0; n < factors.n_modes(); ++n) {
    Real largest = 0;
    const bool is_unknown = cells.shape[n] > 1 || (all_single && n == 0);
    for (Index k = from; k < k_all && is_unknown; ++k) {
      Real sum = 0;
      for (Index i = 0; i < cells.shape[n]; ++i) {
        const double a = factors.modes[n](i, k);
        if (members_only[k] != 0 && a == 0.0) continue;
        const Entry entry = entry_of(cells, factors, n, i, k, in_order ? k : k_all);
        const Real off = a - best_entry(entry, problem.lambda[n], problem.low, problem.high, a);
        sum += entry.curvature * off * off;
      }
      largest = std::max(largest, sum);
    }
    gaps.push_back(static_cast<double>(std::sqrt(largest) / size));
  }
  if (problem.fixed_weights) return gaps;
  Real largest = 0;
  for (Index k = from; k < k_all; ++k) {
    const Entry entry = entry_of(cells, factors, -1, 0, k, in_order ? k : k_all);
    const Real off =
        factors.weights[k] - best_entry(entry, 0.0, 0.0, problem.weight_cap, factors.weights[k]);
    largest = std::max(largest, entry.curvature * off * off);
  }
  gaps.push_back(static_cast<double>(std::sqrt(largest) / size));
  return gaps;
}

// A block, what is observed of it, a problem, and factors to begin with.
struct RandomCase {
  Block block;
  Cells cells;
  Problem problem;
  Factors factors;
  Index first = 0;
  bool is_signed = false;
  std::string what;
};

inline double largest_of(const Cells& cells, bool is_signed) {
  double largest = 0.0;
  for (const double x : cells.x) largest = std::max(largest, is_signed ? std::abs(x) : x);
  return largest;
}

inline Problem random_problem(const Cells& cells, bool is_signed, Rng& rng) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const bool is_plain = rng.uniform() < 0.3;
  const double cap = largest_of(cells, is_signed), high = is_plain ? kNone : 1.0;
  Problem problem{.lambda = {},
                  .low = is_signed ? -high : 0.0,
                  .high = high,
                  .weight_cap = is_plain ? 1.0 : cap,
                  .fixed_weights = is_plain,
                  .balance = rng.uniform() < 0.8};
  const double share = rng.uniform() < 0.2 ? 0.0 : std::pow(10.0, rng.uniform(-4.0, 0.0));
  for (const Index size : cells.shape) {
    const bool is_free = size == 1 || (!is_plain && rng.uniform() < 0.15);
    problem.lambda.push_back(is_free ? 0.0 : share * cap * cells.size() * rng.uniform(0.5, 1.0));
  }
  return problem;
}

inline Factors random_point(const Problem& problem, const Shape& shape, Index k, Rng& rng) {
  Factors factors;
  for (const Index size : shape) {
    factors.modes.emplace_back(size, k);
    for (double& a : factors.modes.back().values()) {
      const double drawn = problem.low < 0.0 ? rng.uniform(-1.0, 1.0) : rng.uniform();
      a = rng.uniform() < 0.3 ? 0.0 : drawn;
    }
    if (size == 1) {
      for (double& a : factors.modes.back().values()) a = 1.0;
    }
  }
  for (Index l = 0; l < k; ++l) {
    factors.weights.push_back(problem.fixed_weights ? 1.0 : problem.weight_cap * rng.uniform());
  }
  return factors;
}

inline RandomCase random_case(Rng& rng) {
  const Shape shape = random_shape(rng, 6);
  const bool is_signed = rng.uniform() < 0.4;
  const int kind = static_cast<int>(rng.below(5));
  Tensor x = random_tensor(shape, kind, is_signed, rng);
  const double holes = rng.uniform() < 0.5 ? 0.0 : rng.uniform() < 0.5 ? 0.2 : 0.85;
  for (double& cell : x.values()) cell = rng.uniform() < holes ? std::nan("") : cell;
  const bool as_matrix = rng.uniform() < 0.5, is_dense = rng.uniform() < 0.4,
             hides = !is_dense && rng.uniform() < 0.5, keep_zeros = hides && rng.uniform() < 0.5;
  Block block =
      is_dense ? dense_block(x, as_matrix)
               : sparse_block(x, hides ? Unlisted::missing : Unlisted::zero, as_matrix, keep_zeros);
  const bool are_listed = keep_zeros && block.sparse_tensor() != nullptr;
  Cells cells = cells_of(x, hides && !are_listed);
  Problem problem = random_problem(cells, is_signed, rng);
  const Index k = rng.uniform() < 0.2 ? 5 + rng.below(7) : 1 + rng.below(4);
  Factors factors = random_point(problem, shape, k, rng);
  return {.block = std::move(block),
          .cells = std::move(cells),
          .problem = std::move(problem),
          .factors = std::move(factors),
          .first = rng.uniform() < 0.3 ? rng.below(k) : 0,
          .is_signed = is_signed,
          .what = shape_text(shape) +
                  (is_dense ? " dense"
                   : hides  ? " listed"
                            : " sparse") +
                  " kind " + std::to_string(kind) + " holes " + std::to_string(holes) + " K " +
                  std::to_string(k) + (is_signed ? " signed" : "")};
}

}  // namespace gingham::testing
