#include "gingham/methods/nonnegative/group_coupling.hpp"

#include "gingham/penalties/members/ball.hpp"

namespace gingham::methods::nonnegative {

void UnitBall::minimise(Vec p, double) { project_nonneg_ball(p, 1.0); }

void UnitBall::minimise(Vec p, ConstVec curvature) {
  project_nonneg_ball_weighted(p, curvature, 1.0);
}

}  // namespace gingham::methods::nonnegative
