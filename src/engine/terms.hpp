// Every part of an objective, and how far each block of unknowns is from being optimal.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace gingham {

struct NamedValue {
  std::string name;
  double value = 0.0;

  template <class Archive>
  void state(Archive& ar) {
    ar("name", name)("value", value);
  }
};

struct Terms {
  double loss = 0.0;
  std::vector<NamedValue> penalties;
  // Relative optimality gap of each block's own subproblem, the other blocks fixed; 0 is optimal.
  // Empty: not measured, which only running terms may be; nothing converges while they are.
  std::vector<NamedValue> gaps;
  // How far the last iteration moved the model, relative to the data's norm; NaN: not measured. It
  // is small where a gap is, but not the other way round: slow is not optimal.
  double moved = std::numeric_limits<double>::quiet_NaN();

  // The objective rose beyond rounding where it cannot: numerical_failure, whatever the gaps.
  bool has_risen = false;
  // Of running terms: the component ends here, and how if a gap above the tolerance is left
  // (otherwise it has converged). The first that is set counts.
  bool cycle = false;  // the iterates are known to repeat, with a period above one: cycle
  // All that the options ask for is done (epochs, starts), or another iteration would change
  // nothing: finished.
  bool is_finished = false;

  double objective() const {
    double total = loss;
    for (const NamedValue& penalty : penalties) total += penalty.value;
    return total;
  }
  // The largest gap; NaN if one is, or if none was measured.
  double gap() const {
    double largest = gaps.empty() ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    for (const NamedValue& block : gaps) {
      if (std::isnan(block.value)) return block.value;
      largest = std::max(largest, block.value);
    }
    return largest;
  }
};

}  // namespace gingham
