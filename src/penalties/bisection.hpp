// The smallest weight at which something holds, where it holds at every larger one.
#pragma once

namespace gingham {

// `enough` is a weight at which it holds. The answer holds, and one smaller by a share of 1e-9 of
// `enough` does not. 0 where it holds without any weight.
template <class Holds>
double smallest_weight(double enough, const Holds& holds) {
  constexpr double kShare = 1e-9;
  if (!(enough > 0.0) || holds(0.0)) return 0.0;
  double too_small = 0.0;
  while (enough - too_small > kShare * enough) {
    const double middle = too_small + 0.5 * (enough - too_small);
    (holds(middle) ? enough : too_small) = middle;
  }
  return enough;
}

}  // namespace gingham
