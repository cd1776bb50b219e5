// One side (rows or columns) of a rank-one term over times 0 ... t-1, and the step that makes it
// from the other side.
//
// With the other side's unit vectors fixed, the side's scaled vectors x_i minimise
//
//   sum_ij (0.5 h_ij x_ij^2 - b_ij x_ij) + g(x)                     b, h: targets.hpp
//
// where g is a penalty of src/penalties:
//
//   times apart   sum_i g(x_i)                                      a penalty by name, or
//                 g = alpha sum_j w_ij |x_ij|,  w = |b / h|^-e      adaptive L1 (e = 0: all 1)
//   times tied    the same of one vector for all times
//   times fused   sum_j ( gamma sum_i |x_i+1,j - x_ij| + alpha sum_i |x_ij| )
//
// An entry without any observed cell costs nothing and, where times are fused, follows its
// neighbours in time.
#pragma once
#include <memory>

#include "gingham/base/function_ref.hpp"
#include "gingham/engine/model.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/rank_one/bic.hpp"
#include "gingham/methods/rank_one/targets.hpp"

namespace gingham::methods::rank_one {

struct SideRule {
  PenaltyValue sparsity, fusion;
  double exponent = 0.0;                        // e of the adaptive weights; with fusion 0
  Bic bic = Bic::shrunk;                        // how alpha is chosen
  double dual_gap = 0.0;                        // above 0: fused by the dual, to this relative gap
  std::shared_ptr<const Penalty> penalty = {};  // by name, in place of alpha

  bool is_tied() const { return fusion.kind == PenaltyValue::Kind::word; }  // max, auto
  bool is_fused() const { return is_tied() || fusion.number > 0.0; }
  bool is_tied(const Layout& layout) const { return layout.times() > 1 && is_tied(); }
  bool is_fused(const Layout& layout) const { return layout.times() > 1 && is_fused(); }
};

// alpha, in units in which adaptive weights stay in range at any scale of the data:
//   alpha w = level (|z| / scale)^-e
struct Sparsity {
  double level = 0.0;
  double scale = 1.0;

  double alpha(double exponent) const;  // may be infinite, or underflow

  template <class Archive>
  void state(Archive& ar) {
    ar("level", level)("scale", scale);
  }
};

struct Side {
  std::vector<double> unit;     // all times; a time's vector has norm 1, or is zero where absent
  std::vector<double> lengths;  // per time: of the step's minimiser, which unit is the direction of
  Targets targets;              // from which it was made
  Sparsity sparsity;            // alpha
  double fusion = 0.0;          // gamma; tied: the least one that ties
  // What 100 % of both is; NaN where no share was asked for.
  Sparsity largest_sparsity{kUnknown, 1.0};
  double largest_fusion = kUnknown;
  double variation = 0.0;  // sum_ij |x_i+1,j - x_ij| of the scaled vectors, if t > 1 and even
  std::vector<double> dual_gaps;  // per iteration, when the dual solver made it

  template <class Archive>
  void state(Archive& ar) {
    ar("unit", unit)("lengths", lengths)("targets", targets)("sparsity", sparsity);
    ar("fusion", fusion)("variation", variation)("dual_gaps", dual_gaps);
    ar("largest_sparsity", largest_sparsity)("largest_fusion", largest_fusion);
  }
};

// What BIC weighs against: the residual sum of squares of the least-squares estimate b / h, the
// noise variance and the number of observed cells.
struct Noise {
  double residual = 0.0;
  double variance = 1.0;
  double cells = 1.0;
};

struct SideStep {
  const Layout& layout;
  const SideRule& rule;
  FunctionRef<Noise()> noise;  // asked only where alpha is chosen by BIC
  Executor& executor;

  // `before` is the same side's last value: a share of the maximum keeps the penalties of the
  // component's first step.
  Side make(Targets targets, const Side& before) const;
  // The same with the minimiser x itself in the place of its unit vectors.
  Side minimiser(Targets targets, const Side& before) const;

 private:
  bool is_fused() const { return rule.is_fused(layout) && !rule.is_tied(); }
  double largest_fusion(const Targets& targets, double alpha) const;
  double largest_sparsity(const Side& side) const;
  double chosen_sparsity(const Side& side) const;
  void minimise(Side& side) const;
  void minimise_dual(Side& side) const;
  void shorten(Side& side) const;
  void drop_rounding(Side& side) const;
};

// The largest distance over the times between two sets of vectors; NaN if one is.
double largest_distance(const std::vector<double>& a, const std::vector<double>& b,
                        const Layout& layout);

// Per time what its unit vector pays: g of it, changes over time left out.
std::vector<double> penalty_lengths(const Side& side, const SideRule& rule, const Layout& layout);
// gamma sum_i |s_i+1 x_i+1 - s_i x_i|_1, x_i its vectors
double fusion_penalty(const Side& side, const Layout& layout, const std::vector<double>& s);

}  // namespace gingham::methods::rank_one
