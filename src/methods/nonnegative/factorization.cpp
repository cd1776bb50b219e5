#include "gingham/methods/nonnegative/factorization.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/copies.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/nonnegative/model.hpp"

namespace gingham::methods::nonnegative {
std::optional<Index> asked_rank(const Options& options) {
  const PenaltyValue& rank = options.penalty("rank");
  if (rank.is("auto")) return std::nullopt;
  return static_cast<Index>(rank.number);
}

void Factorization::settled(Archive& ar) {
  double beta = beta_maximum_.value_or(-1.0);
  ar("rank", rank_)("rank_errors", rank_errors_)("beta", beta)("asked", asked_);
  if (ar.reading() && beta >= 0.0) beta_maximum_ = beta;
}

void Factorization::begin_from(const Model& earlier) {
  for (const NamedArray& array : earlier.arrays) {
    const Matrix* found = std::get_if<Matrix>(&array.values);
    if (found != nullptr && array.name == "W") earlier_rows_ = *found;
    if (found != nullptr && array.name == "H") earlier_columns_ = transposed(*found);
  }
}

void Factorization::attach(const Dataset&, Context& ctx) {
  const std::shared_ptr<const Given> given = ctx.derived<Given>();
  data_ = {given, &given->data};
  problem_ = {given, &given->problem};
  ModePenalties asked = problem_->asked;
  asked.take_maxima(asked_);
  asked_ = std::move(asked);
  make_solver();
}

void Factorization::make_solver() {
  Rules rules = problem_->rules;
  if (beta_maximum_)
    rules.sides[1 - rules.free_side].set_beta(*problem_->beta_share * *beta_maximum_);
  for (int side = 0; side < 2; ++side) {
    if (asked_.has_percentages(side)) rules.sides[side].set_penalty(asked_.make(side));
  }
  if (is_single()) {
    solver_ = Solver<float>(*data_, std::move(rules));
  } else {
    solver_ = Solver<double>(*data_, std::move(rules));
  }
}

void Factorization::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  const std::optional<Index> asked = asked_rank(options_);
  if (asked) rank_ = *asked;
  is_searching_ = rank_ == 0;
  if (is_searching_) {
    search_ = RankSearch(*data_, options_.integer("max-rank"),
                         static_cast<std::uint64_t>(options_.integer("seed")));
  } else {
    begin(rank_, ctx);
  }
}

// The first restart begins as asked, or from what it was given; the others at random.
void Factorization::begin(Index rank, Context& ctx) {
  ctx.phase("start");
  StartFactors start;
  const bool is_first = ctx.restart() == 0;
  const bool is_given = is_first && earlier_rows_.rows() == data_->size(0) &&
                        earlier_columns_.rows() == data_->size(1) && earlier_rows_.cols() == rank &&
                        earlier_columns_.cols() == rank;
  const bool has_shares =
      problem_->beta_share || asked_.has_percentages(0) || asked_.has_percentages(1);
  if (is_first && (!is_given || has_shares)) {
    start = options_.text("start") == "nndsvd"
                ? svd_start(*data_, rank, ctx.rng("start"), is_single(), ctx.executor())
                : random_start(*data_, rank, ctx.rng("start"), ctx.executor());
    if (has_shares) {
      resolve_shares(start, ctx.executor());
      make_solver();
    }
  }
  if (is_given) start = {earlier_rows_, earlier_columns_};
  if (is_given) clear_unseen(*data_, start);
  if (!is_first) start = random_start(*data_, rank, ctx.rng("start"), ctx.executor());
  if (is_single()) {
    solver<float>().begin(in_single(start.rows), in_single(start.columns), ctx.executor());
  } else {
    solver<double>().begin(std::move(start.rows), std::move(start.columns), ctx.executor());
  }
}

// 100 %: the smallest weight at which H = 0 is the minimum of the first update, with W as the
// solver will have scaled it. D_k: the smallest weight at which column k becomes 0, at |w_k| = 1.
//
// Columns in the ball: max_k D_k. With a ridge alpha |W|^2 the solver gives w_k the length
// c_k = (beta N_k / (2 alpha))^(1/3), N_k what h_k costs at |w_k| = 1 and beta = 1, and column k
// becomes 0 where c_k D_k <= beta: from D_k^(3/2) (N_k / (2 alpha))^(1/2) on.
void Factorization::resolve_shares(const StartFactors& start, Executor& executor) {
  // So that rounding leaves nothing at 100 %; over groups that overlap the minimiser is found by
  // steps, which are slow where it is nearly 0.
  constexpr double kAbove = 1.0 + 1e-12, kAboveSteps = 1.0 + 1e-6;
  std::vector<Matrix> factors{start.rows, start.columns};
  std::array<std::vector<double>, 2> lengths;
  for (int side = 0; side < 2; ++side) {
    lengths[side] = column_lengths(factors[side]);
    for (Index i = 0; i < factors[side].rows(); ++i) {
      for (std::size_t k = 0; k < lengths[side].size(); ++k)
        factors[side](i, static_cast<Index>(k)) /= lengths[side][k] > 0.0 ? lengths[side][k] : 1.0;
    }
  }
  const std::vector<double> ones(lengths[0].size(), 1.0);
  const alternation::Rule free{.penalty = std::make_shared<Separable>(kNonneg)};
  alternation::Alternation<double> there(*data_, {free, free});
  there.begin(std::move(factors), ones, 0, executor);
  for (int side = 0; side < 2; ++side) {
    const bool has_beta = problem_->beta_share && side == 1 - problem_->rules.free_side;
    if (!has_beta && !asked_.has_percentages(side)) continue;
    const double ridge = problem_->rules.sides[1 - side].penalty->rest().ridge;  // 2 alpha
    SideRules unit = problem_->rules.sides[side];
    if (has_beta) unit.set_beta(1.0);
    const std::vector<double> costs =
        column_costs(unit, side == 0 ? start.rows : start.columns, data_->observed_items(side));
    double most = 0.0;
    const auto see = [&](Index k, ConstVec b, Curvature h) {
      const double length = lengths[1 - side][k];
      if (!(length > 0.0)) return;
      asked_.see(side, b, h);
      if (!has_beta) return;
      const double at_one = kAbove * unit.penalty->smallest_zero(b, h), cost = length * costs[k];
      const double at_scale = std::pow(at_one, 1.5) * std::sqrt(cost / ridge);
      most = std::max(most, !(ridge > 0.0) ? at_one : cost > 0.0 ? at_scale : at_one * length);
    };
    there.for_each_column(side, alternation::Beside::none, see, executor);
    if (has_beta) beta_maximum_ = most * (unit.groups->is_laminar() ? 1.0 : kAboveSteps);
  }
}

Done Factorization::step(Context& ctx) {
  if (is_searching_) {
    ctx.phase("rank");
    search_.step(ctx.executor());
    if (!search_.is_over()) return Done::nothing;
    is_searching_ = false;
    rank_errors_ = search_.errors();
    rank_ = search_.chosen();
    search_ = RankSearch();
    begin(rank_, ctx);
    return Done::nothing;
  }
  ctx.phase("sweep");
  std::visit(
      [&](auto& solver) {
        if (is_second_) return solver.second_half(ctx.executor());
        solver.first_half(ctx.executor());
      },
      solver_);
  is_second_ = !is_second_;
  if (is_second_) return Done::nothing;
  // Where both factors pay, a component at rest may cost more than it explains; in a ball zero is
  // among what its update chose from.
  const SideRules& free = problem_->rules.sides[problem_->rules.free_side];
  if (free.has_cost() && moved() <= options_.real("tolerance")) drop_costly();
  ++n_iterations_;
  return Done::iteration;
}

double Factorization::moved() const {
  return std::visit([](const auto& solver) { return solver.moved(); }, solver_);
}

void Factorization::drop_costly() {
  std::visit([&](auto& solver) { solver.drop_costly(); }, solver_);
}

bool Factorization::conclude(Status status, Context&) {
  if (status != Status::converged) drop_costly();
  return false;
}

// Factors in single precision: what was rounded is made right.
Solver<double> Factorization::in_full(Executor& executor) const {
  const auto& single = std::get<Solver<float>>(solver_);
  Solver<double> exact(*data_, single.rules());
  Matrix factors[] = {in_double(single.factor(0)), in_double(single.factor(1))};
  for (int side = 0; side < 2; ++side) columns_to_domain(single.rules().sides[side], factors[side]);
  exact.begin(std::move(factors[0]), std::move(factors[1]), executor);
  return exact;
}

Terms Factorization::terms(Context& ctx, Accuracy accuracy) {
  if (accuracy == Accuracy::exact) {
    if (!is_single()) return solver<double>().exact_terms(ctx.executor());
    return in_full(ctx.executor()).exact_terms(ctx.executor());
  }
  return std::visit(
      [&](auto& solver) {
        Terms terms;
        if (solver.moved() <= options_.real("tolerance")) {
          terms = solver.terms(ctx.executor());
        } else {
          terms.loss = solver.loss();
          terms.penalties = solver.penalties();
        }
        terms.moved = solver.moved();
        return terms;
      },
      solver_);
}

void Factorization::state(Archive& ar) {
  settled(ar);
  ar("searching", is_searching_)("is_second", is_second_)("n_iterations", n_iterations_);
  if (is_searching_) {
    if (ar.reading()) search_ = RankSearch(*data_, 1, 0);
    ar("search", search_);
    return;
  }
  if (ar.reading()) make_solver();
  std::visit([&](auto& solver) { ar("solver", solver); }, solver_);
  if (!ar.reading()) return;
  std::visit(
      [&](auto& solver) {
        if (solver.rank() != rank_)
          throw Error(ErrorCode::input, "", "saved state: the factors do not have the rank");
      },
      solver_);
}

}  // namespace gingham::methods::nonnegative
