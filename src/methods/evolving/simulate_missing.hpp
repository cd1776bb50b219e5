// What both simulators do about missing cells.
#pragma once
#include <limits>

#include "gingham/base/rng.hpp"
#include "gingham/data/matrix.hpp"
#include "gingham/engine/options.hpp"

namespace gingham::methods::evolving {

inline OptionRecord missing_option() {
  return real_option("missing", "0", 0, 0.99, "Probability that a cell is missing (NaN).");
}

// Each cell becomes NaN with this probability, independently of its value.
inline void hide(Matrix& x, double probability, Rng& rng) {
  for (double& value : x.values()) {
    if (rng.uniform() < probability) value = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace gingham::methods::evolving
