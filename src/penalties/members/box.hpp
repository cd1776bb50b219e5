//   g(z) = weight sum_j z_j   if 0 <= z_j <= 1 for all j,   +infinity otherwise
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham::penalties::box {

inline PenaltyWord word() {
  return {.word = "box",
          .takes = PenaltyWord::Takes::optional_weight,
          .example = "box:20%",
          .help = "Entries from 0 to 1; with a weight small ones become 0.",
          .adjust = [](const PenaltyArguments& given, EntryRule& entry) {
            entry.low = 0.0;
            entry.high = 1.0;
            entry.l1 += given.weight;
          }};
}

}  // namespace gingham::penalties::box
