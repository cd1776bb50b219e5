// For recomputations: a view as the formulas have it, centred and scaled over its observed cells,
// by plain loops in extended precision.
#pragma once
#include <string>

#include "gingham/methods/plain/sums.hpp"

namespace gingham::methods::multiview {

using plain::Real;
using plain::Reals;

class PlainScaled final : public plain::Cells {
 public:
  // The block outlives this, and so do the rows' weights.
  PlainScaled(const Block& block, const std::string& scale, const Reals& rho);

  void for_each(Visit visit) const override;  // observed cells only
  // Per column, what is taken away and what is multiplied by then: 0 where a column does not vary,
  // NaN where nothing of it is observed.
  const Reals& mean() const { return mean_; }
  const Reals& factor() const { return factor_; }
  Real largest() const { return largest_; }

 private:
  const Block& block_;
  const Reals& rho_;
  Index d_;
  Reals mean_, factor_;
  bool by_rows_ = false;
  Real largest_ = 0;  // |x| of the columns that vary
};

}  // namespace gingham::methods::multiview
