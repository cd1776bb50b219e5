// One side (rows or columns) of a rank-one term over times 0 ... t-1, and the step that makes it
// from the other side.
//
// With the other side's unit vectors fixed, the side's scaled vectors x_i minimise
//
//   sum_ij (0.5 h_ij x_ij^2 - b_ij x_ij) + alpha sum_ij w_ij |x_ij| + gamma sum_ij |x_i+1,j - x_ij|
//
// b_i = R_i^T u_i; h = 1 where all data are observed, otherwise the sum of u^2 over the observed
// cells, and 0 where there are none (such an entry has alpha = 0 and follows its neighbours in
// time). A time at which the other side is zero has b = 0, h = 1: an absent term pulls to zero.
// With h = 1 the problem with alpha is the one without, soft-thresholded (Ji, Zhang, Liu 2012,
// Theorem 3.1); otherwise both are solved together.
#pragma once
#include <memory>
#include <vector>

#include "gingham/base/function_ref.hpp"
#include "gingham/base/parallel.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/rank_one/sparse_step.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham::methods::rank_one {

// Where the vector of each time lies when all are stored one after the other.
class Layout {
 public:
  explicit Layout(const std::vector<Index>& sizes = {});
  Index times() const { return static_cast<Index>(offsets_.size()) - 1; }
  std::size_t size() const { return static_cast<std::size_t>(offsets_.back()); }
  Index size_at(Index time) const { return offsets_[time + 1] - offsets_[time]; }
  bool is_even() const;  // every time has the same size
  Vec at(std::vector<double>& values, Index time) const;
  ConstVec at(const std::vector<double>& values, Index time) const;

 private:
  std::vector<Index> offsets_{0};
};

struct SideRule {
  PenaltyValue sparsity, fusion;
  // In place of alpha: g of a time's vector, or of the one vector of all times where these are
  // tied.
  std::shared_ptr<const Penalty> penalty = {};

  bool is_tied() const { return fusion.kind == PenaltyValue::Kind::word; }  // max, auto
  bool is_fused() const { return is_tied() || fusion.number > 0.0; }
};

struct Targets {
  std::vector<double> b;
  std::vector<double> h;  // empty: all 1
};

struct Side {
  std::vector<double> unit;     // all times; a time's vector has norm 1, or is zero where absent
  std::vector<double> lengths;  // per time: of the step's minimiser, which unit is the direction of
  Targets targets;              // from which it was made
  Threshold sparsity;           // alpha
  double fusion = 0.0;          // gamma
  double variation = 0.0;       // sum_ij |x_i+1,j - x_ij| of the scaled vectors, if t > 1 and even
  std::vector<double> dual_gaps;  // per iteration, when the dual solver made it

  bool was_made() const { return !targets.b.empty(); }

  template <class Archive>
  void state(Archive& ar) {
    ar("unit", unit)("lengths", lengths)("b", targets.b)("h", targets.h)("sparsity", sparsity)(
        "fusion", fusion);
    ar("variation", variation)("dual_gaps", dual_gaps);
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
  Bic bic = Bic::shrunk;       // how alpha is chosen
  double exponent = 0.0;       // g of the adaptive weights; with fusion it must be 0
  double dual_gap = 0.0;       // above 0: the fused problem by its dual, to this relative gap
  FunctionRef<Noise()> noise;  // asked only where alpha is chosen by BIC
  Executor& executor;

  // `before` is the same side's last value: a share of the maximum keeps the penalties of the
  // component's first step.
  Side make(Targets targets, const Side& before) const;
  // The same with the minimiser x itself in the place of its unit vectors.
  Side minimiser(Targets targets, const Side& before) const;

 private:
  Side named_minimiser(Targets targets) const;
};

// The largest distance over the times between two sets of vectors; NaN if one is.
double largest_distance(const std::vector<double>& a, const std::vector<double>& b,
                        const Layout& layout);

// sum_j alpha w_j |x_j| over one time's unit vector, entries without any observed cell left out; or
// g of it.
double penalty_length(const Side& side, const SideRule& rule, const Layout& layout, Index time,
                      double exponent);
// All times as one: b and h averaged, with the same minimiser under g as their sums under g times
// the number of times.
Targets mean_over_times(const Targets& targets, Index times);
// gamma sum_i |s_i+1 x_i+1 - s_i x_i|_1, x_i its vectors
double fusion_penalty(const Side& side, const Layout& layout, const std::vector<double>& s);

}  // namespace gingham::methods::rank_one
