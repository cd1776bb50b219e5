// Alternating minimisation over the factors of a model of one matrix or array:
//
//   M = sum_k w_k a_k^(0) o a_k^(1) o ... o a_k^(N-1)          a_k^(n): column k of factor n
//
//   1/2 sum over observed cells of (X - M)^2 + sum_n sum_k g_n(a_k^(n))
//
// One mode after the other with the rest fixed: a product with the data, then the factor, column by
// column or as a whole (factor_step.hpp). What belongs to the point that was reached (Gram
// matrices, products, c and H) is kept until something changes it and made when it is asked for, so
// that loss and gaps cost few further products.
//
//   c_k = <X, a_k^(0) o ... o a_k^(N-1)>,   H_kl = sum over observed cells of the products of k, l
#pragma once
#include "gingham/alternation/factor_step.hpp"
#include "gingham/operators/factor_view.hpp"

namespace gingham::alternation {

// What is asked of the factor of one mode.
struct Rule {
  std::shared_ptr<const Penalty> penalty;      // of each column
  std::shared_ptr<const Penalty> judged = {};  // what gaps are measured by (ItemSets); null: that
  // Columns that the other modes leave without curvature may come back and stay as they are;
  // otherwise they become 0.
  bool may_wait = false;
};

// What a method adds to the Q of a mode: diag(d) + 2 c 1 1^T.
struct Added {
  std::vector<double> diagonal = {};
  double cross = 0.0;
};

// What the penalties fall by without a component, beside the others, and without all of them.
struct Savings {
  std::vector<double> of_component;
  double all = 0.0;
};

// T: double, or float for matrices.
template <class T>
class Alternation {
 public:
  using Factor = DenseMatrix<T>;

  Alternation() = default;
  // whole_factors: each at its minimum at once, instead of column by column. The data outlive this.
  Alternation(const Observed& data, std::vector<Rule> rules, bool whole_factors = false);

  const Observed& data() const { return *data_; }
  Index n_modes() const { return data_->n_modes(); }
  Index rank() const { return std::ssize(weights_); }
  Index last_mode() const;  // with more than one item; the first mode where there is none
  Index first() const { return first_; }
  const std::vector<Factor>& factors() const { return factors_; }
  const std::vector<double>& weights() const { return weights_; }
  const std::vector<Matrix>& grams(Index mode) const { return grams_[mode]; }  // per class

  // Other rules for the same data and factors.
  void change(std::vector<Rule> rules);
  // Goes on from these factors. The columns before `first` stay as they are, and are those there
  // are now; where there are fewer, what they explain is computed, or is `known`: their c.
  void begin(std::vector<Factor> factors, std::vector<double> weights, Index first,
             Executor& executor, ConstVec known = {});
  // From now on entries outside stay 0; they must be 0.
  void restrict_to(std::vector<Support> supports) { supports_ = std::move(supports); }

  // The factor of a mode, `passes` rounds over its columns (or at once).
  void update(Index mode, int passes, const Added& added, Executor& executor);
  // argmin over 0 <= w <= cap of w^T H w - 2 w^T c, one weight at a time.
  void update_weights(double cap, int passes);
  // Columns times these numbers, modes x K; entries stay within the range [low, high].
  void rescale(const Matrix& scales, double low, double high, Executor& executor);
  // Component k becomes 0 in every mode.
  void remove(Index k);
  // Removes components that cost more than they explain beside the others, the costliest first; all
  // of them where the empty model costs less and none is given. Counts as motion of the weights.
  // Returns whether there were any.
  bool remove_costly(FunctionRef<Savings()> savings);
  void set_weight(Index k, double weight) { weights_[k] = weight; }

  // X0 times the factors of the other modes, unknown columns only.
  const Factor& product(Index mode, Executor& executor);
  // Whether the penalty of a mode holds items together.
  bool has_sets(Index mode) const { return !sets_[mode].sets.empty(); }
  const std::vector<double>& linear() const { return linear_; }  // c
  const Matrix& quadratic() const { return quadratic_; }         // H
  // |X|^2 - 2 w^T c + w^T H w: near a perfect fit it is rounding.
  double squares_left() const;
  // The same, summed from residuals.
  double exact_squares_left(Executor& executor) const;
  // By how much the squares rise without component k, the others as they are.
  double lost_without(Index k) const;
  // How far the last update of a mode moved the model: sqrt(sum q_kk (change)^2).
  double moved(Index mode) const { return moved_[mode]; }
  double weights_moved() const { return moved_.back(); }

  // Per column from `first` on the square of its gap (FactorStep::gaps).
  std::vector<double> gaps(Index mode, Index from, Beside beside,
                           const std::vector<std::uint8_t>& members_only, const Added& added,
                           Executor& executor);
  // The largest square of the gap of a weight, from `from` on.
  double weights_gap(Index from, Beside beside, double cap) const;
  // b and h of the unknown columns.
  void for_each_column(Index mode, Beside beside,
                       FunctionRef<void(Index, ConstVec, Curvature)> visit, Executor& executor);

  // What the products come to at other factors; for line searches. `mode`: of the last one.
  struct Products {
    Factor last;  // of mode `last_mode`
    std::vector<double> linear;
    Matrix quadratic;
  };
  Products products_of(const std::vector<Factor>& factors, Index mode, Executor& executor) const;
  // Takes over a point whose products are known.
  void jump(std::vector<Factor> factors, std::vector<double> weights, Index mode, Products products,
            Executor& executor);

  // The sizes of what was read fit each other and the data.
  bool is_consistent() const;
  template <class Archive>
  void state(Archive& ar) {
    ar("factors", factors_)("weights", weights_)("first", first_)("supports", supports_);
    ar("grams", grams_)("products", products_)("has_product", has_product_);
    ar("linear", linear_)("quadratic", quadratic_)("moved", moved_);
  }

 private:
  // Per class of items of a mode: the sum of z z^T over all cells of the blocks that they see; of
  // `seen` single cells are taken away (holes), or those that are observed added to 0 (listed).
  struct Whole {
    std::vector<Matrix> all, seen;
  };
  Whole whole(Index mode) const;
  double lipschitz(const Whole& whole, const FactorPart& part) const;
  double largest_entry(Index mode, const std::vector<Matrix>& all_cells) const;
  double weight_pull(Index k, Index n_explaining) const;
  std::vector<Matrix> grams_of(const Factor& factor, Index mode, Executor& executor) const;
  Matrix model_gram(const std::vector<Factor>& factors, Index mode,
                    const std::vector<Matrix>& whole, Executor& executor) const;
  void multiply(const std::vector<Factor>& factors, Index mode, Index from, Factor& product,
                Executor& executor) const;
  // Everything a step needs, with what it looks at.
  struct Surroundings;
  template <class Body>
  auto with_step(Index mode, Index first, const Factor& y, const Added& added, const Whole& whole,
                 const Body& body) const;

  const Observed* data_ = nullptr;
  bool whole_factors_ = false;
  std::vector<Rule> rules_;
  std::vector<ItemSets> sets_;
  std::vector<Factor> factors_;
  std::vector<double> weights_;
  Index first_ = 0;
  std::vector<Support> supports_;
  std::vector<std::vector<Matrix>> grams_;  // per mode and class
  std::vector<Factor> products_;            // per mode
  std::vector<std::uint8_t> has_product_;
  std::vector<double> linear_;
  Matrix quadratic_;
  std::vector<double> moved_;  // per mode, and of the weights
};

// The columns from `first` on.
template <class T>
DenseMatrix<T> columns_from(const DenseMatrix<T>& factor, Index first);

}  // namespace gingham::alternation
