//   g(z) = 0   if z is in a cone and |z|_2 <= 1,   +infinity otherwise
//
// The minimiser is that of the cone with curvatures h + mu, mu = 0 if it lies in the ball,
// otherwise the mu > 0 at which its length is 1; with one curvature for all that only shortens it.
#pragma once
#include "gingham/penalties/penalty.hpp"

namespace gingham {

class InBall final : public Penalty {
 public:
  explicit InBall(std::shared_ptr<const Penalty> cone) : cone_(std::move(cone)) {}

  PenaltyTraits traits() const override {
    PenaltyTraits traits = cone_->traits();
    traits.is_separable = traits.is_homogeneous = traits.is_scale_free = false;
    traits.is_bounded = true;
    return traits;
  }
  double value(ConstVec z, Curvature h = 1.0) const override;
  void minimise(ConstVec b, Curvature h, Vec z) const override;
  double smallest_zero(ConstVec, Curvature) const override { return std::nan(""); }
  std::unique_ptr<Penalty> times(double) const override { return std::make_unique<InBall>(cone_); }

 private:
  std::shared_ptr<const Penalty> cone_;
};

}  // namespace gingham
