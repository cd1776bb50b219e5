// For recomputations: a model of products on the observed cells of one block,
//
//   m = sum_k w_k z_k,   z_k = a_k(i) b_k(j) c_k(l) ...
//
// and what verify asks of it, by plain loops in long double that share no code with any method:
//
//   squares = sum x^2,  loss = sum (x - m)^2,  lost_k = what the loss rises by without k;
//   of item i of a mode, p_k the product over the other modes:
//   pull_k = sum (x - others_k) p_k,  curvature_k = sum p_k^2     over the item's cells
//   and over all cells  left_k = sum (x - others_k)^2
//
// so that column k of that mode minimises 1/2 w_k^2 curvature z^2 - w_k pull z, item by item. For
// the weights themselves the same with z_k for p_k, over all cells.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gingham/base/function_ref.hpp"
#include "gingham/data/dataset.hpp"
#include "gingham/engine/model.hpp"

namespace gingham::methods::plain {

using Real = long double;
using Reals = std::vector<Real>;

inline Reals zeros(Index n) { return Reals(static_cast<std::size_t>(n), 0); }

// Cells with a value, NaN where it is missing, and what each counts.
class Cells {
 public:
  using Visit = FunctionRef<void(std::span<const Index>, Real, Real)>;  // at, x, weight

  // The block outlives this. Zeros that are not listed are visited where there are few cells.
  explicit Cells(const Block& block);
  // Of a matrix, without the blocks of rows and columns that are missing: `classes` of the items of
  // each mode (empty: one), `is_missing` by class of rows and class of columns.
  Cells(const Block& block, const std::vector<Index>& row_classes,
        const std::vector<Index>& column_classes, const std::vector<std::uint8_t>& is_missing);
  virtual ~Cells() = default;

  const Shape& shape() const { return shape_; }
  // Whether there are zeros that for_each does not visit.
  bool has_unseen() const { return has_unseen_; }
  virtual void for_each(Visit visit) const;

  Index n_classes(Index mode) const { return n_classes_[static_cast<std::size_t>(mode)]; }
  Index class_of(Index mode, Index item) const {
    return classes_[mode].empty() ? 0 : classes_[mode][static_cast<std::size_t>(item)];
  }
  bool is_lost(Index row_class, Index column_class) const {
    return !is_missing_.empty() && is_missing_[row_class * n_classes_[1] + column_class] != 0;
  }

 protected:
  explicit Cells(Shape shape);  // for_each is another's

 private:
  bool is_lost_at(std::span<const Index> at) const {
    return !is_missing_.empty() && is_lost(class_of(0, at[0]), class_of(1, at[1]));
  }

  const Block* block_ = nullptr;
  Shape shape_;
  std::vector<std::vector<Index>> classes_;
  std::vector<Index> n_classes_;
  std::vector<std::uint8_t> is_missing_;
  bool has_unseen_ = false, writes_out_ = false;
};

// Per item of a mode 1, or 0 where no cell of it was observed.
std::vector<double> observed_items(const Cells& cells, Index mode);

// Factors by mode, items x components; the weights.
struct Product {
  std::vector<Reals> factors = {};
  Reals weights = {};
  Index n_components() const { return std::ssize(weights); }
  Real at(Index mode, Index item, Index k) const {
    return factors[mode][static_cast<std::size_t>(item * n_components() + k)];
  }
};
Reals reals(const Matrix& factor);

// What is taken away before component k is looked at.
enum class Others { all, earlier, none };

struct Sums {
  Sums(const Cells& cells, const Product& model, Others others);

  Real squares = 0, loss = 0;
  Reals lost, left;
  std::vector<Reals> pull, curvature;   // by mode, items x components
  Reals weight_pull, weight_curvature;  // of the weights

  // 1 - loss / squares, NaN without any; what component k loses of that.
  double explained() const;
  double share_lost(Index k) const;

 private:
  void add_unseen(const Cells& cells, const Product& model, Others others);
};

// The numbers used for an option, or Error{input}.
const std::vector<double>& used_values(const Model& model, const std::string& option);
// The same, `count` of them: as many, or one for all, however often it is given.
std::vector<double> used_values(const Model& model, const std::string& option, std::size_t count);

}  // namespace gingham::methods::plain
