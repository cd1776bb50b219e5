// Sums over the observed cells x of each slice of one mode, with z_k the product of the other
// modes' factor entries at the cell:
//
//   y_i = sum x z,   squares_i = sum x^2,   gram_i = sum z z^T
//
// Dense or sparse, any number of modes. What belongs to a slice depends on that slice and the
// factors alone, to the last bit: no kernel whose order of summation depends on the other slices.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/methods/multilinear/pattern_gram.hpp"

namespace gingham::methods::multilinear {

class Slices {
 public:
  // A matrix per mode, that of `mode` itself empty; the others I_m x K. Values of the block count
  // times `value_scale`. Throws Error{internal} for sizes that do not fit.
  Slices(const Block& block, Index mode, const std::vector<Matrix>& factors, double value_scale,
         Executor& executor);
  Slices(const Slices&) = delete;
  Slices& operator=(const Slices&) = delete;

  Index count() const { return n_; }
  Index rank() const { return rank_; }
  // Blocks of slices that can be worked on at the same time.
  Index n_blocks() const { return groups_.count(); }
  Index begin(Index block) const { return groups_.begin(block) * group_; }
  Index end(Index block) const { return std::min(groups_.end(block) * group_, n_); }

  // Of slices begin ... end - 1: rows of y (count x K), squares, and whether the slice has observed
  // cells and whether all are.
  void add(Index begin, Index end, double* y, double* squares, char* has_some, char* has_all) const;
  // Where every cell is observed: the product over the other modes of A^T A.
  const Matrix& full_gram() const { return full_gram_; }
  // Of a slice with missing cells.
  void gram_of(Index slice, Matrix& gram) const;

 private:
  struct Other {
    const std::int32_t* index;  // of each entry
    const Matrix* factor;
  };
  void add_sparse(Index slice, double* y, double& squares, char& has_some, char& has_all) const;
  void add_dense(Index begin, Index end, double* y, double* squares, char* has_some,
                 char* has_all) const;
  void dense_gram(Index slice, Matrix& gram) const;
  // z_k <- the product of the rows of the modes left of `mode`, and z_k *= that of those between it
  // and the last one.
  void left_product(Index at, double* z) const;
  void times_middle(Index at, double* z) const;
  void product_at(Index entry, double* z) const;

  const Block* block_;
  Index n_ = 0, rank_ = 0;
  double value_scale_;
  Matrix full_gram_;
  Index group_ = 1;  // slices that lie in the same cache lines
  Partition groups_;
  std::vector<Matrix> factors_;
  // Dense: seen as left x slices x middle x last; `last`: of the last mode, 1 where that is `mode`.
  const double* cells_ = nullptr;
  Index mode_;
  Index n_left_ = 1, n_middle_ = 1, n_last_ = 1;
  // Sparse: the entries of slice i are pointers[i] ... pointers[i + 1] - 1.
  double slice_cells_ = 1.0;
  const Index* pointers_ = nullptr;
  const double* values_ = nullptr;
  std::vector<Other> others_;
  // Sparse, where cells are missing.
  std::optional<Observations> observed_;
  std::optional<PatternGram> missing_;
};

}  // namespace gingham::methods::multilinear
