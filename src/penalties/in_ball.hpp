//   g in the unit ball:   g(z)   if |z|_2 <= 1 over the observed entries,   +infinity otherwise
//
// Where g is convex, the minimiser is that of g with curvatures h + mu, mu = 0 if it lies in the
// ball, otherwise the mu > 0 at which its length is 1; where g is homogeneous and there is one
// curvature for all, that only shortens it, whether or not g is convex.
#pragma once
#include "gingham/penalties/penalty.hpp"

namespace gingham {

class InBall final : public Penalty {
 public:
  explicit InBall(std::shared_ptr<const Penalty> g) : g_(std::move(g)) {}

  PenaltyTraits traits() const override {
    PenaltyTraits traits = g_->traits();
    traits.is_separable = traits.is_homogeneous = traits.is_scale_free = false;
    traits.is_bounded = true;
    return traits;
  }
  double value(ConstVec z, Curvature h = 1.0) const override;
  void minimise(ConstVec b, Curvature h, Vec z) const override;
  // The ball shortens, and so leaves zero what is zero and constant what is constant.
  double smallest_zero(ConstVec b, Curvature h) const override { return g_->smallest_zero(b, h); }
  std::unique_ptr<Penalty> times(double c) const override {
    return std::make_unique<InBall>(g_->times(c));
  }

 private:
  std::shared_ptr<const Penalty> g_;
};

}  // namespace gingham
