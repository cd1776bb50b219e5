// Alternating minimisation of a multilinear problem (Alternation), with the weights after every
// mode and the scales of the columns balanced after every sweep. The cost never rises.
//
//   cost = sum over observed cells of (X - M)^2 + sum_n lambda_n |A^(n)|_1
//
// Alternation has half of that.
#pragma once
#include "gingham/alternation/alternation.hpp"
#include "gingham/engine/model.hpp"
#include "gingham/methods/multilinear/factors.hpp"

namespace gingham::methods::multilinear {

using alternation::Beside;
using Supports = std::vector<alternation::Support>;

class Solver {
 public:
  Solver() = default;
  Solver(const Observed& data, Problem problem);  // data outlive this

  const Observed& data() const { return alternation_.data(); }
  const Problem& problem() const { return problem_; }
  FactorView factors() const { return {alternation_.factors(), alternation_.weights()}; }
  Index first() const { return alternation_.first(); }
  // The modes that are updated in turn: all but those of size 1, whose only entry is 1 throughout
  // (the first mode where all are of size 1).
  const std::vector<Index>& sweep() const { return sweep_; }

  // Another problem with the same data and factors.
  void change_problem(Problem problem);
  // Goes on from these factors. The columns before `first` stay as they are, and are those the
  // solver has now; a solver that has fewer computes what they explain.
  void begin(Factors factors, Index first, Executor& executor, ConstVec known = {});
  // From now on entries outside stay 0; they must be 0.
  void restrict_to(Supports supports) { alternation_.restrict_to(std::move(supports)); }

  void update_mode(Index mode, Executor& executor);
  // After all modes: balances, and where something is penalised takes components away that lost a
  // mode altogether; elsewhere they may come back.
  void end_sweep(Executor& executor);
  void run_sweep(Executor& executor);  // all of it
  // Takes components away that cost more than they explain beside the others, or all of them where
  // the empty model costs less. Counts as motion. Whether there were any.
  bool remove_costly();
  // Takes components away that lost a mode altogether.
  void remove_empty();

  double loss() const { return alternation_.squares_left(); }  // near a perfect fit it is rounding
  double exact_loss(Executor& executor) const { return alternation_.exact_squares_left(executor); }
  double penalty(Index mode) const { return penalty_of(factors(), mode); }
  double cost() const;
  // How far the last sweep moved the model, relative to |X|: the largest over modes and weights.
  double moved() const;
  // What the loss rises by without component k, relative to |X|^2.
  double explained(Index k) const;
  bool is_empty(Index k) const { return alternation_.weights()[k] == 0.0; }

  // Per mode, and for the weights, how far each entry is from its own minimiser, all others fixed:
  // sqrt(sum q_kk (a_ik - minimiser)^2) / |X|, the largest over the columns from `from` on; zeros
  // count only in columns that `members_only` does not mark. With Beside::before column k is judged
  // with the columns before it alone.
  std::vector<NamedValue> gaps(const std::vector<std::uint8_t>& members_only, Beside beside,
                               Index from, Executor& executor);
  // b and h of every column of a mode that is not empty, beside others of that mode.
  void for_each_column(Index mode, Beside beside,
                       FunctionRef<void(Index, ConstVec, Curvature)> visit, Executor& executor);
  // Sizes of what was read back fit each other and the data.
  bool is_consistent() const { return alternation_.is_consistent(); }

  // For line searches: the products of the last mode, c and H, here and at other factors.
  // `rounding`: how many times the usual rounding `last` may be off.
  struct Products : alternation::Alternation<double>::Products {
    double rounding = 1.0;
  };
  const Matrix& last_product(Executor& executor) {
    return alternation_.product(sweep_.back(), executor);
  }
  double rounding() const { return rounding_; }
  const std::vector<double>& linear() const { return alternation_.linear(); }
  const Matrix& quadratic() const { return alternation_.quadratic(); }
  Products products_of(const Factors& factors, Executor& executor) const;
  double cost_of(const Factors& factors, const Products& products) const;
  // Takes over a point whose products are known.
  void jump(Factors factors, Products products, Executor& executor);

  template <class Archive>
  void state(Archive& ar) {
    ar("problem", problem_)("alternation", alternation_)("rounding", rounding_);
    if (ar.reading()) change_problem(std::move(problem_));
  }

 private:
  std::vector<alternation::Rule> rules() const;
  double penalty_of(const FactorView& factors, Index mode) const;
  double penalty_of(const FactorView& factors, Index mode, Index k) const;
  bool has_empty_mode(Index k) const;

  Problem problem_;
  std::vector<std::vector<double>> observed_;  // per mode 1 for items with observed cells, 0 else
  std::vector<Index> sweep_;
  alternation::Alternation<double> alternation_;
  double rounding_ = 1.0;
};

}  // namespace gingham::methods::multilinear
