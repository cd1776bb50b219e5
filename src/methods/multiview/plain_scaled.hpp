// For recomputations: a view as the formulas have it, centred and scaled over its observed cells,
// by plain loops in extended precision.
#pragma once
#include <string>
#include <vector>

#include "gingham/base/function_ref.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham::methods::multiview {

using Real = long double;
using Reals = std::vector<Real>;

class PlainScaled {
 public:
  PlainScaled(const Block& block, const std::string& scale);  // the block outlives this

  // visit(i, values, seen): row by row, 0 where a cell is missing.
  using Visit = FunctionRef<void(Index, const Reals&, const std::vector<bool>&)>;
  void for_each(Visit visit) const;
  // Per column, what is taken away and what is multiplied by then: 0 where a column does not vary,
  // NaN where nothing of it is observed.
  const Reals& mean() const { return mean_; }
  const Reals& factor() const { return factor_; }
  Real largest() const { return largest_; }

 private:
  const Block& block_;
  Index d_;
  Reals mean_, factor_;
  bool by_rows_ = false;
  Real largest_ = 0;  // |x| of the columns that vary
};

}  // namespace gingham::methods::multiview
