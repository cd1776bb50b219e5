//   g(z) = weight / 2 sum_j z_j^2
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham::penalties::ridge {

inline PenaltyWord word() {
  return {.word = "ridge",
          .takes = PenaltyWord::Takes::weight,
          .example = "ridge:0.1",
          .help = "Half the sum of squares: entries become smaller, none becomes 0.",
          .adjust = [](const PenaltyArguments& given, EntryRule& entry) {
            entry.ridge += given.weight;
          }};
}

}  // namespace gingham::penalties::ridge
