// Sums over the cells of an item that are observed and not listed, without a difference that could
// cancel. z: the product of the other modes' factor rows at a cell, K values.
//
// In lexicographic order the cells between two that are left out are few boxes: a place in the
// first modes, a range of items of the next one, all of the rest. A box adds
//
//   sum z z^T = p p^T o (sum over the range of a_j a_j^T) o (A^T A of the modes behind)
//
// p: the product of the rows at the place. The rows of each factor lie in the leaves of a binary
// tree whose nodes hold sum a_j a_j^T, so that a range is a few nodes and at most two leaves' worth
// of single rows. An item with h cells left out takes O(h N (K + log n) K) for one column of its
// sum. Nodes take as much memory as two factors.
#pragma once
#include <mutex>

#include "gingham/operators/observed.hpp"

namespace gingham {

class RunGrams {
 public:
  // For the items of `mode`; data and factors outlive this. The trees are made when first asked
  // for.
  RunGrams(const Observed& data, Index mode, std::span<const Matrix> factors);

  // out_l = sum over the observed cells of the item of z_k z_l; what is listed counts as observed
  void column(Index item, Index k, Vec out) const;
  // q = sum over the observed cells of the item of z z^T
  void gram(Index item, Matrix& q) const;
  // sum of (f^T z)^2 over the observed cells of the item that X0, which is sparse, does not list.
  double unlisted_squares(Index item, ConstVec f) const;

 private:
  struct Tree {
    const Matrix* factor = nullptr;
    Index leaf = 1, n_leaves = 0;
    std::vector<double> nodes;   // K x K each; the children of node t are 2 t and 2 t + 1
    std::vector<double> behind;  // A^T A of the modes behind, empty for the last one
  };
  template <class Visit>
  class Walk;
  template <class Visit>
  void for_boxes(Index item, bool skips_listed, ConstVec start, const Visit& visit) const;
  void make() const;
  Index n_columns() const { return trees_[0].factor->cols(); }
  // A matrix has the items of the other side in order of their classes.
  Index place_of(Index item) const { return place_.empty() ? item : place_[item]; }
  Index item_at(Index place) const {
    return place_.empty() ? place : data_.classes(1 - mode_).items[place];
  }

  const Observed& data_;
  Index mode_;
  mutable std::once_flag once_;
  mutable std::vector<Tree> trees_;   // per other mode
  mutable std::vector<Index> place_;  // of a matrix: the items of the other side by class
};

}  // namespace gingham
