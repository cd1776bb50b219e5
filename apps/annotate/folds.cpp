#include "annotate/folds.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gingham::annotate {
namespace {

// The items of each label, in random order.
std::array<std::vector<Index>, 2> shuffled_classes(std::span<const Index> labels, Rng& rng) {
  std::array<std::vector<Index>, 2> classes;
  for (const Index i : rng.permutation(std::ssize(labels)))
    classes[labels[i] == 1 ? 1 : 0].push_back(i);
  return classes;
}

void sort(std::vector<Split>& splits) {
  for (Split& split : splits) {
    std::sort(split.training.begin(), split.training.end());
    std::sort(split.test.begin(), split.test.end());
  }
}

}  // namespace

Index rarer_count(std::span<const Index> labels) {
  const Index n_ones = std::count(labels.begin(), labels.end(), 1);
  return std::min(n_ones, std::ssize(labels) - n_ones);
}

std::vector<Split> stratified_folds(std::span<const Index> labels, Index count, Rng rng) {
  std::vector<Split> splits(static_cast<std::size_t>(count));
  Index turn = 0;  // goes on from one class to the next, so that all parts are about as large
  for (const std::vector<Index>& items : shuffled_classes(labels, rng)) {
    for (const Index item : items) {
      for (Index k = 0; k < count; ++k) {
        Split& split = splits[static_cast<std::size_t>(k)];
        (k == turn % count ? split.test : split.training).push_back(item);
      }
      ++turn;
    }
  }
  sort(splits);
  return splits;
}

std::vector<Split> stratified_cuts(std::span<const Index> labels, Index count, double fraction,
                                   Rng rng) {
  std::vector<Split> splits(static_cast<std::size_t>(count));
  for (Split& split : splits) {
    for (const std::vector<Index>& items : shuffled_classes(labels, rng)) {
      const Index n = std::ssize(items);
      const Index n_training = std::clamp<Index>(
          static_cast<Index>(std::llround(fraction * static_cast<double>(n))), 1, n - 1);
      split.training.insert(split.training.end(), items.begin(), items.begin() + n_training);
      split.test.insert(split.test.end(), items.begin() + n_training, items.end());
    }
  }
  sort(splits);
  return splits;
}

}  // namespace gingham::annotate
