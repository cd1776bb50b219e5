// Q = rho rho^T o Z of one row after the other, where Z differs from row to row (ItemGrams).
#pragma once
#include "gingham/operators/item_grams.hpp"

namespace gingham::methods::multilinear {

// rho rho^T o Z
Matrix weighted(const Matrix& z, const std::vector<double>& weights);

class RowGrams {
 public:
  RowGrams(const ItemGrams& items, Index n_columns)
      : items_(items), z_(n_columns, n_columns), q_(n_columns, n_columns) {}

  void make(Index i, const std::vector<double>& weights);
  const Matrix& q() const { return q_; }  // stays where it is
  // sums += a a^T o Z
  void add(const double* a, double* sums) const;

 private:
  const ItemGrams& items_;
  Matrix z_, q_;
  std::vector<double> room_;
};

}  // namespace gingham::methods::multilinear
