// The method behind nmf and groupnmf: a problem made from data and options, its solver in double or
// single precision, where it begins, and what is reported of it.
#pragma once
#include <memory>
#include <optional>
#include <variant>

#include "gingham/engine/method.hpp"
#include "gingham/engine/mode_penalties.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/nonnegative/rank_search.hpp"
#include "gingham/methods/nonnegative/start.hpp"

namespace gingham::methods::nonnegative {

// What the options ask for on these data.
struct Problem {
  Rules rules;  // penalties with weights in per cent: as at 100 % of 1
  MissingBlocks missing;
  std::optional<double> beta_share;  // of the value at which the first update is zero
  ModePenalties asked;               // --penalty MODE=...
};
using MakeProblem = Problem (*)(const Dataset&, const Options&);

// What all restarts share.
struct Given {
  Given(Problem asked, const Block& block, Executor& executor)
      : problem(std::move(asked)), data(block, problem.missing, executor) {}

  Problem problem;
  Observed data;
};

class Factorization final : public Method {
 public:
  explicit Factorization(const Options& options) : options_(options) {}

  void settled(Archive& ar) override;
  void begin_from(const Model& earlier) override;
  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status status, Context& ctx) override;
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  template <class T>
  Solver<T>& solver() {
    return std::get<Solver<T>>(solver_);
  }
  bool is_single() const { return options_.text("precision") == "float"; }
  void make_solver();
  void begin(Index rank, Context& ctx);
  void resolve_shares(const StartFactors& start, Executor& executor);
  double moved() const;
  void drop_costly();
  // Factors in single precision looked at in double precision.
  Solver<double> in_full(Executor& executor) const;

  Options options_;
  std::shared_ptr<const Observed> data_;
  std::shared_ptr<const Problem> problem_;
  // What weights in per cent are, as used by all restarts: of --beta, and of --penalty.
  std::optional<double> beta_maximum_;  // what 100 % is
  ModePenalties asked_;
  Matrix earlier_rows_, earlier_columns_;  // to begin from
  bool is_searching_ = false;
  RankSearch search_;
  Matrix rank_errors_;  // of the search
  Index rank_ = 0;
  std::variant<Solver<double>, Solver<float>> solver_;
  bool is_second_ = false;  // the next half is the second one
  Index n_iterations_ = 0;
};

// --rank: the number, or nothing for auto.
std::optional<Index> asked_rank(const Options& options);

}  // namespace gingham::methods::nonnegative
