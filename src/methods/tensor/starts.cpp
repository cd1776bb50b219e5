#include "gingham/methods/tensor/starts.hpp"

#include "gingham/kernels/finite.hpp"
#include "gingham/operators/residual.hpp"

namespace gingham::methods::tensor {

using multilinear::Factors;
using multilinear::Given;
using multilinear::Problem;
using multilinear::Solver;

namespace {

constexpr int kSweeps = 50;
constexpr double kChange = 1e-6;  // of the cost

// The factors of an earlier result, if they have the shape that is wanted.
std::optional<Factors> factors_of(const Model& model, const Shape& shape, Index n_components) {
  Factors found;
  for (const NamedArray& array : model.arrays) {
    if (const auto* matrix = std::get_if<Matrix>(&array.values)) found.modes.push_back(*matrix);
    const auto* weights = std::get_if<std::vector<double>>(&array.values);
    if (array.name == "weights" && weights != nullptr) found.weights = *weights;
  }
  bool fits = found.modes.size() == shape.size() && found.n_components() == n_components;
  for (std::size_t n = 0; fits && n < shape.size(); ++n) {
    fits = found.modes[n].rows() == shape[n] && found.modes[n].cols() == n_components;
  }
  return fits ? std::optional(std::move(found)) : std::nullopt;
}

// One co-cluster after the other, each fitted with its penalties to what the earlier ones leave.
Factors deflation_factors(const StartRequest& request, Context& ctx) {
  Rng rng = ctx.rng("deflation");
  Given given = Given::none(request.data, ctx.executor());
  double penalties = 0.0;
  for (Index k = 0; k < request.options.integer("clusters"); ++k) {
    Grown grown = with_fitted_component(request.data, request.problem, given, penalties, rng, ctx);
    penalties = grown.penalties;
    given.take(request.data, std::move(grown.factors), std::move(grown.linear), ctx.executor());
  }
  return given.factors;
}

// One component of `solver`, begun from these factors, and what all pay.
void fit_component(Solver& solver, Factors begun, const Given& given, Index first, double penalties,
                   Grown& grown, Context& ctx) {
  solver.begin(std::move(begun), first, ctx.executor(), given.linear);
  multilinear::run_sweeps(solver, kSweeps, kChange, ctx, penalties);
  grown.penalties = penalties;
  for (Index n = 0; n < solver.data().n_modes(); ++n) grown.penalties += solver.penalty(n);
  grown.cost = solver.loss() + grown.penalties;
}

}  // namespace

Factors with_next_component(const Observed& data, const Problem& problem, const Given& given,
                            Rng& rng, Context& ctx) {
  Factors factors = multilinear::with_one_more(data, given, problem.low < 0.0, rng, ctx);
  multilinear::normalise(problem, given.factors.n_components(), factors);
  return factors;
}

// Where all that is observed is listed, what the given ones leave of it is a problem of one
// component: no sum over the cells sees the others.
Grown with_fitted_component(const Observed& data, const Problem& problem, const Given& given,
                            double penalties, Rng& rng, Context& ctx) {
  Executor& executor = ctx.executor();
  const Index k = given.factors.n_components();
  Grown grown;
  if (k == 0 || data.kind() != Observed::Kind::listed || !is_finite(given.listed)) {
    Solver solver(data, problem);
    fit_component(solver, with_next_component(data, problem, given, rng, ctx), given, k, 0.0, grown,
                  ctx);
    grown.factors = Factors::of(solver.factors());
    grown.linear = solver.linear();
    return grown;
  }
  const Block left = listed_block(data, given.listed, executor);
  const Observed rest(left, executor);
  const Given none = Given::none(rest, executor);
  Solver solver(rest, problem);
  fit_component(solver, with_next_component(rest, problem, none, rng, ctx), none, 0, penalties,
                grown, ctx);
  grown.factors = multilinear::resized(given.factors, k + 1);
  const FactorView found = solver.factors();
  for (Index n = 0; n < data.n_modes(); ++n)
    multilinear::set_column(grown.factors.modes[n], k, multilinear::column(found.modes[n], 0));
  grown.factors.weights[k] = found.weights[0];
  return grown;
}

Factors joint_start(const StartRequest& request, Context& ctx) {
  const Index k = request.options.integer("clusters");
  const bool is_signed = request.options.flag("signed"), is_first = ctx.restart() == 0;
  const std::string& kind = request.options.text("start");
  if (is_first && request.earlier) {
    if (auto factors = factors_of(*request.earlier, request.data.shape(), k)) return *factors;
  }
  if (ctx.restart() == 1) return deflation_factors(request, ctx);
  if (kind == "parafac" || (kind == "svd" && !is_first)) {
    if (is_first && request.plain_fit.n_components() == k) return request.plain_fit;
    return multilinear::parafac_factors(request.data, k, is_signed, ctx);
  }
  Rng rng = ctx.rng("factors");
  Factors factors = kind == "svd"
                        ? multilinear::svd_factors(request.data, k, is_signed, ctx)
                        : multilinear::random_factors(request.data.shape(), k, is_signed, rng);
  multilinear::fit_scale(request.data, factors, ctx.executor());
  return factors;
}

}  // namespace gingham::methods::tensor
