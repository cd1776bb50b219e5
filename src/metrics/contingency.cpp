#include "gingham/metrics/contingency.hpp"

#include <algorithm>
#include <utility>

namespace gingham {
namespace {

// Each label replaced by its rank among the different labels; returns how many there are of each.
std::vector<Index> number(std::span<const Index> labels, std::vector<Index>& ranks) {
  std::vector<Index> different(labels.begin(), labels.end());
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  std::vector<Index> sizes(different.size(), 0);
  for (const Index label : labels) {
    const Index rank =
        std::lower_bound(different.begin(), different.end(), label) - different.begin();
    ranks.push_back(rank);
    ++sizes[rank];
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
  std::vector<Index> a_ranks, b_ranks;
  result.a_sizes = number(a, a_ranks);
  result.b_sizes = number(b, b_ranks);
  std::vector<std::pair<Index, Index>> pairs(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) pairs[i] = {a_ranks[i], b_ranks[i]};
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
