//   g(z) = sum_j rule(z_j)   if z rises up to some item and falls from there,   +infinity otherwise
//
// Peaks of a chromatogram, one bump over time. For each place of the peak the best z is two
// monotone regressions, whose costs for all places come from one pass each way (pool adjacent
// violators with running costs); the best place wins, among equals the first. z >= 0 clips the
// levels, which is exact for monotone regressions; L1 only with z >= 0. Not convex. O(n).
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham {

class Unimodal final : public Penalty {
 public:
  // The rule of entries: free, or z >= 0 with or without L1.
  explicit Unimodal(EntryRule entry = {}) : entry_(entry) {}

  PenaltyTraits traits() const override {
    return {.is_convex = false,
            .is_nonnegative = entry_.is_nonnegative(),
            .is_homogeneous = true,
            .is_scale_free = entry_.l1 == 0.0,
            .is_ordered = true,
            .has_weight = entry_.has_weight(),
            .has_free_columns = !entry_.has_weight()};
  }
  double value(ConstVec z, Curvature h = 1.0) const override;
  void minimise(ConstVec b, Curvature h, Vec z) const override;
  double gap(ConstVec z, ConstVec b, Curvature h) const override;
  double smallest_zero(ConstVec, Curvature) const override { return std::nan(""); }
  std::unique_ptr<Penalty> times(double c) const override {
    return std::make_unique<Unimodal>(entry_.times(c));
  }

 private:
  EntryRule entry_;
};

namespace penalties::unimodal {

inline PenaltyWord word() {
  return {.word = "unimodal",
          .example = "nonneg+unimodal",
          .help = "Rises to one peak and falls from there, in the order of the items.",
          .make = [](const PenaltyArguments&, const EntryRule& entry) -> std::unique_ptr<Penalty> {
            require_no_ridge("unimodal", entry);
            require_no_box("unimodal", entry);
            if (entry.l1 > 0.0 && !entry.is_nonnegative()) {
              refuse_sum("unimodal", "l1",
                         "their minimiser is exact for entries of at least 0 "
                         "only; add nonneg");
            }
            return std::make_unique<Unimodal>(entry);
          }};
}

}  // namespace penalties::unimodal
}  // namespace gingham
