//   g(z) = weight sum_j |z_j|
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham::penalties::l1 {

inline PenaltyWord word() {
  return {
      .word = "l1",
      .takes = PenaltyWord::Takes::weight,
      .example = "l1:20%",
      .help = "Sum of magnitudes: small entries become 0.",
      .adjust = [](const PenaltyArguments& given, EntryRule& entry) { entry.l1 += given.weight; }};
}

}  // namespace gingham::penalties::l1
