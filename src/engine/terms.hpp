// Every part of an objective, and how far each block of unknowns is from being optimal.
#pragma once
#include <algorithm>
#include <cmath>
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
  std::vector<NamedValue> gaps;
  bool cycle = false;  // the iterates are known to repeat
  bool is_at_limit = false;  // of iterations, by the method's own options

  double objective() const {
    double total = loss;
    for (const NamedValue& penalty : penalties) total += penalty.value;
    return total;
  }
  // The largest gap; NaN if one is.
  double gap() const {
    double largest = 0.0;
    for (const NamedValue& block : gaps) {
      if (std::isnan(block.value)) return block.value;
      largest = std::max(largest, block.value);
    }
    return largest;
  }
};

}  // namespace gingham
