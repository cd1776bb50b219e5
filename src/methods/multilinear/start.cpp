#include "gingham/methods/multilinear/start.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/residual.hpp"

namespace gingham::methods::multilinear {
namespace {

constexpr int kLeastSquaresSweeps = 100;
constexpr double kLeastSquaresChange = 1e-5;
constexpr int kRankOneSweeps = 10;
constexpr int kRandomCandidates = 2;
constexpr double kSmallScale = 0.1;

using Vectors = std::vector<std::vector<double>>;  // one per mode

Vectors constant_vectors(const Shape& shape, double value) {
  Vectors vectors;
  for (const Index size : shape) vectors.emplace_back(static_cast<std::size_t>(size), value);
  return vectors;
}

Vectors random_vectors(const Shape& shape, bool is_signed, Rng& rng) {
  Vectors vectors = constant_vectors(shape, 1.0);
  for (std::vector<double>& vector : vectors) {
    if (vector.size() == 1) continue;  // its scale is that of the others
    for (double& value : vector) value = is_signed ? rng.uniform(-1.0, 1.0) : rng.uniform();
  }
  return vectors;
}

// The fibres of the residual through its largest entry.
Vectors largest_fibres(const Observed& data, const Given& given, bool is_signed,
                       Executor& executor) {
  const std::vector<Index> place =
      largest_residual(data, given.factors, given.listed, is_signed, executor);
  if (place.empty()) return constant_vectors(data.shape(), 0.0);
  Vectors vectors = residual_fibres(data, given.factors, given.listed, place, executor);
  for (std::vector<double>& vector : vectors) {
    for (double& value : vector) value = is_signed ? value : std::max(value, 0.0);
  }
  return vectors;
}

}  // namespace

void run_sweeps(Solver& solver, int most, double change, Context& ctx, double given) {
  double before = given + solver.cost();
  for (int sweep = 0; sweep < most; ++sweep) {
    ctx.check_stop();
    solver.run_sweep(ctx.executor());
    const double now = given + solver.cost();
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

void fit_scale(const Observed& data, Factors& factors, Executor& executor) {
  Solver solver(data, least_squares(data.n_modes(), true));
  solver.begin(factors, 0, executor);
  double linear = 0.0, quadratic = 0.0;
  for (Index k = 0; k < factors.n_components(); ++k) {
    linear += factors.weights[k] * solver.linear()[k];
    quadratic += factors.weights[k] * dot(solver.quadratic().row(k), factors.weights);
  }
  if (!(quadratic > 0.0)) return;
  const double scale =
      linear > 0.0 ? linear / quadratic : kSmallScale * std::sqrt(data.squares() / quadratic);
  if (std::isfinite(scale)) gingham::scale(scale, factors.modes[0].values());
}

void scale_for_asked(const Observed& data, const Options& options,
                     const std::vector<double>& lambda, Index first, Factors& factors) {
  const Asked kinds = asked_kinds(data.block(), options, lambda);
  const auto is_bounded = [&](Index n) { return kinds[n] && kinds[n]->traits().is_bounded; };
  Index free = 0;
  while (!kinds.empty() && free < data.n_modes() && (data.shape()[free] == 1 || is_bounded(free))) {
    ++free;
  }
  if (kinds.empty() || free == data.n_modes()) return;
  for (Index n = 0; n < data.n_modes(); ++n) {
    if (!is_bounded(n)) continue;
    for (Index k = first; k < factors.n_components(); ++k) {
      const double length = norm2(column(factors.modes[n], k));
      if (!(length > 0.0) || !std::isfinite(length)) continue;
      for (Index i = 0; i < data.shape()[n]; ++i) factors.modes[n](i, k) /= length;
      for (Index i = 0; i < data.shape()[free]; ++i) factors.modes[free](i, k) *= length;
    }
  }
}

UsedValues asked_values(const Observed& data, const Options& options, const Factors& start,
                        Executor& executor) {
  ModePenalties penalties(options, mode_names(data.block()), data.shape());
  Solver solver(data, least_squares(data.n_modes(), true));
  for (Index mode = 0; mode < data.n_modes(); ++mode) {
    if (!penalties.has_percentages(mode) || data.shape()[mode] == 1) continue;
    if (solver.factors().modes.empty()) solver.begin(start, 0, executor);
    // An update that leaves nothing leaves nothing beside any column. The loss has no 1/2.
    const auto see = [&](Index, ConstVec b, Curvature h) { penalties.see(mode, b, h, 2.0); };
    solver.for_each_column(mode, Beside::none, see, executor);
  }
  return penalties.used();
}

Factors parafac_factors(const Observed& data, Index n_components, bool is_signed, Context& ctx) {
  Rng rng = ctx.rng("factors");
  Solver solver(data, least_squares(data.n_modes(), is_signed));
  Factors factors = random_factors(data.shape(), n_components, is_signed, rng);
  fit_scale(data, factors, ctx.executor());
  solver.begin(std::move(factors), 0, ctx.executor());
  run_sweeps(solver, kLeastSquaresSweeps, kLeastSquaresChange, ctx);
  return Factors::of(solver.factors());
}

Given Given::none(const Observed& data, Executor& executor) {
  Factors factors;
  for (const Index size : data.shape()) factors.modes.emplace_back(size, 0);
  return of(data, std::move(factors), {}, executor);
}

Given Given::of(const Observed& data, Factors factors, std::vector<double> linear,
                Executor& executor) {
  std::vector<double> listed = listed_residuals(data, factors, executor);
  return {std::move(factors), std::move(linear), std::move(listed)};
}

void Given::take(const Observed& data, Factors all, std::vector<double> linear_of_all,
                 Executor& executor) {
  const Index first = factors.n_components();
  factors = std::move(all);
  linear = std::move(linear_of_all);
  take_away_listed(data, factors, first, listed, executor);
}

Factors with_one_more(const Observed& data, const Given& given, bool is_signed, Rng& rng,
                      Context& ctx) {
  const Index k = given.factors.n_components();
  std::vector<Vectors> candidates{constant_vectors(data.shape(), 1.0),
                                  largest_fibres(data, given, is_signed, ctx.executor())};
  for (int i = 0; i < kRandomCandidates; ++i) {
    candidates.push_back(random_vectors(data.shape(), is_signed, rng));
  }
  Factors best = resized(given.factors, k + 1);
  double best_loss = std::numeric_limits<double>::infinity();
  Solver solver(data, least_squares(data.n_modes(), is_signed));
  for (const Vectors& candidate : candidates) {
    Factors factors = resized(given.factors, k + 1);
    factors.weights[k] = 1.0;
    for (Index n = 0; n < data.n_modes(); ++n) set_column(factors.modes[n], k, candidate[n]);
    solver.begin(std::move(factors), k, ctx.executor(), given.linear);
    run_sweeps(solver, kRankOneSweeps, kLeastSquaresChange, ctx);
    if (solver.loss() < best_loss) {
      best_loss = solver.loss();
      best = Factors::of(solver.factors());
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
