// Rows of a factor whose entries obey an EntryRule, the other factors fixed:
//
//   row a of an item:  argmin of  a^T Q a / 2 - a^T (w o y) + sum_k rule(a_k)
//
// Q: K x K, symmetric; w: K weights; y: products of the data with the other factors. Entries are
// minimised one after the other, each exactly. Columns before `first` are given: they explain and
// stay, and y has none of them.
#pragma once
#include <cstdint>
#include <vector>

#include "gingham/data/matrix.hpp"
#include "gingham/penalties/entry_rule.hpp"

namespace gingham {

// In the arithmetic of the rows.
template <class T>
class RowProblem {
 public:
  // No weights: all 1. An entry of no consequence (q_kk = 0: none of the item's cells is observed,
  // or the model is 0 there whatever it is) becomes 0, or stays as it is in a column that waits for
  // the other factors to come back (K; empty: none does).
  RowProblem(const EntryRule& rule, Index n_columns, Index first, ConstVec weights,
             std::vector<std::uint8_t> waits = {});

  void take(const Matrix& q);  // from now on this Q
  Index n_columns() const { return n_columns_; }
  Index first() const { return first_; }
  Index n_unknown() const { return n_columns_ - first_; }
  const T* q() const { return q_.data(); }
  const T* weights() const { return weights_.empty() ? nullptr : weights_.data(); }
  // Per column 1 / (q_kk + ridge); 0 for entries that become 0, below 0 for those that wait.
  const T* inverse() const { return inverse_.data(); }
  T l1() const { return l1_; }
  T low() const { return low_; }
  T high() const { return high_; }
  double curvature(Index k) const { return static_cast<double>(q_[k * n_columns_ + k]); }
  // The minimiser of entry k whose pull, w_k y_k less what the other entries explain, is this.
  double minimiser(Index k, double pull, double now) const;
  bool waits(Index k) const { return !waits_.empty() && waits_[static_cast<std::size_t>(k)] != 0; }
  // That pull beside the entries before `n_explaining`.
  double pull(Index k, Index n_explaining, const T* y, const T* a) const;

 private:
  EntryRule rule_;
  Index n_columns_, first_;
  std::vector<std::uint8_t> waits_;
  T l1_, low_, high_;
  std::vector<T> weights_, q_, inverse_;
};

// Which rows: `items` of a matrix, or `n` from `begin` on where items is null.
struct Rows {
  const Index* items = nullptr;
  Index begin = 0, n = 0;
  Index operator[](Index r) const { return items == nullptr ? begin + r : items[r]; }
};

// `passes` rounds over the entries of these rows of `a` (items x K), several rows side by side.
// y: items x unknown columns. `keep` (items x K), where given, is 0 for entries that stay 0.
// Returns sum of q_kk (change of a_k)^2.
template <class T>
double sweep_rows(const RowProblem<T>& problem, const Rows& rows, int passes, const T* y,
                  const std::uint8_t* keep, T* a);
// sums[k] += q_kk (a_k - its minimiser, all others as they are)^2 for the unknown columns, without
// the zeros of columns that `members_only` (K) marks; empty: none.
template <class T>
void add_row_gaps(const RowProblem<T>& problem, const Rows& rows, const T* y, const T* a,
                  const std::vector<std::uint8_t>& members_only, Vec sums);
// The same where the entries of later columns explain nothing.
template <class T>
void add_row_gaps_in_order(const RowProblem<T>& problem, const Rows& rows, const T* y, const T* a,
                           const std::vector<std::uint8_t>& members_only, Vec sums);

// One row, entry by entry; `keep` as above, for this row. Returns sum of q_kk (change)^2.
template <class T>
double sweep_row(const RowProblem<T>& problem, int passes, const T* y, const std::uint8_t* keep,
                 T* a);

}  // namespace gingham
