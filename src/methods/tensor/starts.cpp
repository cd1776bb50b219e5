#include "gingham/methods/tensor/starts.hpp"

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
  Solver solver(request.data, request.problem);
  for (Index k = 0; k < request.options.integer("clusters"); ++k) {
    solver.begin(with_next_component(request.data, request.problem, given, rng, ctx), k,
                 ctx.executor());
    fit_component(solver, ctx);
    given.take(solver, ctx.executor());
  }
  return given.factors;
}

}  // namespace

Factors with_next_component(const Observed& data, const Problem& problem, const Given& given,
                            Rng& rng, Context& ctx) {
  Factors factors = multilinear::with_one_more(data, given, problem.low < 0.0, rng, ctx);
  multilinear::normalise(problem, given.factors.n_components(), factors);
  return factors;
}

void fit_component(Solver& solver, Context& ctx) {
  multilinear::run_sweeps(solver, kSweeps, kChange, ctx);
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
