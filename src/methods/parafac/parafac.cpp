#include "gingham/methods/parafac/parafac.hpp"

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multilinear/model.hpp"
#include "gingham/methods/multilinear/start.hpp"

namespace gingham::methods::parafac {

using multilinear::Factors;

void Parafac::attach(const Dataset& data, Context& ctx) {
  if (data_ == nullptr)
    data_ = std::make_shared<multilinear::Observations>(data.block(0), ctx.executor());
  solver_ = multilinear::Solver(*data_, multilinear::least_squares(data_->n_modes(), false));
}

void Parafac::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  const Index rank = options_.integer("rank");
  Rng rng = ctx.rng("factors");
  const bool is_svd = options_.text("start") == "svd" && ctx.restart() == 0;
  Factors factors = is_svd ? multilinear::svd_factors(*data_, rank, false, ctx)
                           : multilinear::random_factors(data_->shape(), rank, false, rng);
  multilinear::fit_scale(*data_, factors, ctx.executor());
  solver_.begin(std::move(factors), 0, ctx.executor());
}

Done Parafac::step(Context& ctx) {
  ctx.phase("sweep");
  const std::vector<Index>& sweep = solver_.sweep();
  solver_.update_mode(sweep[next_mode_], ctx.executor());
  if (++next_mode_ < static_cast<Index>(sweep.size())) return Done::nothing;
  next_mode_ = 0;
  ++n_iterations_;
  if (solver_.moved() <= options_.real("tolerance")) solver_.remove_costly(ctx.executor());
  return Done::iteration;
}

Terms Parafac::terms(Context& ctx, Accuracy accuracy) {
  Terms terms;
  const bool is_exact = accuracy == Accuracy::exact;
  terms.loss = is_exact ? solver_.exact_loss(ctx.executor()) : solver_.loss();
  terms.moved = solver_.moved();
  if (!is_exact && terms.moved > options_.real("tolerance")) return terms;
  const std::vector<std::uint8_t> all(static_cast<std::size_t>(options_.integer("rank")), 0);
  terms.gaps = solver_.gaps(all, false, 0, ctx.executor());
  return terms;
}

bool Parafac::conclude(Status, Context& ctx) {
  solver_.remove_costly(ctx.executor());
  solver_.remove_empty(ctx.executor());
  return false;
}

Model Parafac::model(Context&) const {
  Model model;
  if (n_iterations_ == 0) return model;
  const Factors& found = solver_.factors();
  const std::vector<Index> order = multilinear::by_explained(solver_);
  Factors factors = multilinear::reordered(found, order);
  for (Index k = 0; k < factors.n_components(); ++k) {
    for (Matrix& mode : factors.modes) {
      const double length = norm2(multilinear::column(mode, k));
      factors.weights[k] *= length;
      if (length == 0.0) continue;
      for (Index i = 0; i < mode.rows(); ++i) mode(i, k) /= length;
    }
    model.components.push_back({factors.weights[k],
                                solver_.explained(order[static_cast<std::size_t>(k)]),
                                {},
                                multilinear::level(factors, k)});
  }
  model.explained = share_explained(solver_.loss(), data_->squares());
  multilinear::add_factors(factors, data_->is_matrix(), model);
  model.arrays.push_back({"weights", std::move(factors.weights)});
  if (const auto reason =
          multilinear::nothing_to_find(*data_, false, "factors here are never negative")) {
    model.notes.push_back(*reason);
  }
  return model;
}

void Parafac::state(Archive& ar) {
  ar("solver", solver_)("next_mode", next_mode_)("n_iterations", n_iterations_);
  if (next_mode_ < 0 || next_mode_ >= static_cast<Index>(solver_.sweep().size()) ||
      !solver_.is_consistent()) {
    throw Error(ErrorCode::input, "", "saved state: the factors do not fit the data");
  }
}

}  // namespace gingham::methods::parafac
