//   g(z) = 0   if z >= 0 and the entries that were observed add up to 1,   +infinity otherwise
//
// The minimiser is z_j = ( b_j - tau )_+ / h_j with the one tau at which they add up to 1
// (kernels/l1_ball.hpp). Zero is not in the domain, but for a column without any observed item.
// Expected O(n).
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham {

class Simplex final : public Penalty {
 public:
  static constexpr double kRounding = 4e-16;  // of the sum, per entry

  PenaltyTraits traits() const override {
    return {.is_nonnegative = true,
            .is_bounded = true,
            .has_zero = false,
            .has_weight = false,
            .has_free_columns = true};
  }
  double value(ConstVec z, Curvature h = 1.0) const override;
  void minimise(ConstVec b, Curvature h, Vec z) const override;
  double smallest_zero(ConstVec, Curvature) const override { return std::nan(""); }
  std::unique_ptr<Penalty> times(double) const override { return std::make_unique<Simplex>(); }
};

namespace penalties::simplex {

inline PenaltyWord word() {
  return {.word = "simplex",
          .example = "simplex",
          .help = "Entries of at least 0 that add up to 1: shares.",
          .make = [](const PenaltyArguments&, const EntryRule& entry) -> std::unique_ptr<Penalty> {
            require_no_ridge("simplex", entry);
            require_no_box("simplex", entry);
            if (entry.l1 > 0.0) refuse_sum("simplex", "l1", "the sum is 1 whatever its weight");
            return std::make_unique<Simplex>();
          }};
}

}  // namespace penalties::simplex
}  // namespace gingham
