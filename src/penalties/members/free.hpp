//   g(z) = 0: nothing is asked
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham::penalties::free {

inline PenaltyWord word() {
  return {.word = "free",
          .example = "free",
          .help = "No penalty: entries of any sign and size.",
          .adjust = [](const PenaltyArguments&, EntryRule&) {}};
}

}  // namespace gingham::penalties::free
