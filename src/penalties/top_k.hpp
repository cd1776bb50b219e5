//   g(v) = 0   if at most k entries of v are nonzero,   +infinity otherwise       TopK
//   the same with v >= 0 required                                                NonnegTopK
//
// prox: (clip to v >= 0, then) keep the k largest magnitudes, whatever the step; among equals the
// lower index stays, so at most k survive. Expected O(n). Not convex.
#pragma once
#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham {

struct TopK {
  Index k;  // >= 0

  static constexpr PenaltyTraits traits{.convex = false, .indicator = true};

  double value(ConstVec v) const;
  void prox(Vec v, double step) const;

  // With k nonzeros: the norm of the gradient on them, since no other entry may move by a little.
  // With fewer: the norm of the whole gradient, since any entry may. (The distance of -gradient to
  // the regular normal cone.) Zero does not mean that the support is a good one; swap_gap asks
  // that.
  double stationarity_gap(ConstVec v, ConstVec gradient) const;

  // What a gradient step of this length lacks to be undone by the prox: how much the largest entry
  // it creates outside the support, step |gradient_j|, exceeds the smallest one inside. 0 when no
  // swap towards a larger magnitude exists; a point with both gaps 0 is a fixed point of the
  // proximal gradient step.
  double swap_gap(ConstVec v, ConstVec gradient, double step) const;
};
static_assert(Penalty<TopK>);

struct NonnegTopK {
  Index k;  // >= 0

  static constexpr PenaltyTraits traits{.convex = false, .indicator = true, .nonnegative = true};

  double value(ConstVec v) const;
  void prox(Vec v, double step) const;
  // As TopK; with fewer than k nonzeros, zero entries may only grow.
  double stationarity_gap(ConstVec v, ConstVec gradient) const;
  double swap_gap(ConstVec v, ConstVec gradient, double step) const;
};
static_assert(Penalty<NonnegTopK>);

}  // namespace gingham
