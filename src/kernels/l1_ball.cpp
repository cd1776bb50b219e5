#include "gingham/kernels/l1_ball.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace gingham {
namespace {

struct Item {
  double gap;
  double weight;
};

void require(bool holds, const char* message) {
  if (!holds) throw Error(ErrorCode::internal, "", message);
}

void check(ConstVec x, double radius) {
  require(radius >= 0.0, "l1 ball: the radius is negative or not a number");
  bool finite = true;
  for (const double value : x) finite &= std::abs(value) <= std::numeric_limits<double>::max();
  require(finite, "l1 ball: a value is not finite");
}

// The depth. Invariant: items before `items` are known to be above the threshold, and their weights
// and weighted gaps are in (weight, moment); items after them are known to be below.
double depth_of(std::vector<Item>& all, double radius) {
  Item* begin = all.data();
  Item* end = begin + all.size();
  double weight = 0.0;
  double moment = 0.0;
  std::uint64_t state =
      0x9e3779b97f4a7c15u;  // any fixed start: pivots must not follow the data's order
  while (begin < end) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double pivot = begin[(state >> 33) % static_cast<std::uint64_t>(end - begin)].gap;
    // [smaller | equal | larger]
    Item* const equal = std::partition(begin, end, [&](const Item& i) { return i.gap < pivot; });
    Item* const larger = std::partition(equal, end, [&](const Item& i) { return i.gap == pivot; });
    double inside_weight = weight;
    double inside_moment = moment;
    for (const Item* i = begin; i < equal; ++i) {
      inside_weight += i->weight;
      inside_moment += i->weight * i->gap;
    }
    // Filling up to the pivot's level takes this much; the pivot is above the threshold if the
    // radius has more.
    if (inside_weight * pivot - inside_moment < radius) {
      for (const Item* i = equal; i < larger; ++i) {
        inside_weight += i->weight;
        inside_moment += i->weight * i->gap;
      }
      weight = inside_weight;
      moment = inside_moment;
      begin = larger;
    } else {
      end = equal;
    }
  }
  return weight > 0.0 ? (radius + moment) / weight : 0.0;
}

}  // namespace

L1Threshold l1_threshold(ConstVec x, double radius) {
  check(x, radius);
  require(!x.empty(), "l1 ball: nothing to project");
  L1Threshold result{*std::max_element(x.begin(), x.end()), 0.0};
  std::vector<Item> items(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) items[j] = {result.largest - x[j], 1.0};
  result.depth = depth_of(items, radius);
  return result;
}

L1Threshold l1_threshold(ConstVec x, ConstVec weights, double radius) {
  check(x, radius);
  check(weights, radius);
  require(x.size() == weights.size(), "l1 ball: sizes differ");
  L1Threshold result{-std::numeric_limits<double>::infinity(), 0.0};
  std::vector<Item> items;
  items.reserve(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    require(weights[j] >= 0.0, "l1 ball: a weight is negative");
    if (weights[j] > 0.0) result.largest = std::max(result.largest, x[j]);
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (weights[j] > 0.0) items.push_back({result.largest - x[j], weights[j]});
  }
  require(!items.empty(), "l1 ball: no positive weight");
  result.depth = depth_of(items, radius);
  return result;
}

}  // namespace gingham
