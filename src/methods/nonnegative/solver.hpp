// Alternating minimisation over two non-negative factors, X ~ A B^T:
//
//   1/2 sum over observed cells of (X - A B^T)^2 + what the rules ask of A and B
//
// One half of an iteration: y = X0 times the other factor, Q = its Gram matrix (one per class of
// items), then the factor, either column by column or as a whole: first the one that pays for a
// penalty, then the free one. The product that belongs to the next half is taken at the end of
// each, so that objective and gaps of the point that was reached are known without further
// products. The objective never rises.
#pragma once
#include <array>

#include "gingham/engine/model.hpp"
#include "gingham/methods/nonnegative/half.hpp"

namespace gingham::methods::nonnegative {

template <class T>
class Solver {
 public:
  Solver() = default;
  // The data outlive this.
  Solver(const Observed& data, Rules rules);

  const Rules& rules() const { return rules_; }
  const DenseMatrix<T>& factor(int side) const { return factors_[side]; }
  std::span<const DenseMatrix<T>> factors() const { return factors_; }
  Index rank() const { return factors_[0].cols(); }

  // Goes on from these factors, their scales as the rules like them best.
  void begin(DenseMatrix<T> rows, DenseMatrix<T> columns, Executor& executor);
  // Looks at these factors as they are.
  void look_at(DenseMatrix<T> rows, DenseMatrix<T> columns, Executor& executor);
  // The two halves of an iteration, in this order.
  void first_half(Executor& executor);
  void second_half(Executor& executor);

  // Removes components that cost more than they explain, one after the other, or all of them where
  // no component at all has the lowest objective. Returns whether it did.
  bool drop_costly(Executor& executor);

  // How far the last iteration moved the model, relative to |X|.
  double moved() const;
  Terms terms(Executor& executor);       // with both gaps
  double loss() const { return loss_; }  // rounded as |X|^2 is
  double exact_loss(Executor& executor) const;
  std::vector<NamedValue> penalties() const;

  // Error{input} where what was read does not fit the data.
  template <class Archive>
  void state(Archive& ar) {
    ar("rows", factors_[0])("columns", factors_[1])("y_rows", y_[0])("y_columns", y_[1]);
    ar("grams_rows", grams_[0])("grams_columns", grams_[1]);
    ar("loss", loss_)("moved_rows", moved_[0])("moved_columns", moved_[1]);
    if (!ar.reading()) return;
    check_sizes();
    for (int side = 0; side < 2; ++side) make_quadratic(side);
  }

 private:
  void check_sizes() const;
  void make_sets();
  void product(int side, Executor& executor);
  void make_grams(int side, Executor& executor);
  void make_quadratic(int side);
  Half<T> half(int side);
  void update(int side, Executor& executor);
  void set_scales();
  std::vector<double> best_scales() const;
  std::vector<double> price() const;
  void scale_side(const std::vector<double>& by, int side);
  void measure_loss(Executor& executor);
  double cell_loss(Executor& executor) const;
  double lipschitz(int side, const std::vector<Matrix>& qs) const;

  const Observed* data_ = nullptr;
  Rules rules_;
  std::array<SideSets, 2> sets_;
  std::array<DenseMatrix<T>, 2> factors_, y_;
  std::array<std::vector<Matrix>, 2> grams_;  // F^T F per class
  // Per class of items: the Gram matrices of the other side that it sees, and the same with what
  // ridge and cross add.
  std::array<std::vector<Matrix>, 2> seen_, q_;
  std::array<std::vector<double>, 2> diagonals_;  // what the ridge adds
  std::array<Matrix, 2> in_double_;               // the factors, where that is not what they are in
  std::unique_ptr<ItemGrams> items_;
  std::array<double, 2> moved_{};
  double loss_ = 0.0;
};

}  // namespace gingham::methods::nonnegative
