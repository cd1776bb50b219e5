//   g(z) = weight sum_j |z_j+1 - z_j| + sum_j rule(z_j)             along the order of the items
//
// Keeps z constant over stretches. The minimiser is that of the total variation with L1
// (kernels/tv_prox.hpp), clipped: bounds that are the same for all entries commute with the total
// variation, whatever the curvatures. O(n).
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/penalties/word.hpp"

namespace gingham {

class Fused final : public Penalty {
 public:
  explicit Fused(double weight, EntryRule entry = {}) : weight_(weight), entry_(entry) {}

  PenaltyTraits traits() const override {
    const bool is_cone = !entry_.is_boxed();
    return {.is_nonnegative = entry_.is_nonnegative(),
            .is_homogeneous = is_cone,
            .is_scale_free = is_cone && entry_.l1 == 0.0 && weight_ == 0.0,
            .is_bounded = entry_.is_bounded(),
            .is_ordered = true,
            .has_weight = weight_ > 0.0 || entry_.has_weight(),
            .has_free_columns = !entry_.has_weight()};
  }
  double value(ConstVec z, Curvature h = 1.0) const override;
  void minimise(ConstVec b, Curvature h, Vec z) const override;
  double smallest_zero(ConstVec b, Curvature h) const override;
  std::unique_ptr<Penalty> times(double c) const override {
    return std::make_unique<Fused>(c * weight_, entry_.times(c));
  }

  // Signals of `length` values side by side: value i of signal j is at i n + j. Each obeys g by
  // itself; several go in step. b and z may be the same memory.
  void minimise_signals(Index length, ConstVec b, Curvature h, Vec z, Executor& executor) const;
  // The smallest weight at which every signal is constant; bounds are not looked at.
  double smallest_zero_of_signals(Index length, ConstVec b, Curvature h, Executor& executor) const;
  // The smallest l1, at this weight, at which everything is 0: whatever the curvature, 0 is optimal
  // where the observed b can be brought within +-l1 by duals of size `weight`, and the total
  // variation's minimiser of b brings them as near to 0 as can be.
  double smallest_l1_of_signals(Index length, ConstVec b, Curvature h) const;

 private:
  double weight_;
  EntryRule entry_;  // no ridge
};

namespace penalties::fused {

inline PenaltyWord word() {
  return {.word = "fused",
          .takes = PenaltyWord::Takes::weight,
          .example = "nonneg+fused:20%",
          .help = "Sum of changes between neighbours: constant over stretches; 100 % allows none.",
          .make = [](const PenaltyArguments& given,
                     const EntryRule& entry) -> std::unique_ptr<Penalty> {
            require_no_ridge("fused", entry);
            return std::make_unique<Fused>(given.weight, entry);
          }};
}

}  // namespace penalties::fused
}  // namespace gingham
