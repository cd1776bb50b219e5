//   g(z) = 0   if z >= 0,   +infinity otherwise
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham::penalties::nonneg {

inline PenaltyWord word() {
  return {.word = "nonneg",
          .example = "nonneg",
          .help = "Entries of at least 0.",
          .adjust = [](const PenaltyArguments&, EntryRule& entry) { entry.low = 0.0; }};
}

}  // namespace gingham::penalties::nonneg
