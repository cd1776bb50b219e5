#include "gingham/methods/parafac/parafac.hpp"

#include <fmt/format.h>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multilinear/asked.hpp"
#include "gingham/methods/multilinear/model.hpp"
#include "gingham/methods/multilinear/start.hpp"
#include "gingham/operators/residual.hpp"

namespace gingham::methods::parafac {

using multilinear::Factors;

namespace {

// The lengths of the columns go into the weights; a column's length is a penalty's own matter.
void to_unit_columns(Factors& factors) {
  for (Index k = 0; k < factors.n_components(); ++k) {
    for (Matrix& mode : factors.modes) {
      const double length = norm2(multilinear::column(mode, k));
      factors.weights[k] *= length;
      if (length == 0.0) continue;
      for (Index i = 0; i < mode.rows(); ++i) mode(i, k) /= length;
    }
  }
}

}  // namespace

void Parafac::attach(const Dataset&, Context& ctx) {
  data_ = ctx.derived<Observed>();
  problem_ = multilinear::least_squares(data_->n_modes(), false);
  solver_ = multilinear::Solver(*data_, problem_);
}

void Parafac::take_asked() {
  problem_.asked =
      multilinear::asked_penalties(data_->block(), options_, problem_.lambda, asked_.values);
  solver_.change_problem(problem_);
}

void Parafac::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  const Index rank = options_.integer("rank");
  Rng rng = ctx.rng("factors");
  const bool is_svd = options_.text("start") == "svd" && ctx.restart() == 0;
  Factors factors = is_svd ? multilinear::svd_factors(*data_, rank, false, ctx)
                           : multilinear::random_factors(data_->shape(), rank, false, rng);
  multilinear::fit_scale(*data_, factors, ctx.executor());
  multilinear::scale_for_asked(*data_, options_, problem_.lambda, 0, factors);
  if (asked_.values.empty()) {
    asked_ = multilinear::asked_values(*data_, options_, factors, ctx.executor());
  }
  take_asked();
  solver_.begin(std::move(factors), 0, ctx.executor());
}

Done Parafac::step(Context& ctx) {
  ctx.phase("sweep");
  const std::vector<Index>& sweep = solver_.sweep();
  solver_.update_mode(sweep[next_mode_], ctx.executor());
  if (++next_mode_ < static_cast<Index>(sweep.size())) return Done::nothing;
  next_mode_ = 0;
  if (problem_.is_penalised()) solver_.end_sweep(ctx.executor());
  ++n_iterations_;
  if (solver_.moved() <= options_.real("tolerance")) solver_.remove_costly();
  return Done::iteration;
}

Terms Parafac::terms(Context& ctx, Accuracy accuracy) {
  Terms terms;
  const bool is_exact = accuracy == Accuracy::exact;
  if (is_exact) {  // of the factors as they are stored
    Factors factors = Factors::of(solver_.factors());
    if (problem_.asked.empty()) to_unit_columns(factors);
    terms.loss = residual_squares(*data_, factors, ctx.executor());
  } else {
    terms.loss = solver_.loss();
  }
  for (Index n = 0; n < data_->n_modes() && !problem_.asked.empty(); ++n) {
    if (problem_.asked[n])
      terms.penalties.push_back({fmt::format("penalty_{}", n), solver_.penalty(n)});
  }
  terms.moved = solver_.moved();
  if (!is_exact && terms.moved > options_.real("tolerance")) return terms;
  const std::vector<std::uint8_t> all(static_cast<std::size_t>(options_.integer("rank")), 0);
  terms.gaps = solver_.gaps(all, multilinear::Beside::all, 0, ctx.executor());
  return terms;
}

bool Parafac::conclude(Status, Context&) {
  solver_.remove_costly();
  solver_.remove_empty();
  return false;
}

Model Parafac::model(Context&) const {
  Model model;
  if (n_iterations_ == 0) return model;
  const FactorView found = solver_.factors();
  const std::vector<Index> order = multilinear::by_explained(solver_);
  Factors factors = multilinear::reordered(found, order);
  if (problem_.asked.empty()) to_unit_columns(factors);
  for (Index k = 0; k < factors.n_components(); ++k) {
    model.components.push_back({factors.weights[k],
                                solver_.explained(order[static_cast<std::size_t>(k)]),
                                {},
                                multilinear::level(factors, k)});
  }
  model.explained = share_explained(solver_.loss(), data_->squares());
  multilinear::add_factors(factors, data_->is_matrix(), model);
  model.arrays.push_back({"weights", std::move(factors.weights)});
  if (multilinear::has_percentages(options_)) model.used.push_back(asked_);
  if (const auto reason =
          multilinear::nothing_to_find(*data_, false, "factors here are never negative")) {
    model.notes.push_back(*reason);
  }
  return model;
}

void Parafac::state(Archive& ar) {
  settled(ar);
  ar("solver", solver_)("next_mode", next_mode_)("n_iterations", n_iterations_);
  if (next_mode_ < 0 || next_mode_ >= static_cast<Index>(solver_.sweep().size()) ||
      !solver_.is_consistent()) {
    throw Error(ErrorCode::input, "", "saved state: the factors do not fit the data");
  }
  if (problem_.asked.empty()) take_asked();
}

}  // namespace gingham::methods::parafac
