//   g(z) = sum_j rule(z_j)   if at most k entries are other than 0,   +infinity otherwise
//
// The k entries that gain most stay, each at its own minimiser: entry j lowers the objective by
//   gain_j = -min over z of ( h_j z^2 / 2 - b_j z + rule(z) ),        b_j^2 / 2 h_j for a free one;
// among equals the lower index. Not convex. Expected O(n).
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham {

class TopK final : public Penalty {
 public:
  explicit TopK(Index k, EntryRule entry = {}) : k_(k), entry_(entry) {}

  PenaltyTraits traits() const override {
    const bool is_cone = !entry_.is_boxed() && entry_.ridge == 0.0;
    return {.is_convex = false,
            .is_nonnegative = entry_.is_nonnegative(),
            .is_homogeneous = is_cone,
            .is_scale_free = is_cone && entry_.l1 == 0.0,
            .is_bounded = entry_.is_bounded(),
            .has_weight = entry_.has_weight(),
            .has_free_columns = !entry_.has_weight()};
  }
  double value(ConstVec z, Curvature h = 1.0) const override;
  void minimise(ConstVec b, Curvature h, Vec z) const override;
  double gap(ConstVec z, ConstVec b, Curvature h) const override;
  double smallest_zero(ConstVec, Curvature) const override { return std::nan(""); }
  std::unique_ptr<Penalty> times(double c) const override {
    return std::make_unique<TopK>(k_, entry_.times(c));
  }

 private:
  Index k_;
  EntryRule entry_;
};

// Which of the gains are the k largest above 0, among equals those of lower index: 1 for them, 0
// for the others. What TopK chooses by, for choices that are made over several blocks together.
std::vector<std::uint8_t> largest_gains(ConstVec gains, Index k);

namespace penalties::top {

inline PenaltyWord word() {
  return {.word = "top",
          .takes = PenaltyWord::Takes::count,
          .example = "top:12",
          .help = "At most so many entries other than 0: those that fit the data best.",
          .make = [](const PenaltyArguments& given, const EntryRule& entry)
              -> std::unique_ptr<Penalty> { return std::make_unique<TopK>(given.count, entry); }};
}

}  // namespace penalties::top
}  // namespace gingham
