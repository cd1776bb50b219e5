// Which items train and which test, each class in its share.
#pragma once
#include <span>
#include <vector>

#include "gingham/base/rng.hpp"

namespace gingham::annotate {

struct Split {
  std::vector<Index> training, test;  // positions in the list of items, rising
};

// `count` parts of almost equal size in which each class has almost equal shares; part k is the
// k-th split's test. Labels are 0 or 1. Requires 2 <= count <= items of either class.
std::vector<Split> stratified_folds(std::span<const Index> labels, Index count, Rng rng);

// `count` random cuts; of each class round(fraction * n) items train, at least one and not all.
// Requires two items of each class.
std::vector<Split> stratified_cuts(std::span<const Index> labels, Index count, double fraction,
                                   Rng rng);

// How many items have the rarer label.
Index rarer_count(std::span<const Index> labels);

}  // namespace gingham::annotate
