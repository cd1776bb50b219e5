//   g(z) = weight sum_j (z_j+1 - z_j)^2 + l1 sum_j z_j              along the order of the items
//
// Lets z drift, with or without z >= 0; L1 only with z >= 0. The minimiser solves the tridiagonal
// system (diag(h) + 2 weight D'D) z = b. With z >= 0 by block pivoting: the sets of entries at 0
// and above it change until the signs are right; where that makes no progress, entries above 0 are
// only added, which ends because the matrix is an M-matrix (Chandrasekaran 1970). O(n) per change.
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham {

class Smooth final : public Penalty {
 public:
  // The rule of entries: free, or z >= 0 with or without L1.
  explicit Smooth(double weight, EntryRule entry = {}) : weight_(weight), entry_(entry) {}

  PenaltyTraits traits() const override {
    return {.is_nonnegative = entry_.is_nonnegative(),
            .is_homogeneous = weight_ == 0.0,
            .is_scale_free = weight_ == 0.0 && entry_.l1 == 0.0,
            .is_ordered = true,
            .has_weight = weight_ > 0.0 || entry_.has_weight(),
            .has_free_columns = !entry_.has_weight()};
  }
  double value(ConstVec z, Curvature h = 1.0) const override;
  void minimise(ConstVec b, Curvature h, Vec z) const override;
  double smallest_zero(ConstVec b, Curvature h) const override { return h.largest(b.size()); }
  std::unique_ptr<Penalty> times(double c) const override {
    return std::make_unique<Smooth>(c * weight_, entry_.times(c));
  }

 private:
  double weight_;
  EntryRule entry_;
};

namespace penalties::smooth {

inline PenaltyWord word() {
  return {.word = "smooth",
          .takes = PenaltyWord::Takes::weight,
          .example = "nonneg+smooth:20%",
          .help = "Sum of squared changes between neighbours: a curve that drifts.",
          .make = [](const PenaltyArguments& given,
                     const EntryRule& entry) -> std::unique_ptr<Penalty> {
            require_no_ridge("smooth", entry);
            require_no_box("smooth", entry);
            if (entry.l1 > 0.0 && !entry.is_nonnegative()) {
              refuse_sum("smooth", "l1",
                         "their minimiser is exact for entries of at least 0 only; "
                         "add nonneg");
            }
            return std::make_unique<Smooth>(given.weight, entry);
          }};
}

}  // namespace penalties::smooth
}  // namespace gingham
