//   g(z) = sum_j rule(z_j)   if |z|_2 <= 1,   +infinity otherwise
//
// The minimiser is z_j = soft(b_j, l1) / (h_j + mu), clipped at 0 where the rule says so, with mu =
// 0 inside the ball and the one mu > 0 at which |z| = 1 otherwise. Norms within kBoundaryTolerance
// of 1 count as on the boundary. O(n) per Newton step, few of them.
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham {

// v <- the nearest z >= 0 with |z|_2 <= radius: clipped, then shortened. Returns |z|. Error
// {internal}, here and below, where an entry is NaN or +infinity.
double project_nonneg_ball(Vec v, double radius);

// v <- argmin_z sum_j curvature_j (z_j - v_j)^2 over z >= 0, |z|_2 <= radius, curvature >= 0,
// radius > 0: v_+ if that is inside, otherwise z = d v_+ / (d + mu) with the one root mu > 0 of
// |z| = radius. Entries without curvature become 0. Returns |z|.
double project_nonneg_ball_weighted(Vec v, ConstVec curvature, double radius);

class UnitBall final : public Penalty {
 public:
  static constexpr double kBoundaryTolerance = 1e-12;

  // The rule of entries: any sign or z >= 0, with or without L1.
  explicit UnitBall(EntryRule entry = {}) : entry_(entry) {}

  PenaltyTraits traits() const override {
    return {.is_nonnegative = entry_.is_nonnegative(),
            .is_bounded = true,
            .has_weight = entry_.has_weight(),
            .has_free_columns = !entry_.has_weight()};
  }
  double value(ConstVec z, Curvature h = 1.0) const override {
    return norms::l2(z) <= 1.0 + kBoundaryTolerance ? entry_.value(z, h) : kInfinity;
  }
  void minimise(ConstVec b, Curvature h, Vec z) const override;
  double smallest_zero(ConstVec, Curvature) const override { return std::nan(""); }
  std::unique_ptr<Penalty> times(double c) const override {
    return std::make_unique<UnitBall>(entry_.times(c));
  }

 private:
  EntryRule entry_;
};

namespace penalties::ball {

inline PenaltyWord word() {
  return {.word = "ball",
          .example = "nonneg+ball",
          .help = "Columns of length at most 1.",
          .make = [](const PenaltyArguments&, const EntryRule& entry) -> std::unique_ptr<Penalty> {
            require_no_ridge("ball", entry);
            require_no_box("ball", entry);
            return std::make_unique<UnitBall>(entry);
          }};
}

}  // namespace penalties::ball
}  // namespace gingham
