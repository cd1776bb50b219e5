// Counts of a two-class decision, and the rates made of them.
//
//   sensitivity = TP / (TP + FN),   specificity = TN / (TN + FP),   balanced accuracy = their mean.
//
// A rate whose denominator is zero is NaN: it says nothing.
#pragma once
#include <span>

#include "gingham/base/index.hpp"

namespace gingham {

struct Confusion {
  Index true_positives = 0;
  Index false_positives = 0;
  Index true_negatives = 0;
  Index false_negatives = 0;

  double sensitivity() const;
  double specificity() const;
  double balanced_accuracy() const;
};

// Items labelled `positive` against all others. Throws Error{usage} where the lengths differ.
Confusion confusion(std::span<const Index> found, std::span<const Index> truth, Index positive = 1);

}  // namespace gingham
