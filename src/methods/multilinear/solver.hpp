// Alternating minimisation of a multilinear problem: one mode after the other with the rest fixed
// (one product with the data each, then rows by coordinate descent), the weights after every mode,
// and the scales of the columns balanced after every sweep. The cost never rises.
//
//   cost = |X0|^2 - 2 rho^T c + rho^T H rho + sum_n lambda_n |A^(n)|_1
//   c_k = <X0, a_k^(0) o ... o a_k^(N-1)>,  H_kl = sum over observed cells of the products of k and
//   l
#pragma once
#include "gingham/base/function_ref.hpp"
#include "gingham/engine/model.hpp"
#include "gingham/methods/multilinear/factors.hpp"
#include "gingham/operators/observed.hpp"
#include "gingham/penalties/row_sweep.hpp"

namespace gingham::methods::multilinear {

// Entries that may be other than 0, per mode rows x K; empty: all of them.
using Supports = std::vector<std::vector<std::uint8_t>>;
class Solver {
 public:
  Solver() = default;
  Solver(const Observed& data, Problem problem);  // data outlive this

  const Observed& data() const { return *data_; }
  const Problem& problem() const { return problem_; }
  const Factors& factors() const { return factors_; }
  Index first() const { return first_; }
  // The modes that are updated in turn: all but those of size 1, whose only entry is 1 throughout
  // (the first mode where all are of size 1).
  const std::vector<Index>& sweep() const { return sweep_; }

  // Another problem with the same data and factors.
  void change_problem(Problem problem);
  // Goes on from these factors. The columns before `first` stay as they are, and are those the
  // solver has now; a solver that has fewer computes what they explain.
  void begin(Factors factors, Index first, Executor& executor);
  // From now on entries outside stay 0; they must be 0.
  void restrict_to(Supports supports) { supports_ = std::move(supports); }

  void update_mode(Index mode, Executor& executor);
  // After all modes: balances, and where something is penalised takes components away that lost a
  // mode altogether; elsewhere they may come back.
  void end_sweep(Executor& executor);
  void run_sweep(Executor& executor);  // all of it
  // Takes components away that cost more than they explain beside the others, the costliest first;
  // all of them where the empty model costs less. Counts as motion. Whether there were any.
  bool remove_costly(Executor& executor);
  // Takes components away that lost a mode altogether.
  void remove_empty(Executor& executor);

  // From the products at hand; near a perfect fit it is rounding.
  double loss() const;
  // Summed from residuals.
  double exact_loss(Executor& executor) const;
  double penalty(Index mode) const { return penalty_of(factors_, mode); }
  double cost() const;
  // How far the last sweep moved the model: per mode sqrt(sum q_kk (change of a_ik)^2), relative to
  // |X0|; the largest.
  double moved() const;
  // What the loss rises by without component k, relative to |X0|^2: the sum over observed cells of
  // M_k (2 R + M_k), R the residual of all.
  double explained(Index k) const;
  bool is_empty(Index k) const { return factors_.weights[k] == 0.0; }

  // Per mode, and for the weights, how far each entry is from its own minimiser, all others fixed:
  // sqrt(sum q_kk (a_ik - minimiser)^2) / |X0|, over the columns from `from` on; zeros count only
  // in columns that `members_only` does not mark. With `in_order` column k is judged with the
  // columns before it alone.
  std::vector<NamedValue> gaps(const std::vector<std::uint8_t>& members_only, bool in_order,
                               Index from, Executor& executor) const;
  // b and h (columns.hpp) of every column of a mode from `from` on that is not empty, beside others
  // of that mode.
  enum class Beside { all, before, none };
  void for_each_column(Index mode, Beside beside, Index from, Executor& executor,
                       FunctionRef<void(Index, ConstVec, Curvature)> visit) const;
  // Sizes of what was read back fit each other and the data.
  bool is_consistent() const;

  // The same point as other factors with the products computed anew; for line searches.
  struct Products {
    Matrix last;                 // Y of the last mode of the sweep, unknown columns only
    std::vector<double> linear;  // c
    Matrix quadratic;            // H
    double rounding = 1.0;       // how many times the usual rounding `last` may be off

    template <class Archive>
    void state(Archive& ar) {
      ar("last", last)("linear", linear)("quadratic", quadratic)("rounding", rounding);
    }
  };
  const Products& products() const { return products_; }
  // Takes over a point whose products are known.
  void jump(Factors factors, Products products, Executor& executor);
  Products products_of(const Factors& factors, Executor& executor) const;
  double cost_of(const Factors& factors, const Products& products) const;

  template <class Archive>
  void state(Archive& ar) {
    ar("problem", problem_)("factors", factors_)("first", first_)("supports", supports_);
    ar("grams", grams_)("products", products_)("moved", moved_);
  }

 private:
  std::vector<Matrix> unknown_columns(const Factors& factors, Index except) const;
  Matrix product_of_grams(Index except) const;
  double penalty_of(const Factors& factors, Index mode) const;
  double penalty_of(const Factors& factors, Index mode, Index k) const;
  // Q of a mode: one for all items where nothing is missing, otherwise items x K x K.
  std::vector<double> curvatures(Index mode, const Matrix& others, Executor& executor) const;
  void update_rows(Index mode, const Matrix& others, Executor& executor);
  void update_columns(Index mode, const Matrix& others, Executor& executor);
  // The rows of a mode with this Q, the columns from `first` on unknown.
  RowProblem row_problem(Index mode, const Matrix& q, Index first) const;
  void update_weights();
  bool has_empty_mode(Index k) const;
  // What the cost falls by without component k.
  double saving(Index k) const;
  void remove(Index k);
  void remove_empty();
  void make_grams(Executor& executor);
  // H with the factor of `mode` itself, given the products of the other Gram matrices.
  Matrix observed_gram(const Factors& factors, Index mode, const Matrix& others,
                       Executor& executor) const;

  const Observed* data_ = nullptr;
  Problem problem_;
  std::vector<std::shared_ptr<const Penalty>> halved_;  // of what is asked
  std::vector<std::vector<double>> observed_;  // per mode 1 for items with observed cells, 0 else
  std::vector<Index> sweep_;
  Factors factors_;
  Index first_ = 0;
  Supports supports_;
  std::vector<Matrix> grams_;  // A^T A per mode
  Products products_;
  std::vector<double> moved_;  // per mode, and for the weights; of this sweep
};

}  // namespace gingham::methods::multilinear
