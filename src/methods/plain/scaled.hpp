// For recomputations: a view as the formulas have it, centred and scaled over its observed cells,
// by plain loops in extended precision.
#pragma once
#include <string>

#include "gingham/methods/plain/sums.hpp"

namespace gingham::methods::plain {

// --scale none, center, standardize, unit or rows. Per column, what is taken away and what is
// multiplied by then: 0 where a column does not vary, NaN where nothing of it is observed.
struct Scaling {
  Scaling(const Block& block, const std::string& scale);

  Reals mean, factor;
  Reals zeros;  // how many of its cells are zeros that are not listed
  bool by_rows = false;
  Real largest = 0;  // |x| of the columns that vary
};

// The observed cells, every row with its weight.
class ScaledCells final : public Cells {
 public:
  // All outlive this.
  ScaledCells(const Block& block, const Scaling& scaling, const Reals& rho)
      : Cells(block.shape()), block_(block), scaling_(scaling), rho_(rho) {}

  void for_each(Visit visit) const override;

 private:
  const Block& block_;
  const Scaling& scaling_;
  const Reals& rho_;
};

}  // namespace gingham::methods::plain
