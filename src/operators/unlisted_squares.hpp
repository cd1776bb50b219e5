// What a model puts into cells that are not listed: of item i of the first mode
//
//   sum over unlisted cells of M^2 = f^T G f - sum over listed cells of M^2
//
// f is its weighted row of factor 0 and G the Gram matrix of the other factors' products over all
// cells. Where too little is left of the terms, both are taken in two doubles. For use inside
// operators.
#pragma once
#include <mutex>

#include "gingham/kernels/double_double.hpp"
#include "gingham/operators/cell_list.hpp"
#include "gingham/operators/factor_view.hpp"

namespace gingham {

class UnlistedSquares {
 public:
  // `grams`: G for each class of items, that of all cells first. The model outlives this.
  UnlistedSquares(const FactorView& model, std::vector<Matrix> grams);

  struct Whole {
    double squares = 0.0, size = 0.0;  // f^T G f, and the same of magnitudes
  };
  Whole whole(Index item_class, ConstVec f) const;
  // Whether too few digits are left of a sum of what `whole` was a term of.
  static bool is_lost(double left, const Whole& whole);

  // In two doubles, G over all cells; M^2 at a cell.
  DoubleDouble exact_whole(Index item);
  DoubleDouble exact_square(Index item, const CellList& cells, Index cell) const;

 private:
  void make_exact();

  const FactorView& model_;
  std::vector<Matrix> grams_, sizes_;  // G, and its magnitudes; none where all are at least 0
  std::once_flag once_;
  std::vector<DoubleDouble> exact_;  // G
};

}  // namespace gingham
