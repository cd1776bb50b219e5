// Where cells are missing the quadratic form of a row is the row's own: sums over its observed
// cells.
#pragma once
#include <vector>

#include "gingham/kernels/sparse_contraction.hpp"
#include "gingham/kernels/thin_products.hpp"
#include "gingham/methods/multilinear/observations.hpp"

namespace gingham::methods::multilinear {

// rho rho^T o Z
Matrix weighted(const Matrix& z, const std::vector<double>& weights);

// Sums of z z^T over the cells of a pattern, item by item of one mode; z_k: the product of the
// other modes' entries k. The factors must outlive this and stay as they are.
class PatternGram {
 public:
  PatternGram(const SparseTensor& pattern, Index mode, std::span<const Matrix> factors);
  Index scratch_size() const { return n_columns_ * stride_ + stride_; }
  // z <- the sum over item i (K x K).
  void of_item(Index i, Vec scratch, double* z) const;
  // z <- the sum over the cells of item i that the pattern does not list, one after the other.
  void of_rest(Index i, double* z) const;
  double cells_per_item() const { return cells_per_item_; }

 private:
  const SparseTensor::Grouped& cells_;
  Index n_columns_;
  Index stride_ = 0;
  Shape other_sizes_;
  double cells_per_item_ = 1.0;
  std::vector<thin::Padded<double>> padded_;
  std::vector<sparse::OtherMode> others_;
};

// Z_i and Q of one item after the other.
class ItemGrams {
 public:
  // `whole`: the sum of z z^T over all cells of an item. Both outlive this.
  ItemGrams(const Observations& data, const PatternGram& cells, const Matrix& whole);

  void make(Index i, const std::vector<double>& weights);
  const Matrix& q() const { return q_; }  // stays where it is
  // sums += a a^T o Z
  void add(const double* a, double* sums) const;

 private:
  void take_holes_away(Index i, double* z) const;

  Observations::Kind kind_;
  const PatternGram& cells_;
  const Matrix& whole_;
  Matrix z_, q_;
  std::vector<double> scratch_;
};

}  // namespace gingham::methods::multilinear
