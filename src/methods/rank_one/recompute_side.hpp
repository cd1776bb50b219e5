// One side of a component as the method's step would make it, by plain loops in long double.
#pragma once
#include <memory>
#include <vector>

#include "gingham/engine/options.hpp"
#include "gingham/methods/plain/penalty.hpp"
#include "gingham/methods/plain/sums.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham::methods::rank_one {

using plain::Real;
using plain::Reals;

// Per time.
struct PlainStep {
  std::vector<Reals> b, h;   // targets and curvatures
  std::vector<Reals> x;      // the minimiser
  std::vector<Reals> alpha;  // of each entry
  Real lambda = 0, gamma = 0;
  bool is_weighted = false;  // data are missing: curvatures differ
};

struct PlainRule {
  PenaltyValue sparsity, fusion;
  Real exponent = 0;
  bool relaxed = false;
  std::shared_ptr<const Penalty> penalty = {};  // by name, in place of the sparsity
  plain::AskedPenalty asked = {};               // the same, for its value
  bool chooses() const { return !penalty && sparsity.is("auto"); }
  // Nothing that each step measures anew.
  bool is_given() const {
    return (penalty || sparsity.kind == PenaltyValue::Kind::number) &&
           fusion.kind != PenaltyValue::Kind::percent;
  }
  bool is_tied() const { return fusion.kind == PenaltyValue::Kind::word; }
};

// What BIC weighs against: the residual sum of squares of the least-squares estimates, the noise
// variance, the observed cells.
struct PlainNoise {
  Real rss = 0, variance = 1, cells = 1;
};

// Fills x, alpha, lambda and gamma; b and h must be there. `step.lambda` and `step.gamma` hold the
// numbers used, which stay where the rule does not choose them anew.
void solve_plainly(PlainStep& step, const PlainRule& rule, const PlainNoise& noise);

// A lambda that no double can hold: that at which the minimiser has these squares,
// sum_j (|z_j| - lambda |z_j|^-g / h_j)_+^2. NaN where nothing can be said.
Real implied_lambda(const PlainStep& step, Real exponent, Real squares);

}  // namespace gingham::methods::rank_one
