// The couplings there are: columns in the unit ball, and penalties on groups of items.
#pragma once
#include <vector>

#include "gingham/methods/nonnegative/coupling.hpp"
#include "gingham/penalties/group_prox.hpp"

namespace gingham::methods::nonnegative {

// |z| <= 1
class UnitBall final : public Coupling {
 public:
  void minimise(Vec p, double curvature) override;
  void minimise(Vec p, ConstVec curvature) override;
  double value(ConstVec) const override { return 0.0; }
};

// sum over groups of beta_g |z_g|_q
class GroupCoupling final : public Coupling {
 public:
  explicit GroupCoupling(GroupProx penalty) : penalty_(std::move(penalty)) {}
  void minimise(Vec p, double curvature) override { penalty_.prox(p, curvature); }
  void minimise(Vec p, ConstVec curvature) override { penalty_.prox_weighted(p, curvature); }
  double value(ConstVec z) const override { return penalty_.value(z); }

 private:
  GroupProx penalty_;
};

}  // namespace gingham::methods::nonnegative
