// For recomputations: who is to be chosen, by sorting all there are.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gingham/base/error.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/plain/sums.hpp"

namespace gingham::methods::multiview {

using plain::Real;
using plain::Reals;

inline constexpr Real kRounding = 64 * std::numeric_limits<double>::epsilon();

// --rows or --columns: a count, a share of the items, at least 1 and at most all; auto as it was
// used.
inline void resolve(const std::vector<PenaltyValue>& asked, std::size_t at, Index n_items,
                    double& count) {
  if (asked.size() > 1 && at >= asked.size())
    throw Error(ErrorCode::input, "options", "a number is asked for fewer items than there are");
  const PenaltyValue& one = asked[asked.size() > 1 ? at : 0];
  const auto n = static_cast<double>(n_items);
  if (one.kind == PenaltyValue::Kind::number) count = one.number;
  if (one.kind == PenaltyValue::Kind::percent) count = std::round(one.number / 100.0 * n);
  count = std::clamp(count, std::min(1.0, n), n);
}

// A row or column: whether it is a member, and what it explains with its best and its own value.
struct Candidate {
  bool is_in = false;
  Real best = 0, now = 0;
  Reals missed = {};  // best - now of a row, per view
};

inline Real without_rounding(Real come, Real go) {
  return come - go > kRounding * (come + go) ? come - go : 0;
}

// What the best `count` explain beyond the members, all with their best values. Members stay unless
// others explain more than `stay` times as much.
inline Real exchanged(std::vector<Candidate> all, double count, Real stay) {
  Real come = 0, go = 0;
  const auto rank = [&](const Candidate& one) { return one.is_in ? stay * one.best : one.best; };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Candidate& a, const Candidate& b) { return rank(a) > rank(b); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_best = static_cast<double>(i) < count && all[i].best > 0;
    if (is_best && !all[i].is_in) come += all[i].best;
    if (!is_best && all[i].is_in) go += all[i].best;
  }
  return without_rounding(come, go);
}

}  // namespace gingham::methods::multiview
