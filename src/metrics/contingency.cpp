#include "gingham/metrics/contingency.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace gingham {
namespace {

// Each label replaced by its class, numbered as they first occur; returns how many there are of
// each.
std::vector<Index> number(std::span<const Index> labels, std::vector<Index>& classes) {
  std::unordered_map<Index, Index> numbers;
  std::vector<Index> sizes;
  for (const Index label : labels) {
    const Index which = numbers.try_emplace(label, std::ssize(sizes)).first->second;
    if (which == std::ssize(sizes)) sizes.push_back(0);
    classes.push_back(which);
    ++sizes[which];
  }
  return sizes;
}

}  // namespace

Contingency contingency(std::span<const Index> a, std::span<const Index> b) {
  if (a.size() != b.size()) {
    throw Error(ErrorCode::usage, "",
                std::to_string(a.size()) + " labels compared with " + std::to_string(b.size()) +
                    ": they must be as many");
  }
  if (a.empty()) throw Error(ErrorCode::usage, "", "there are no labels to compare");
  Contingency result;
  result.n_items = static_cast<Index>(a.size());
  std::vector<Index> a_classes, b_classes;
  result.a_sizes = number(a, a_classes);
  result.b_sizes = number(b, b_classes);
  std::vector<std::pair<Index, Index>> pairs(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) pairs[i] = {a_classes[i], b_classes[i]};
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i] != pairs[i - 1]) {
      result.cells.push_back({pairs[i].first, pairs[i].second, 0});
    }
    ++result.cells.back().count;
  }
  return result;
}

}  // namespace gingham
