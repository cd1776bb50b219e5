// The penalty of one component over one connected set of items, and its prox:
//
//   g(z) = sum over groups g of beta_g |z_g|_q,   q = 2 or infinity,   z >= 0
//   prox:  z = argmin_{z >= 0}  sum_j d_j (z_j - p_j)^2 / 2 + g(z)
//
// Where groups are nested or disjoint and the curvature d is the same for all, the composition of
// the groups' own proxes from the small to the large is exact (Jenatton, Mairal, Obozinski, Bach
// 2011). Otherwise by ascent on the dual, group by group: with xi_g >= 0 on g, |xi_g|_q* <= beta_g,
// and z = p_+ - sum xi_g / d, each step is the prox of one group, and
//
//   sum over g of (beta_g |z_g|_q - <xi_g, z_g>)
//
// is the duality gap; it ends when that is 1e-14 of the objective, or falls no more, or after 1000
// passes (where the solution is nearly 0 and the ascent slow).
//
// Groups without weight shape nothing; groups of the same items are one. Built once per set; calls
// do not allocate, and one object serves one caller at a time. Errors as in
// penalties/group_shrink.hpp.
#pragma once
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

enum class GroupNorm { two, infinity };

class GroupProx {
 public:
  // Groups as rising lists of positions in a vector of `size` entries, with a weight >= 0 each.
  GroupProx(Index size, std::vector<std::vector<Index>> groups, std::vector<double> weights,
            GroupNorm norm);

  Index size() const { return size_; }
  Index n_groups() const { return static_cast<Index>(groups_.size()); }  // as they were given

  // z holds p, and then the result. A curvature of 0 makes everything 0.
  void prox(Vec z, double curvature);
  // d_j >= 0; entries with d_j = 0 become 0.
  void prox_weighted(Vec z, ConstVec curvature);

  double norm(Index group, ConstVec z) const;
  double value(ConstVec z) const;  // of z >= 0

  // Of the last prox by ascent: passes over the groups, and the gap relative to the objective.
  int passes() const { return passes_; }
  double gap() const { return gap_; }

 private:
  struct Group {
    std::vector<Index> positions;
    double weight = 0.0;   // with those of later groups of the same positions
    Index first_dual = 0;  // where its xi begin
    bool is_run = false;   // positions without a hole
  };
  Vec part(const Group& group, Vec z);  // its entries: in place, or copied to own_
  void put_back(const Group& group, ConstVec entries, Vec z) const;
  double shrink(Vec entries, double weight);
  void compose(Vec z, double curvature);
  void ascend(Vec z, ConstVec curvature);  // an empty curvature: 1 everywhere
  void scale(Vec z, ConstVec curvature);
  double step(const Group& group, double weight, Vec z);
  double objective(ConstVec z) const;
  double dual_gap(ConstVec z) const;
  void clear_specks(Vec z);

  Index size_ = 0;
  GroupNorm norm_ = GroupNorm::two;
  std::vector<Group> groups_;
  std::vector<Index> order_;  // different groups with weight, small ones first
  bool is_laminar_ = true;
  bool is_whole_ = false;  // one group with weight, and it is the whole vector

  std::vector<double> own_, own_curvature_, scratch_;  // of one group
  std::vector<double> point_, curvature_, rival_, dual_;
  std::vector<double> weights_;  // in the units of the ascent
  std::vector<char> is_zero_;
  double unit_ = 1.0, reach_ = 0.0;
  int passes_ = 0;
  double gap_ = 0.0;
};

}  // namespace gingham
