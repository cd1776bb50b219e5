// Sum<Inner, Outer>: g(v) = inner(v) + outer(v), where the prox composes exactly:
//
//   prox of the sum = prox of outer  after  prox of inner
//
// when inner is convex and homogeneous (a norm, a gauge, the indicator of a cone: subgradients do
// not change with the length of v) and outer is convex and depends on ||v||_2 alone, because outer
// then changes nothing but the length. Other pairs do not compile. Examples: L1 + GroupL2 (sparse
// group), L1 + Ridge (elastic net), L1 + L2Ball, Nonneg + L2Ball, NonnegL1 + GroupL2, Fused +
// L2Ball.
//
// The outer penalty supplies its radial part: at v != 0 its subgradient is pull * v / ||v||, where
// `outward`, the pull that inner and loss leave unbalanced along v, matters only for a ball; at 0
// it is a ball of radius slack_at_zero().
#pragma once
#include <vector>

#include "gingham/penalties/l2_ball.hpp"
#include "gingham/penalties/nonneg.hpp"
#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham {

template <Penalty Inner, Penalty Outer>
requires(Inner::traits.convex&& Inner::traits.homogeneous&& Outer::traits.convex&& Outer::traits
             .radial) struct Sum {
  Inner inner;
  Outer outer;

  static constexpr PenaltyTraits traits{
      .grain =
          Inner::traits.separable() && Outer::traits.separable() ? Grain::entry : Grain::vector,
      .indicator = Inner::traits.indicator && Outer::traits.indicator,
      .nonnegative = Inner::traits.nonnegative,
      .homogeneous = Outer::traits.homogeneous};

  double value(ConstVec v) const { return inner.value(v) + outer.value(v); }

  void prox(Vec v, double step) const {
    inner.prox(v, step);
    outer.prox(v, step);
  }

  double stationarity_gap(ConstVec v, ConstVec gradient) const {
    const double length = norms::l2(v);
    if (outer.value(v) == kInfinity) return kInfinity;
    if (length == 0.0) {
      return std::max(inner.stationarity_gap(v, gradient) - outer.slack_at_zero(), 0.0);
    }
    // Subgradients s of inner satisfy <s, v> = inner(v), so along v nothing else is free.
    double outward = -inner.value(v) / length;
    for (std::size_t j = 0; j < v.size(); ++j) outward -= gradient[j] * (v[j] / length);
    const double pull = outer.pull(length, outward);
    std::vector<double> total(gradient.begin(), gradient.end());
    for (std::size_t j = 0; j < v.size(); ++j) total[j] += pull * (v[j] / length);
    return inner.stationarity_gap(v, total);
  }
};

using NonnegL2Ball = Sum<Nonneg, L2Ball>;
static_assert(Penalty<NonnegL2Ball>);

}  // namespace gingham
