#include "gingham/methods/tensor/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/methods/multilinear/start.hpp"
#include "gingham/methods/tensor/sparsity.hpp"

namespace gingham::methods::tensor {

using multilinear::Factors;
using multilinear::Problem;
using multilinear::Solver;

namespace {

constexpr double kPrune = 0.1, kPruneAuto = 0.2;
constexpr int kRankOneSweeps = 50;       // of a component that is tried on what the others leave
constexpr double kRankOneChange = 1e-6;  // of the cost, until such a trial stops
constexpr double kRounding = 1e-10;      // of |X|^2: no rise of the cost

void run_sweeps(Solver& solver, Context& ctx) {
  double before = solver.cost();
  for (int sweep = 0; sweep < kRankOneSweeps; ++sweep) {
    ctx.check_stop();
    solver.run_sweep(ctx.executor());
    const double now = solver.cost();
    if (!(before - now > kRankOneChange * before)) break;
    before = now;
  }
}

double prune_share(const Options& options) {
  const PenaltyValue& asked = options.penalty("prune");
  if (asked.is("auto")) return asks_for(options, "auto") ? kPruneAuto : kPrune;
  return asked.resolve(1.0);
}

}  // namespace

Tensor::Tensor(const Options& options)
    : options_(options),
      prune_share_(prune_share(options)),
      line_search_(multilinear::line_search_named(options.text("line-search"))) {}

void Tensor::inherit(const Method& earlier) {
  const auto& other = dynamic_cast<const Tensor&>(earlier);
  data_ = other.data_;
  problem_ = other.problem_;
  is_resolved_ = other.is_resolved_;
}

void Tensor::attach(const Dataset& data, Context& ctx) {
  if (data_ == nullptr)
    data_ = std::make_shared<multilinear::Observations>(data.block(0), ctx.executor());
  if (solver_.sweep().empty()) solver_ = Solver(*data_, problem_);
}

void Tensor::make_problem(Context& ctx) {
  if (is_resolved_) return;
  const bool is_box = options_.text("model") == "box";
  const double cap = is_signed() ? data_->largest_magnitude() : data_->largest();
  problem_ = multilinear::least_squares(data_->n_modes(), is_signed());
  if (is_box) {
    problem_.low = is_signed() ? -1.0 : 0.0;
    problem_.high = 1.0;
    problem_.weight_cap = cap;
    problem_.fixed_weights = false;
  }
  problem_.balance = options_.text("balance") == "yes";
  problem_.lambda = resolve_sparsity(*data_, options_, cap, ctx);
  is_resolved_ = true;
}

// Factors of an earlier result of the same shape.
bool Tensor::take_earlier(Factors& factors) const {
  if (!earlier_) return false;
  Factors found;
  for (const NamedArray& array : earlier_->arrays) {
    if (const auto* matrix = std::get_if<Matrix>(&array.values)) found.modes.push_back(*matrix);
    if (array.name == "weights") {
      if (const auto* weights = std::get_if<std::vector<double>>(&array.values)) {
        found.weights = *weights;
      }
    }
  }
  if (found.n_modes() != data_->n_modes() || found.n_components() != options_.integer("clusters"))
    return false;
  for (Index n = 0; n < found.n_modes(); ++n) {
    if (found.modes[n].rows() != data_->shape()[n] ||
        found.modes[n].cols() != found.n_components()) {
      return false;
    }
  }
  factors = std::move(found);
  return true;
}

// One co-cluster after the other, each fitted with its penalties to what the earlier ones leave.
Factors Tensor::deflation_factors(Context& ctx) const {
  Rng rng = ctx.rng("deflation");
  Factors factors;
  for (const Index size : data_->shape()) factors.modes.emplace_back(size, 0);
  Solver solver(*data_, problem_);
  for (Index k = 0; k < options_.integer("clusters"); ++k) {
    factors = multilinear::with_one_more(*data_, factors, is_signed(), rng, ctx);
    multilinear::normalise(problem_, k, factors);
    solver.begin(factors, k, ctx.executor());
    run_sweeps(solver, ctx);
    factors = solver.factors();
  }
  return factors;
}

// The first restart as --start says, the second from deflation, the others from random factors.
Factors Tensor::joint_start(Context& ctx) const {
  const Index k = options_.integer("clusters");
  const std::string& kind = options_.text("start");
  Factors factors;
  if (ctx.restart() == 0 && take_earlier(factors)) return factors;
  if (ctx.restart() == 1) return deflation_factors(ctx);
  if (kind == "svd" && ctx.restart() == 0) {
    factors = multilinear::svd_factors(*data_, k, is_signed(), ctx);
  } else if (kind == "random") {
    Rng rng = ctx.rng("factors");
    factors = multilinear::random_factors(data_->shape(), k, is_signed(), rng);
  } else {
    factors = multilinear::parafac_factors(*data_, k, is_signed(), ctx);
  }
  if (kind != "parafac") multilinear::fit_scale(*data_, factors, ctx.executor());
  return factors;
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
  Rng rng = Rng::named(static_cast<std::uint64_t>(options_.integer("seed")), "component",
                       static_cast<std::uint64_t>(ctx.restart() * options_.integer("clusters") +
                                                  solver_.factors().n_components()));
  Factors given = solver_.factors();
  if (given.modes.empty()) {
    for (const Index size : data_->shape()) given.modes.emplace_back(size, 0);
  }
  const Index k = given.n_components();
  Factors factors = multilinear::with_one_more(*data_, given, is_signed(), rng, ctx);
  multilinear::normalise(problem_, k, factors);
  begin_stage(std::move(factors), k, ctx);
  pruned_.resize(static_cast<std::size_t>(k + 1), 0.0);
  is_refit_ = false;
  is_between_ = false;
}

void Tensor::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  make_problem(ctx);
  solver_ = Solver(*data_, problem_);
  if (!is_joint()) {
    begin_component(ctx);
    return;
  }
  Factors factors = joint_start(ctx);
  multilinear::normalise(problem_, 0, factors);
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
    previous_ = {solver_.factors(), solver_.products().last, solver_.products().rounding};
  }
  ++n_iterations_;
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
  const Factors others =
      multilinear::resized(multilinear::reordered(solver_.factors(), order), last);
  Rng rng = Rng::named(static_cast<std::uint64_t>(options_.integer("seed")), "revival",
                       static_cast<std::uint64_t>(ctx.restart() * 1000003 + n_revivals_));
  Factors tried = multilinear::with_one_more(*data_, others, is_signed(), rng, ctx);
  multilinear::normalise(problem_, last, tried);
  Solver trial(*data_, problem_);
  trial.begin(std::move(tried), last, ctx.executor());
  run_sweeps(trial, ctx);
  ++n_revivals_;
  if (!(trial.cost() < solver_.cost())) return;
  solver_.begin(trial.factors(), 0, ctx.executor());
  previous_ = {};
}

std::vector<std::uint8_t> Tensor::members_only() const {
  std::vector<std::uint8_t> marks;
  for (const double share : pruned_) marks.push_back(share > 0.0 ? 1 : 0);
  return marks;
}

Terms Tensor::terms(Context& ctx, Accuracy accuracy) {
  Terms terms;
  terms.loss = has_risen_ ? std::nan("") : solver_.loss();
  for (Index n = 0; n < data_->n_modes(); ++n) {
    terms.penalties.push_back({fmt::format("sparsity_{}", n), solver_.penalty(n)});
  }
  const bool is_exact = accuracy == Accuracy::exact;
  if (!is_exact && solver_.moved() > options_.real("tolerance")) {
    terms.gaps = {{"sweep", solver_.moved()}};
    return terms;
  }
  ctx.phase("gaps");
  terms.gaps =
      solver_.gaps(members_only(), !is_joint(), is_exact ? 0 : solver_.first(), ctx.executor());
  return terms;
}

bool Tensor::prune(Context& ctx) {
  Factors factors = solver_.factors();
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
  ar("problem", problem_)("resolved", is_resolved_)("solver", solver_)("previous", previous_);
  ar("next_mode", next_mode_)("n_iterations", n_iterations_)("refit", is_refit_)(
      "final", is_final_)("between", is_between_);
  ar("pruned", pruned_)("n_revivals", n_revivals_)("last_cost", last_cost_)("risen", has_risen_);
  const Index n_modes = data_->n_modes();
  const auto fits_previous = [&] {
    const Factors& earlier = previous_.factors;
    if (earlier.n_components() == 0) return true;
    bool fits = earlier.n_modes() == n_modes &&
                previous_.last.rows() == solver_.products().last.rows() &&
                previous_.last.cols() == solver_.products().last.cols();
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
}

Model Tensor::model(Context&) const {
  const Factors& found = solver_.factors();
  const Index n_asked = options_.integer("clusters");
  Model model;
  if (n_iterations_ == 0 && !is_refit_ && solver_.first() == 0 && !is_final_) return model;
  std::vector<Index> order;
  for (Index k = 0; k < found.n_components(); ++k) order.push_back(k);
  if (is_joint()) {
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return solver_.explained(a) > solver_.explained(b); });
  }
  Factors factors = multilinear::reordered(found, order);
  std::vector<double> levels, pruned;
  for (const Index k : order) {
    model.components.push_back({multilinear::level(found, k), solver_.explained(k)});
    levels.push_back(multilinear::level(found, k));
    pruned.push_back(pruned_[k]);
  }
  if (is_final_ && found.n_components() < n_asked) {  // what follows an empty one is empty
    factors = multilinear::resized(factors, n_asked);
    model.components.resize(static_cast<std::size_t>(n_asked));
    levels.resize(static_cast<std::size_t>(n_asked), 0.0);
    pruned.resize(static_cast<std::size_t>(n_asked), prune_share_);
  }
  const char* names[] = {"rows", "columns"};
  for (Index n = 0; n < data_->n_modes(); ++n) {
    model.memberships.push_back(membership_of(
        data_->is_matrix() ? names[n] : fmt::format("mode_{}", n), std::nullopt, factors.modes[n]));
  }
  for (Index n = 0; n < data_->n_modes(); ++n) {
    model.arrays.push_back({fmt::format("mode_{}", n), std::move(factors.modes[n])});
  }
  if (const auto n_empty = std::count(levels.begin(), levels.end(), 0.0); n_empty > 0) {
    model.notes.push_back(fmt::format(
        "{} of {} co-clusters are empty: at this sparsity nothing more is worth its members; a "
        "smaller --sparsity gives more",
        n_empty, levels.size()));
  }
  model.arrays.push_back({"weights", std::move(factors.weights)});
  model.arrays.push_back({"levels", std::move(levels)});
  model.used = {{"sparsity", problem_.lambda}, {"prune", std::move(pruned)}};
  if (options_.given("expect") && !asks_for(options_, "paper")) {
    model.notes.push_back("--expect was not used: it goes with --sparsity paper");
  }
  return model;
}

}  // namespace gingham::methods::tensor
