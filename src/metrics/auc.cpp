#include "gingham/metrics/auc.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace gingham {

double auc(ConstVec scores, std::span<const Index> labels, Index positive) {
  if (scores.size() != labels.size()) {
    throw Error(ErrorCode::usage, "",
                std::to_string(scores.size()) + " scores compared with " +
                    std::to_string(labels.size()) + " labels");
  }
  std::vector<std::pair<double, bool>> items;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (std::isnan(scores[i])) throw Error(ErrorCode::input, "", "a score is not a number");
    items.emplace_back(scores[i], labels[i] == positive);
  }
  std::sort(items.begin(), items.end());
  double below = 0.0, wins = 0.0, positives = 0.0;  // negatives below, pairs won, positives so far
  for (std::size_t i = 0; i < items.size();) {
    double tied_positives = 0.0, tied_negatives = 0.0;
    for (const double score = items[i].first; i < items.size() && items[i].first == score; ++i) {
      (items[i].second ? tied_positives : tied_negatives) += 1.0;
    }
    wins += tied_positives * (below + 0.5 * tied_negatives);
    below += tied_negatives;
    positives += tied_positives;
  }
  if (positives == 0.0 || below == 0.0) {
    throw Error(ErrorCode::usage, "", "the area under the curve needs items of both classes");
  }
  return wins / positives / below;
}

}  // namespace gingham
