// Sums over the observed cells of an item of which most cells are observed, without a difference
// that could cancel: the rows b_j of the other factor (n x K) lie in the leaves of a binary tree
// whose nodes hold sum_j b_j b_j^T; what lies between two missing cells is a run of cells, and a
// run is a few nodes and at most two leaves' worth of single cells.
//
// An item with h missing cells takes O(h (K + log n) K) for one column of its Gram matrix, never
// more than its observed cells one by one. Nodes take as much memory as two factors.
#pragma once
#include <mutex>
#include <type_traits>
#include <vector>

#include "gingham/methods/nonnegative/observations.hpp"

namespace gingham::methods::nonnegative {

// A difference below this share of its terms is not taken: what is left is summed itself. T: what
// the terms were summed in.
template <class T>
inline constexpr double kCancelled = std::is_same_v<T, double> ? 1e-3 : 0.25;

class RunGrams {
 public:
  // For the items of `side`; data (with holes, or complete) and factor outlive this. The tree is
  // made when first asked for.
  RunGrams(const Observations& data, int side, const Matrix& other)
      : data_(data), side_(side), other_(other) {}

  // out_l = sum over observed cells j of the item of b_jk b_jl
  void column(Index item, Index k, Vec out) const;
  // q += sum over observed cells j of the item of b_j b_j^T
  void add_gram(Index item, Matrix& q) const;
  // sum of (f^T b_j)^2 over the observed cells j of the item that are not in `listed` (rising).
  double squares(Index item, ConstVec f, std::span<const std::int32_t> listed) const;

 private:
  template <class Node, class Cell>
  void for_runs(Index item, std::span<const std::int32_t> listed, const Node& node,
                const Cell& cell) const;
  void make() const;

  const Observations& data_;
  int side_;
  const Matrix& other_;
  mutable std::once_flag once_;
  mutable Index leaf_ = 1, n_leaves_ = 0;
  mutable std::vector<Index> place_;   // of an item of the other side in order of classes
  mutable std::vector<double> nodes_;  // K x K each; the children of node t are 2 t and 2 t + 1
};

}  // namespace gingham::methods::nonnegative
