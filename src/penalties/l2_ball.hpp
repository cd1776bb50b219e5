//   g(v) = 0   if ||v||_2 <= radius,   +infinity otherwise                   L2Ball
//   the same with v >= 0 required                                           NonnegL2Ball
//
// prox: (clip to v >= 0, then) shorten to the radius, whatever the step. The order matters. Norms
// within kBoundaryTolerance of the radius, relatively, count as on the boundary.
#pragma once
#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham {

struct L2Ball {
  double radius;

  static constexpr double kBoundaryTolerance = 1e-12;
  static constexpr PenaltyTraits traits{.indicator = true, .radial = true};

  double value(ConstVec v) const { return contains(norms::l2(v)) ? 0.0 : kInfinity; }

  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    const double length = norms::l2(v);
    if (contains(length))
      return;  // points just outside stay, so that projecting twice changes nothing
    for (double& x : v) x = radius * (x / length);
  }

  // On the boundary the normal cone is {c v : c >= 0}: only the pull outwards along v is allowed.
  double stationarity_gap(ConstVec v, ConstVec gradient) const {
    const double length = norms::l2(v);
    if (!contains(length)) return kInfinity;
    if (length == 0.0) return std::max(norms::l2(gradient) - slack_at_zero(), 0.0);
    double outward = 0.0;
    for (std::size_t j = 0; j < v.size(); ++j) outward -= gradient[j] * (v[j] / length);
    const double c = pull(length, outward);
    return norms::l2_of(v.size(), [&](std::size_t j) { return gradient[j] + c * (v[j] / length); });
  }

  // The radial part of a Sum (sum.hpp).
  double pull(double norm, double outward) const {
    return norm >= radius * (1.0 - kBoundaryTolerance) ? std::max(outward, 0.0) : 0.0;
  }
  double slack_at_zero() const { return radius == 0.0 ? kInfinity : 0.0; }
  bool contains(double norm) const { return norm <= radius * (1.0 + kBoundaryTolerance); }
};
static_assert(Penalty<L2Ball>);

// v <- the nearest z >= 0 with ||z||_2 <= radius: clipped, then shortened. Returns ||z||. Error
// {internal}, here and below, where an entry is NaN or +infinity.
double project_nonneg_ball(Vec v, double radius);

// v <- argmin_z sum_j curvature_j (z_j - v_j)^2 over z >= 0, ||z||_2 <= radius, curvature >= 0,
// radius > 0: v_+ if that is inside, otherwise z = d v_+ / (d + mu) with the one root mu > 0 of
// ||z|| = radius. Entries without curvature become 0. Returns ||z||.
double project_nonneg_ball_weighted(Vec v, ConstVec curvature, double radius);

}  // namespace gingham
