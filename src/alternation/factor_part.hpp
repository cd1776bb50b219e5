// The part of a least-squares problem that one factor F (items x K) has, the other factors fixed:
//
//   sum_i ( f_i^T Q_i f_i / 2 - f_i^T (w o y_i) )
//
//   y_i: sum over the cells of item i of X0 z, z the product of the other factors' rows at a cell
//   Q_i = w w^T o (sum over its observed cells of z z^T) + diag(d) + 2 c 1 1^T
//
// w: the components' weights; d and c: what a method adds. The columns before `first` are given.
#pragma once
#include <cstdint>
#include <vector>

#include "gingham/operators/item_grams.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham::alternation {

struct FactorPart {
  const Observed* data = nullptr;
  Index mode = 0;
  std::span<const Matrix> factors = {};    // of all modes; looked at where there are cells
  const ItemGrams* grams = nullptr;        // sums of single items; the same
  const std::vector<Matrix>* q = nullptr;  // per class: Q of an item of which all is observed
  ConstVec weights = {};                   // empty: all 1
  ConstVec diagonal = {};                  // empty: 0
  double cross = 0.0;
  Index first = 0;
  // Per column whether it stays as it is while the other modes leave it without curvature
  // altogether: it may come back. Empty: such columns become 0.
  std::vector<std::uint8_t> waits = {};
  // No entry goes beyond this: one that hardly counts can fit its cells by being huge, until its
  // squares leave the range of numbers.
  double largest = kInfinity;

  Index n_columns() const { return (*q)[0].rows(); }
  // Whether items have a Q of their own.
  bool has_cells() const { return grams != nullptr; }
  double weight(Index k) const { return weights.empty() ? 1.0 : weights[k]; }
  // Q of an item with cells; `room` is memory from call to call.
  void make(Index item, Matrix& item_q, std::vector<double>& room) const;
  // Row k of it, summed without a difference.
  void column(Index item, Index k, Vec out) const;
  // The same sum of z z^T with weights, diagonal and cross: w w^T o z + diag(d) + 2 c 1 1^T.
  void complete(Matrix& z) const;
};

// sums += a a^T o z
template <class T>
void add_outer(std::span<const T> a, const Matrix& z, Vec sums) {
  double* to = sums.data();
  const double* from = z.data();
  for (const T left : a) {
    for (const T right : a)
      *to++ += static_cast<double>(left) * static_cast<double>(right) * *from++;
  }
}

// Which of the other columns are taken away from the pull of a column: all, those before it, none.
enum class Beside { all, before, none };

}  // namespace gingham::alternation
