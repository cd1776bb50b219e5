// Penalties of single entries: free, nonneg, l1, box, ridge and their sums (entry_rule.hpp), and
// L1 with a weight per entry (adaptive).
//
//   g(z) = sum_j rule(z_j),    L1 of entry j times weights_j where weights are given; an entry of
//                              infinite weight is 0
#pragma once
#include "gingham/penalties/entry_rule.hpp"

namespace gingham {

class Separable final : public Penalty {
 public:
  explicit Separable(EntryRule rule) : rule_(rule) {}
  Separable(EntryRule rule, std::vector<double> weights)
      : rule_(rule), weights_(std::move(weights)) {}

  PenaltyTraits traits() const override {
    const bool is_cone = !rule_.is_boxed() && rule_.ridge == 0.0;
    return {.is_separable = true,
            .is_nonnegative = rule_.is_nonnegative(),
            .is_homogeneous = is_cone,
            .is_scale_free = is_cone && rule_.l1 == 0.0,
            .is_bounded = rule_.is_bounded(),
            .has_weight = rule_.has_weight(),
            .has_free_columns = !rule_.has_weight()};
  }
  double value(ConstVec z, Curvature h = 1.0) const override;
  void minimise(ConstVec b, Curvature h, Vec z) const override;
  // Of the L1 part; of the ridge (max h) where there is no other.
  double smallest_zero(ConstVec b, Curvature h) const override;
  std::unique_ptr<Penalty> times(double c) const override {
    return std::make_unique<Separable>(rule_.times(c), weights_);
  }
  const EntryRule* entry() const override { return weights_.empty() ? &rule_ : nullptr; }
  const EntryRule& rule() const { return rule_; }

 private:
  EntryRule of_entry(std::size_t j) const {
    EntryRule own = rule_;
    if (!weights_.empty()) own.l1 *= weights_[j];
    return own;
  }

  EntryRule rule_;
  std::vector<double> weights_;  // of L1; empty: all 1
};

}  // namespace gingham
