// Alternating minimisation over two non-negative factors, X ~ A B^T (Alternation):
//
//   1/2 sum over observed cells of (X - A B^T)^2 + what the rules ask of A and B
//
// First the factor that pays for a penalty, then the free one, whose columns have the length that
// costs least. The objective never rises.
#pragma once
#include <optional>

#include "gingham/alternation/alternation.hpp"
#include "gingham/engine/model.hpp"
#include "gingham/engine/terms.hpp"
#include "gingham/methods/nonnegative/rules.hpp"

namespace gingham::methods::nonnegative {

template <class T>
class Solver {
 public:
  Solver() = default;
  // The data outlive this.
  Solver(const Observed& data, Rules rules);

  const Rules& rules() const { return rules_; }
  const DenseMatrix<T>& factor(int side) const { return alternation_.factors()[side]; }
  std::span<const DenseMatrix<T>> factors() const { return alternation_.factors(); }
  Index rank() const { return alternation_.rank(); }

  // Goes on from these factors, their scales as the rules like them best.
  void begin(DenseMatrix<T> rows, DenseMatrix<T> columns, Executor& executor);
  // Looks at these factors as they are.
  void look_at(DenseMatrix<T> rows, DenseMatrix<T> columns, Executor& executor);
  // The two halves of an iteration, in this order.
  void first_half(Executor& executor) { update(1 - rules_.free_side, executor); }
  void second_half(Executor& executor);

  // Removes components that cost more than they explain, or all of them where no component at all
  // has the lowest objective. Returns whether it did.
  bool drop_costly();

  // How far the last iteration moved the model, relative to |X|.
  double moved() const;
  Terms terms(Executor& executor);                                   // with both gaps
  Terms exact_terms(Executor& executor);                             // the loss as exact_loss
  double loss() const { return 0.5 * alternation_.squares_left(); }  // rounded as |X|^2 is
  double exact_loss(Executor& executor) const;
  // By how much the squares rise without component k.
  double lost_without(Index k) const { return alternation_.lost_without(k); }
  std::vector<NamedValue> penalties() const;

  // Error{input} where what was read does not fit the data.
  template <class Archive>
  void state(Archive& ar) {
    ar("alternation", alternation_);
    known_ = {};
    if (ar.reading() && !alternation_.is_consistent())
      throw Error(ErrorCode::input, "", "saved state: the factors do not fit the data");
  }

 private:
  const Observed& data() const { return alternation_.data(); }
  void update(int side, Executor& executor);
  void set_scales(Executor& executor);
  std::vector<double> best_scales() const;
  std::vector<double> price() const;
  // Of the columns of a side as they are now.
  const std::vector<double>& costs(int side) const;
  std::vector<Degrees> degrees_of(int side) const {
    return degrees(rules_.sides[side], costs(side), factor(side), observed_[side]);
  }

  Rules rules_;
  std::array<std::vector<double>, 2> observed_;  // per side: Observed::observed_items
  alternation::Alternation<T> alternation_;
  // What is known of the factors as they are.
  struct Known {
    std::optional<std::vector<double>> costs[2];
    std::optional<double> exact_loss;
  };
  mutable Known known_;
  mutable Matrix room_;
};

}  // namespace gingham::methods::nonnegative
