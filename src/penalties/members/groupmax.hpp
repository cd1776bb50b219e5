//   g(z) = weight sum over groups s of |z_s|_q + sum_j rule(z_j),   q = infinity (group_norms.hpp)
#pragma once
#include "gingham/penalties/group_norms.hpp"
#include "gingham/penalties/word.hpp"

namespace gingham::penalties::groupmax {

inline PenaltyWord word() {
  return {
      .word = "groupmax",
      .takes = PenaltyWord::Takes::groups,
      .example = "nonneg+groupmax:groups.txt,20%",
      .help = "Largest magnitudes of groups of items: whole groups become 0, the rest is levelled.",
      .make = [](const PenaltyArguments& given,
                 const EntryRule& entry) -> std::unique_ptr<Penalty> {
        require_no_ridge("groupmax", entry);
        require_no_box("groupmax", entry);
        return std::make_unique<GroupNorms>(given.groups, given.weight, GroupNorm::infinity, entry);
      }};
}

}  // namespace gingham::penalties::groupmax
