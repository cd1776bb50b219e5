// What is asked of the two factors besides fitting the data.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "gingham/penalties/groups.hpp"

namespace gingham::methods::nonnegative {

// Of one factor F (items x K, columns f_k).
struct SideRules {
  double ridge = 0.0;       // ridge |F|^2
  double cross = 0.0;       // cross sum_i (sum_k F_ik)^2
  bool is_in_ball = false;  // |f_k| <= 1
  // sum over groups g of beta_g sum_k |f_k over g|_q; no groups: none.
  std::shared_ptr<const Groups> groups;
  std::vector<double> beta = {};
  bool is_max_norm = false;  // q = infinity instead of 2

  bool has_cost() const { return ridge > 0.0 || cross > 0.0 || has_group_penalty(); }
  bool is_penalised() const { return is_in_ball || has_cost(); }
  bool has_group_penalty() const {
    for (const double one : beta) {
      if (one > 0.0) return groups != nullptr;
    }
    return false;
  }
};

struct Rules {
  std::array<SideRules, 2> sides;  // rows, columns
  // The side that a ball or a ridge keeps from growing while the other pays for its penalty.
  int free_side = 0;
  bool whole_factors = false;  // each factor to its minimum at once, instead of by columns
};

}  // namespace gingham::methods::nonnegative
