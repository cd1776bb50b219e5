#include "gingham/methods/multilinear/start.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::multilinear {
namespace {

constexpr int kLeastSquaresSweeps = 100;
constexpr double kLeastSquaresChange = 1e-5;
constexpr int kRankOneSweeps = 10;
constexpr int kRandomCandidates = 2;
constexpr double kSmallScale = 0.1;

using Vectors = std::vector<std::vector<double>>;  // one per mode

Vectors constant_vectors(const Shape& shape) {
  Vectors vectors;
  for (const Index size : shape) vectors.emplace_back(static_cast<std::size_t>(size), 1.0);
  return vectors;
}

Vectors random_vectors(const Shape& shape, bool is_signed, Rng& rng) {
  Vectors vectors = constant_vectors(shape);
  for (std::vector<double>& vector : vectors) {
    if (vector.size() == 1) continue;  // its scale is that of the others
    for (double& value : vector) value = is_signed ? rng.uniform(-1.0, 1.0) : rng.uniform();
  }
  return vectors;
}

double model_at(const Factors& factors, std::span<const Index> at) {
  double sum = 0.0;
  for (Index k = 0; k < factors.n_components(); ++k) {
    double product = factors.weights[k];
    for (Index n = 0; n < factors.n_modes(); ++n) product *= factors.modes[n](at[n], k);
    sum += product;
  }
  return sum;
}

// The fibres of the residual through its largest entry.
Vectors largest_fibres(const Observations& data, const Factors& given, bool is_signed) {
  Vectors vectors;
  for (const Index size : data.shape()) vectors.emplace_back(static_cast<std::size_t>(size), 0.0);
  std::vector<Index> place;
  double largest = 0.0;
  const auto size_of = [&](double residual) { return is_signed ? std::abs(residual) : residual; };
  for_each_entry(data.values(), [&](std::span<const Index> at, double x) {
    if (size_of(x) <= largest && given.n_components() == 0) return;
    const double residual = size_of(x - model_at(given, at));
    if (residual > largest) {
      largest = residual;
      place.assign(at.begin(), at.end());
    }
  });
  if (place.empty()) return vectors;
  for_each_entry(data.values(), [&](std::span<const Index> at, double x) {
    std::size_t n_other = 0, other = 0;
    for (std::size_t n = 0; n < place.size(); ++n) {
      if (at[n] == place[n]) continue;
      ++n_other;
      other = n;
    }
    if (n_other > 1) return;
    const double residual = x - model_at(given, at);
    const double kept = is_signed ? residual : std::max(residual, 0.0);
    for (std::size_t n = 0; n < place.size(); ++n) {
      if (n_other == 0 || n == other) vectors[n][at[n]] = kept;
    }
  });
  return vectors;
}

}  // namespace

void run_sweeps(Solver& solver, int most, double change, Context& ctx) {
  double before = solver.cost();
  for (int sweep = 0; sweep < most; ++sweep) {
    ctx.check_stop();
    solver.run_sweep(ctx.executor());
    const double now = solver.cost();
    if (!(before - now > change * before)) break;
    before = now;
  }
}

Factors random_factors(const Shape& shape, Index n_components, bool is_signed, Rng& rng) {
  Factors factors;
  for (const Index size : shape) {
    factors.modes.emplace_back(size, n_components);
    for (double& value : factors.modes.back().values()) {
      value = size == 1 ? 1.0 : is_signed ? rng.uniform(-1.0, 1.0) : rng.uniform();
    }
  }
  factors.weights.assign(static_cast<std::size_t>(n_components), 1.0);
  return factors;
}

void fit_scale(const Observations& data, Factors& factors, Executor& executor) {
  Solver solver(data, least_squares(data.n_modes(), true));
  solver.begin(factors, 0, executor);
  double linear = 0.0, quadratic = 0.0;
  for (Index k = 0; k < factors.n_components(); ++k) {
    linear += factors.weights[k] * solver.products().linear[k];
    quadratic += factors.weights[k] * dot(solver.products().quadratic.row(k), factors.weights);
  }
  if (!(quadratic > 0.0)) return;
  const double scale =
      linear > 0.0 ? linear / quadratic : kSmallScale * std::sqrt(data.squares() / quadratic);
  if (std::isfinite(scale)) gingham::scale(scale, factors.modes[0].values());
}

Factors parafac_factors(const Observations& data, Index n_components, bool is_signed,
                        Context& ctx) {
  Rng rng = ctx.rng("factors");
  Solver solver(data, least_squares(data.n_modes(), is_signed));
  Factors factors = random_factors(data.shape(), n_components, is_signed, rng);
  fit_scale(data, factors, ctx.executor());
  solver.begin(std::move(factors), 0, ctx.executor());
  run_sweeps(solver, kLeastSquaresSweeps, kLeastSquaresChange, ctx);
  return solver.factors();
}

Factors with_one_more(const Observations& data, const Factors& given, bool is_signed, Rng& rng,
                      Context& ctx) {
  const Index k = given.n_components();
  std::vector<Vectors> candidates{constant_vectors(data.shape()),
                                  largest_fibres(data, given, is_signed)};
  for (int i = 0; i < kRandomCandidates; ++i) {
    candidates.push_back(random_vectors(data.shape(), is_signed, rng));
  }
  Factors best = resized(given, k + 1);
  double best_loss = std::numeric_limits<double>::infinity();
  Solver solver(data, least_squares(data.n_modes(), is_signed));
  for (const Vectors& candidate : candidates) {
    Factors factors = resized(given, k + 1);
    factors.weights[k] = 1.0;
    for (Index n = 0; n < data.n_modes(); ++n) set_column(factors.modes[n], k, candidate[n]);
    solver.begin(std::move(factors), k, ctx.executor());
    run_sweeps(solver, kRankOneSweeps, kLeastSquaresChange, ctx);
    if (solver.loss() < best_loss) {
      best_loss = solver.loss();
      best = solver.factors();
    }
  }
  return best;
}

void normalise(const Problem& problem, Index first, Factors& factors) {
  if (!problem.fixed_weights) {
    for (Index k = first; k < factors.n_components(); ++k) {
      double weight = factors.weights[k];
      for (Matrix& mode : factors.modes) weight *= largest_in_column(mode, k);
      const bool is_empty = !(weight > 0.0) || !std::isfinite(weight);
      for (Matrix& mode : factors.modes) {
        const double largest = largest_in_column(mode, k);
        for (Index i = 0; i < mode.rows(); ++i) {
          mode(i, k) = is_empty ? 0.0 : std::clamp(mode(i, k) / largest, problem.low, problem.high);
        }
      }
      factors.weights[k] = is_empty ? 0.0 : std::min(weight, problem.weight_cap);
    }
  }
  if (problem.balance) balance(problem, first, factors);
}

}  // namespace gingham::methods::multilinear
