//   g(z) = weight sum over groups s of |z_s|_q + sum_j rule(z_j),   q = 2 (group_norms.hpp)
#pragma once
#include "gingham/penalties/group_norms.hpp"
#include "gingham/penalties/word.hpp"

namespace gingham::penalties::group {

inline PenaltyWord word() {
  return {.word = "group",
          .takes = PenaltyWord::Takes::groups,
          .example = "nonneg+group:groups.txt,20%",
          .help = "Lengths of groups of items: whole groups become 0.",
          .make = [](const PenaltyArguments& given,
                     const EntryRule& entry) -> std::unique_ptr<Penalty> {
            require_no_ridge("group", entry);
            require_no_box("group", entry);
            return std::make_unique<GroupNorms>(given.groups, given.weight, GroupNorm::two, entry);
          }};
}

}  // namespace gingham::penalties::group
