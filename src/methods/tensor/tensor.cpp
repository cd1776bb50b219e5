#include "gingham/methods/tensor/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/methods/multilinear/start.hpp"
#include "gingham/methods/tensor/sparsity.hpp"
#include "gingham/methods/tensor/starts.hpp"

namespace gingham::methods::tensor {

using multilinear::Factors;
using multilinear::Given;
using multilinear::Problem;
using multilinear::Solver;

namespace {

constexpr double kPrune = 0.1, kPruneAuto = 0.2;
constexpr double kRounding = 1e-10;  // of |X|^2: no rise of the cost

bool is_boxed(const Options& options) { return options.text("model") == "box"; }
bool has_asked(const Options& options) { return !options.mode_penalties("penalty").empty(); }

double prune_share(const Options& options) {
  if (has_asked(options)) return 0.0;
  const PenaltyValue& asked = options.penalty("prune");
  if (asked.is("auto")) return asks_for(options, "auto") ? kPruneAuto : kPrune;
  return asked.resolve(1.0);
}

}  // namespace

Tensor::Tensor(const Options& options)
    : options_(options),
      prune_share_(prune_share(options)),
      line_search_(has_asked(options)
                       ? multilinear::LineSearch::none
                       : multilinear::line_search_named(options.text("line-search"))) {}

void Tensor::settled(Archive& ar) {
  ar("problem", problem_)("resolved", is_resolved_)("asked", asked_)("maxima", sparsity_maxima_);
}

void Tensor::attach(const Dataset&, Context& ctx) {
  data_ = ctx.derived<Observed>();
  if (solver_.sweep().empty()) solver_ = Solver(*data_, problem_);
}

// The numbers of the penalties may come from it, and the first restart begins from it.
bool Tensor::needs_plain_fit() const {
  return asks_for(options_, "auto") ||
         (is_joint() && options_.text("start") == "parafac" && !earlier_);
}

void Tensor::make_problem(Context& ctx) {
  const bool is_box = is_boxed(options_);
  problem_ = multilinear::least_squares(data_->n_modes(), is_signed());
  if (is_box) {
    problem_.low = is_signed() ? -1.0 : 0.0;
    problem_.high = 1.0;
    problem_.weight_cap = is_signed() ? data_->largest_magnitude() : data_->largest();
    problem_.fixed_weights = false;
  }
  problem_.balance = options_.text("balance") == "yes" && !has_asked(options_);
  if (needs_plain_fit()) {
    plain_fit_ =
        multilinear::parafac_factors(*data_, options_.integer("clusters"), is_signed(), ctx);
  }
  problem_.lambda = resolve_sparsity(*data_, options_, problem_, plain_fit_, ctx.executor());
  leave_to_asked();
  is_resolved_ = !has_percentages(options_);
}

// Modes with a penalty of their own.
void Tensor::leave_to_asked() {
  for (Index n = 0; n < data_->n_modes(); ++n) {
    if (asked_penalty(options_, multilinear::mode_names(data_->block())[n]) != nullptr)
      problem_.lambda[n] = 0.0;
  }
}

// Of the first start there is.
void Tensor::resolve_percentages(Index first, Factors& start, Context& ctx) {
  if (is_resolved_) return;
  sparsity_maxima_ =
      tensor::resolve_percentages(*data_, options_, first, start, problem_, ctx.executor());
  leave_to_asked();
  is_resolved_ = true;
}

void Tensor::resolve_asked(Index first, Factors& start, Context& ctx) {
  if (!has_asked(options_)) return;
  if (!is_boxed(options_)) {
    multilinear::scale_for_asked(*data_, options_, problem_.lambda, first, start);
  }
  if (!problem_.asked.empty()) return;
  if (asked_.values.empty()) {
    asked_ = multilinear::asked_values(*data_, options_, start, ctx.executor());
  }
  problem_.asked =
      multilinear::asked_penalties(data_->block(), options_, problem_.lambda, asked_.values);
}

void Tensor::begin_stage(Factors factors, Index first, Context& ctx) {
  solver_.change_problem(problem_);
  solver_.begin(std::move(factors), first, ctx.executor());
  previous_ = {};
  next_mode_ = 0;
  n_iterations_ = 0;
  last_cost_ = -1.0;
}

void Tensor::begin_component(Context& ctx) {
  Rng rng = ctx.rng(fmt::format("component {}", solver_.factors().n_components()));
  // What was taken over from a saved state knows nothing of the cells yet.
  if (given_.factors.modes.empty()) given_ = Given::none(*data_, ctx.executor());
  if (!solver_.factors().modes.empty())
    given_.take(*data_, Factors::of(solver_.factors()), solver_.linear(), ctx.executor());
  const Index k = given_.factors.n_components();
  Factors factors = with_next_component(*data_, problem_, given_, rng, ctx);
  resolve_percentages(k, factors, ctx);
  resolve_asked(k, factors, ctx);
  begin_stage(std::move(factors), k, ctx);
  pruned_.resize(static_cast<std::size_t>(k + 1), 0.0);
  is_refit_ = false;
  is_between_ = false;
}

void Tensor::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  if (!is_resolved_) make_problem(ctx);
  solver_ = Solver(*data_, problem_);
  if (!is_joint()) {
    begin_component(ctx);
    return;
  }
  Factors factors;
  if (is_resolved_ || !earlier_) {
    factors = joint_start({*data_, problem_, options_, plain_fit_, earlier_}, ctx);
  } else {  // percentages are of the method's own start
    factors = joint_start({*data_, problem_, options_, plain_fit_, {}}, ctx);
    resolve_percentages(0, factors, ctx);
    factors = joint_start({*data_, problem_, options_, plain_fit_, earlier_}, ctx);
  }
  plain_fit_ = {};
  is_resolved_ ? multilinear::normalise(problem_, 0, factors)
               : resolve_percentages(0, factors, ctx);
  resolve_asked(0, factors, ctx);
  begin_stage(std::move(factors), 0, ctx);
  pruned_.assign(static_cast<std::size_t>(options_.integer("clusters")), 0.0);
}

Done Tensor::step(Context& ctx) {
  if (is_between_) {
    ctx.phase("start");
    begin_component(ctx);
    return Done::nothing;
  }
  if (const Index empty = first_empty(); empty >= 0) {
    ctx.phase("revival");
    revive(empty, ctx);
    return Done::nothing;
  }
  ctx.phase("sweep");
  Executor& executor = ctx.executor();
  const std::vector<Index>& sweep = solver_.sweep();
  solver_.update_mode(sweep[next_mode_], executor);
  if (++next_mode_ < static_cast<Index>(sweep.size())) return Done::nothing;
  next_mode_ = 0;
  solver_.end_sweep(executor);
  if (line_search_ != multilinear::LineSearch::none) {
    ctx.phase("line search");
    if (n_iterations_ > 0) multilinear::search_line(line_search_, previous_, solver_, executor);
    previous_ = {Factors::of(solver_.factors()), solver_.last_product(executor),
                 solver_.rounding()};
  }
  ++n_iterations_;
  // Nearly at rest; others may move on, and what is gone may be revived as something else.
  if (solver_.moved() <= options_.real("tolerance") && solver_.remove_costly()) {
    previous_ = {};
  }
  const double cost = solver_.cost();
  has_risen_ = has_risen_ || (last_cost_ >= 0.0 &&
                              cost > last_cost_ * (1.0 + kRounding) + kRounding * data_->squares());
  last_cost_ = cost;
  return Done::iteration;
}

// A co-cluster to be revived: one without members, in the joint fit, as long as there were not too
// many trials; -1 where there is none. Only between sweeps.
Index Tensor::first_empty() const {
  const Index k_all = solver_.factors().n_components();
  if (!is_joint() || is_refit_ || next_mode_ != 0 || n_revivals_ >= k_all) return -1;
  for (Index k = 0; k < k_all; ++k) {
    if (solver_.is_empty(k)) return k;
  }
  return -1;
}

// Component k is fitted anew to what the others leave, and kept if the cost is lower with it.
void Tensor::revive(Index k, Context& ctx) {
  const Index last = solver_.factors().n_components() - 1;
  std::vector<Index> order;
  for (Index l = 0; l <= last; ++l) {
    if (l != k) order.push_back(l);
  }
  order.push_back(k);
  std::vector<double> linear;
  for (Index l = 0; l < last; ++l) linear.push_back(solver_.linear()[order[l]]);
  const Given others = Given::of(
      *data_, multilinear::resized(multilinear::reordered(solver_.factors(), order), last),
      std::move(linear), ctx.executor());
  Rng rng = ctx.rng(fmt::format("revival {}", n_revivals_));
  double penalties = 0.0;  // an empty one pays nothing
  for (Index n = 0; n < data_->n_modes(); ++n) penalties += solver_.penalty(n);
  Grown grown = with_fitted_component(*data_, problem_, others, penalties, rng, ctx);
  ++n_revivals_;
  if (!(grown.cost < solver_.cost())) return;
  solver_.begin(std::move(grown.factors), 0, ctx.executor());
  previous_ = {};
}

std::vector<std::uint8_t> Tensor::members_only() const {
  std::vector<std::uint8_t> marks;
  for (const double share : pruned_) marks.push_back(share > 0.0 ? 1 : 0);
  return marks;
}

Terms Tensor::terms(Context& ctx, Accuracy accuracy) {
  Terms terms;
  const bool is_exact = accuracy == Accuracy::exact;
  terms.loss = is_exact ? solver_.exact_loss(ctx.executor()) : solver_.loss();
  terms.has_risen = has_risen_;
  for (Index n = 0; n < data_->n_modes(); ++n) {
    const bool is_asked = !problem_.asked.empty() && problem_.asked[n];
    terms.penalties.push_back(
        {fmt::format("{}_{}", is_asked ? "penalty" : "sparsity", n), solver_.penalty(n)});
  }
  terms.moved = solver_.moved();
  if (!is_exact && terms.moved > options_.real("tolerance")) return terms;  // gaps cost a sweep
  ctx.phase("gaps");
  terms.gaps = solver_.gaps(members_only(),
                            is_joint() ? multilinear::Beside::all : multilinear::Beside::before,
                            is_exact ? 0 : solver_.first(), ctx.executor());
  return terms;
}

bool Tensor::prune(Context& ctx) {
  Factors factors = Factors::of(solver_.factors());
  multilinear::Supports supports;
  bool is_pruned = false;
  for (Matrix& mode : factors.modes) {
    supports.emplace_back(static_cast<std::size_t>(mode.size()), std::uint8_t{1});
    for (Index k = solver_.first(); k < mode.cols(); ++k) {
      const double least = prune_share_ * multilinear::largest_in_column(mode, k);
      for (Index i = 0; i < mode.rows(); ++i) {
        double& value = mode(i, k);
        if (value != 0.0 && std::abs(value) < least) {
          value = 0.0;
          is_pruned = true;
        }
        supports.back()[static_cast<std::size_t>(i * mode.cols() + k)] = value != 0.0 ? 1 : 0;
      }
    }
  }
  for (Index k = solver_.first(); k < factors.n_components(); ++k) pruned_[k] = prune_share_;
  if (!is_pruned) return false;
  begin_stage(std::move(factors), solver_.first(), ctx);
  solver_.restrict_to(std::move(supports));
  return true;
}

bool Tensor::conclude(Status, Context& ctx) {
  solver_.remove_costly();
  solver_.remove_empty();
  if (!is_refit_ && prune_share_ > 0.0 && prune(ctx)) {
    is_refit_ = true;
    return true;
  }
  const Index k = solver_.factors().n_components();
  is_final_ = is_joint() || k == options_.integer("clusters") || solver_.is_empty(k - 1);
  is_between_ = !is_final_;
  return is_between_;
}

void Tensor::state(Archive& ar) {
  settled(ar);
  ar("solver", solver_)("previous", previous_);
  ar("next_mode", next_mode_)("n_iterations", n_iterations_)("refit", is_refit_)(
      "final", is_final_)("between", is_between_);
  ar("pruned", pruned_)("n_revivals", n_revivals_)("last_cost", last_cost_)("risen", has_risen_);
  const Index n_modes = data_->n_modes();
  const auto fits_previous = [&] {
    const Factors& earlier = previous_.factors;
    if (earlier.n_components() == 0) return true;
    bool fits = earlier.n_modes() == n_modes &&
                previous_.last.rows() == data_->shape()[solver_.sweep().back()] &&
                previous_.last.cols() == earlier.n_components() - solver_.first();
    for (Index n = 0; fits && n < n_modes; ++n) {
      fits = earlier.modes[n].rows() == data_->shape()[n] &&
             earlier.modes[n].cols() == earlier.n_components();
    }
    return fits;
  };
  const bool fits = next_mode_ >= 0 && next_mode_ < static_cast<Index>(solver_.sweep().size()) &&
                    solver_.factors().n_modes() == n_modes &&
                    std::ssize(problem_.lambda) == n_modes &&
                    std::ssize(pruned_) == solver_.factors().n_components() &&
                    solver_.is_consistent() && fits_previous();
  if (!fits) throw Error(ErrorCode::input, "", "saved state: the factors do not fit the data");
  if (!has_asked(options_) || !problem_.asked.empty()) return;
  problem_.asked =
      multilinear::asked_penalties(data_->block(), options_, problem_.lambda, asked_.values);
  solver_.change_problem(problem_);
}

}  // namespace gingham::methods::tensor
