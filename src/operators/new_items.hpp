// New items of one mode of a matrix or array against the factors of the other modes, which are
// fixed: for item i, with z the product of their rows at a cell,
//
//   y_i = sum x z,   squares_i = sum x^2,   Q_i = sum z z^T          over its observed cells
//
// What an item gets depends on its own cells alone, to the bit: no kernel whose order of summation
// depends on the other items. Sparse items are read entry by entry; of dense ones nothing larger
// than a few rows of y is held.
#pragma once
#include <optional>

#include "gingham/operators/item_grams.hpp"

namespace gingham {

struct NewItem {
  bool has_some = false, has_all = false;  // observed cells
  double squares = 0.0;
};

class NewItems {
 public:
  // A matrix per mode, that of `mode` itself not looked at; the others I_m x K. Values count times
  // `value_scale`. Throws Error{internal} for sizes that do not fit. All outlive this.
  NewItems(const Block& fresh, Index mode, std::span<const Matrix> factors, double value_scale,
           Executor& executor);
  NewItems(const NewItems&) = delete;
  NewItems& operator=(const NewItems&) = delete;

  Index count() const { return y_.rows(); }
  Index rank() const { return y_.cols(); }
  const NewItem& seen(Index item) const { return seen_[static_cast<std::size_t>(item)]; }
  ConstVec y(Index item) const { return y_.row(item); }
  // Q of an item of which everything was observed.
  const Matrix& whole() const { return whole_[0]; }
  // Blocks of items whose Q take about as long as each other.
  Partition blocks() const;
  // Q of any other; `room` is memory from call to call.
  void gram_of(Index item, Matrix& q, std::vector<double>& room) const;
  // All of them as other sums see them; of dense items made when asked for.
  const Observed& observed(Executor& executor);

 private:
  void take_sparse(double value_scale, Executor& executor);
  void take_dense(double value_scale, Executor& executor);
  void add_dense(Index begin, Index end, double value_scale, double* y, NewItem* seen) const;
  template <class Visit>
  void for_dense(Index item, bool are_missing, const Visit& visit) const;
  // z_k *= the rows of the factors of modes [from, to) at this place, the last mode fastest.
  void times_rows(Index from, Index to, Index at, double* z) const;

  const Block& fresh_;
  Index mode_;
  std::span<const Matrix> factors_;
  std::vector<Matrix> whole_;
  Matrix y_;
  std::vector<NewItem> seen_;
  double cells_per_item_ = 1.0;
  // Dense: seen as left x items x middle x last; last: of the last mode, 1 where that is `mode`.
  const double* cells_ = nullptr;
  Index n_left_ = 1, n_middle_ = 1, n_last_ = 1;
  std::optional<Observed> observed_;
  std::optional<ItemGrams> grams_;  // of sparse ones with missing cells
};

}  // namespace gingham
