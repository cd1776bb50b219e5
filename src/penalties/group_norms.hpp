//   g(z) = weight sum over groups s of w_s |z_s|_q + sum_j rule(z_j),        q = 2 or infinity
//
// Groups of items: disjoint, overlapping, or a tree (groups.hpp). Switches whole groups off. The
// norms are absolute, so the minimiser has the signs of b, and L1 shortens b before (exactly, for
// any curvature). Sets of items that groups connect do not know each other: each has its own solver
// (group_prox.hpp), and so may be treated side by side.
//
// One object, and one part of it, serves one caller at a time: the solvers have memory of their
// own.
#pragma once
#include "gingham/penalties/entry_rule.hpp"
#include "gingham/penalties/group_prox.hpp"
#include "gingham/penalties/groups.hpp"

namespace gingham {

class GroupNorms final : public Penalty {
 public:
  // `relative` has a weight w_s >= 0 per group; empty: all 1. The rule of entries: any sign or z >=
  // 0, with or without L1.
  GroupNorms(std::shared_ptr<const Groups> groups, double weight, GroupNorm norm,
             EntryRule entry = {}, std::vector<double> relative = {});

  PenaltyTraits traits() const override {
    return {.is_nonnegative = entry_.is_nonnegative(),
            .is_homogeneous = true,
            .is_scale_free = weight_ == 0.0 && entry_.l1 == 0.0,
            .has_weight = weight_ > 0.0 || entry_.has_weight(),
            .has_free_columns = !entry_.has_weight() && (weight_ == 0.0 || !others_.empty())};
  }
  // The vectors have an entry per item of the groups.
  double value(ConstVec z, Curvature h = 1.0) const override;
  void minimise(ConstVec b, Curvature h, Vec z) const override;
  // The smallest weight at which all items in groups are zero.
  double smallest_zero(ConstVec b, Curvature h) const override;
  std::unique_ptr<Penalty> times(double c) const override {
    return std::make_unique<GroupNorms>(groups_, c * weight_, norm_, entry_.times(c), relative_);
  }
  std::vector<Part> parts(Index n_items) const override;
  const EntryRule& rest() const override { return entry_; }

 private:
  std::shared_ptr<const Groups> groups_;
  double weight_;
  GroupNorm norm_;
  EntryRule entry_;
  std::vector<double> relative_;
  std::vector<Part> sets_;     // connected, with weight
  std::vector<Index> others_;  // items in none of them
};

}  // namespace gingham
