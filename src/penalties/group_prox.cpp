#include "gingham/penalties/group_prox.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/penalties/group_shrink.hpp"
#include "gingham/penalties/groups.hpp"

namespace gingham {
namespace {

constexpr int kMaxPasses = 1000;
constexpr Index kFewEntries = 1000;  // of groups together: a set that small gets more passes
constexpr int kMostPasses = 20000;
constexpr int kIdle = 50;  // passes that may bring the gap no lower
// Of the objective, and of the largest sqrt(d) p: a gap alone leaves entries as far off as its
// root.
constexpr double kGap = 1e-14;
constexpr double kMove = 1e-12;
constexpr double kStill = 4e-16;  // where only rounding is left
constexpr double kSpeck = 1e-7;   // of the largest entry
constexpr double kEven = 1e-13;   // objectives nearer than this count as equal

std::size_t to_size(Index n) { return static_cast<std::size_t>(n); }

void clip(Vec z) {
  for (double& x : z) x = x < 0.0 ? 0.0 : x;  // NaN stays
}

double power_of_two_below(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent - 1);
}

}  // namespace

GroupProx::GroupProx(Index size, std::vector<std::vector<Index>> groups,
                     std::vector<double> weights, GroupNorm norm)
    : size_(size), norm_(norm) {
  std::map<std::vector<Index>, Index> known;
  std::vector<std::vector<Index>> shaping;
  std::size_t largest = 0;
  Index n_dual = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<Index>& own = groups[g];
    if (weights[g] > 0.0 && !own.empty()) {
      const auto [same, is_new] = known.try_emplace(own, static_cast<Index>(g));
      if (is_new) {
        order_.push_back(static_cast<Index>(g));
        shaping.push_back(own);
      } else {
        groups_[same->second].weight += std::exchange(weights[g], 0.0);
      }
    }
    const bool is_run = !own.empty() && own.back() - own.front() + 1 == std::ssize(own);
    largest = std::max(largest, own.size());
    groups_.push_back({std::move(own), weights[g], n_dual, is_run});
    n_dual += std::ssize(groups_.back().positions);
  }
  std::stable_sort(order_.begin(), order_.end(), [&](Index a, Index b) {
    return groups_[a].positions.size() < groups_[b].positions.size();
  });
  is_laminar_ = are_laminar(shaping, size);
  is_whole_ = order_.size() == 1 && std::ssize(shaping[0]) == size;
  own_.resize(largest);
  scratch_.resize(2 * largest);
  own_curvature_.resize(largest);
  const std::size_t n = to_size(size);
  point_.resize(n);
  curvature_.resize(n);
  rival_.resize(n);
  dual_.resize(to_size(n_dual));
  weights_.resize(groups_.size());
  is_zero_.resize(groups_.size());
}

double GroupProx::norm(Index group, ConstVec z) const {
  const Group& own = groups_[group];
  if (own.positions.empty()) return 0.0;
  if (own.is_run) {
    const ConstVec entries = z.subspan(to_size(own.positions[0]), own.positions.size());
    return norm_ == GroupNorm::two ? norm2(entries) : max_abs(entries);
  }
  const Index* at = own.positions.data();
  const double* values = z.data();
  double largest = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < own.positions.size(); ++i) {
    const double x = std::abs(values[at[i]]);
    largest = std::max(largest, x);
    squares += x * x;
  }
  if (norm_ == GroupNorm::infinity || largest == 0.0) return largest;
  if (squares > 1e-280 && squares < 1e280) return std::sqrt(squares);
  squares = 0.0;
  for (std::size_t i = 0; i < own.positions.size(); ++i) {
    const double x = values[at[i]] / largest;
    squares += x * x;
  }
  return largest * std::sqrt(squares);
}

double GroupProx::value(ConstVec z) const {
  double sum = 0.0;
  for (const Index g : order_) sum += groups_[g].weight * norm(g, z);
  return sum;
}

Vec GroupProx::part(const Group& group, Vec z) {
  const std::size_t n = group.positions.size();
  if (group.is_run) return z.subspan(to_size(group.positions[0]), n);
  const Index* at = group.positions.data();
  for (std::size_t i = 0; i < n; ++i) own_.data()[i] = z.data()[at[i]];
  return Vec(own_).first(n);
}

void GroupProx::put_back(const Group& group, ConstVec entries, Vec z) const {
  if (group.is_run) return;
  const Index* at = group.positions.data();
  for (std::size_t i = 0; i < entries.size(); ++i) z.data()[at[i]] = entries.data()[i];
}

double GroupProx::shrink(Vec entries, double weight) {
  return norm_ == GroupNorm::two ? shrink_l2(entries, weight) : shrink_linf(entries, weight);
}

void GroupProx::prox(Vec z, double curvature) {
  if (curvature == 0.0) return std::fill(z.begin(), z.end(), 0.0);
  if (is_whole_) {
    shrink(z, groups_[order_[0]].weight / curvature);
  } else if (is_laminar_) {
    compose(z, curvature);
  } else {
    for (const Index g : order_) weights_[g] = groups_[g].weight / curvature;
    ascend(z, {});
  }
}

void GroupProx::compose(Vec z, double curvature) {
  clip(z);
  for (const Index g : order_) {
    const Vec entries = part(groups_[g], z);
    shrink(entries, groups_[g].weight / curvature);
    put_back(groups_[g], entries, z);
  }
}

void GroupProx::prox_weighted(Vec z, ConstVec curvature) {
  if (is_whole_) {
    const double weight = groups_[order_[0]].weight;
    norm_ == GroupNorm::two ? shrink_l2_weighted(z, curvature, weight, scratch_)
                            : shrink_linf_weighted(z, curvature, weight);
    return;
  }
  for (const Index g : order_) weights_[g] = groups_[g].weight;
  ascend(z, curvature);
}

// Point and curvature in units of their largest entries, the weights with them: nothing leaves the
// range of a double. A weight that makes its group 0 whatever the others do need not be larger.
void GroupProx::scale(Vec z, ConstVec curvature) {
  double largest = 0.0, steepest = 0.0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double d = curvature.empty() ? 1.0 : curvature[j];
    if (!(z[j] <= std::numeric_limits<double>::max())) {
      throw Error(ErrorCode::internal, "", "prox: the point is not finite");
    }
    z[j] = d > 0.0 && z[j] > 0.0 ? z[j] : 0.0;
    curvature_[j] = d;
    largest = std::max(largest, z[j]);
    steepest = std::max(steepest, d);
  }
  reach_ = 0.0;
  unit_ = largest > 0.0 ? power_of_two_below(largest) : 1.0;
  const double curvature_unit = steepest > 0.0 ? power_of_two_below(steepest) : 1.0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    z[j] /= unit_;
    point_[j] = z[j];
    curvature_[j] /= curvature_unit;
    reach_ = std::max(reach_, std::sqrt(curvature_[j]) * z[j]);
  }
  for (const Index g : order_) {
    const double enough = 8.0 * static_cast<double>(groups_[g].positions.size());
    weights_[g] = std::min(weights_[g] / curvature_unit / unit_, enough);
  }
}

void GroupProx::ascend(Vec z, ConstVec curvature) {
  scale(z, curvature);
  std::fill(dual_.begin(), dual_.end(), 0.0);
  gap_ = 0.0;
  double best = std::numeric_limits<double>::infinity();
  int best_at = 0;
  const int last = std::ssize(dual_) <= kFewEntries ? kMostPasses : kMaxPasses;
  for (passes_ = 1; passes_ <= last; ++passes_) {
    double move = 0.0;
    for (const Index g : order_) move = std::max(move, step(groups_[g], weights_[g], z));
    const double size = objective(z);
    gap_ = size > 0.0 ? dual_gap(z) / size : 0.0;
    if (gap_ < best) {
      best = gap_;
      best_at = passes_;
    }
    const bool is_low = gap_ <= kGap || passes_ - best_at > kIdle;
    if ((is_low && move <= kMove * reach_) || move <= kStill * reach_) break;
  }
  passes_ = std::min(passes_, last);
  clear_specks(z);
  for (double& x : z) x *= unit_;
}

// The best xi of one group with the others as they are; returns the largest change of sqrt(d) z.
double GroupProx::step(const Group& group, double weight, Vec z) {
  const std::size_t n = group.positions.size();
  const Index* at = group.positions.data();
  double* xi = dual_.data() + group.first_dual;
  double* entries = own_.data();
  double* d = own_curvature_.data();
  for (std::size_t i = 0; i < n; ++i) {
    d[i] = curvature_.data()[at[i]];
    entries[i] = z.data()[at[i]] + (d[i] > 0.0 ? xi[i] / d[i] : 0.0);
    xi[i] = entries[i];  // for the moment: the point of this step
  }
  const Vec own = Vec(own_).first(n);
  const ConstVec own_d = ConstVec(own_curvature_).first(n);
  const double length = norm_ == GroupNorm::two ? shrink_l2_weighted(own, own_d, weight, scratch_)
                                                : shrink_linf_weighted(own, own_d, weight);
  is_zero_[&group - groups_.data()] = length == 0.0;
  double move = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    xi[i] = d[i] * (xi[i] - entries[i]);
    const double change = z.data()[at[i]] - entries[i];
    move = std::max(move, d[i] * change * change);
    z.data()[at[i]] = entries[i];
  }
  return std::sqrt(move);
}

double GroupProx::objective(ConstVec z) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double off = z[j] - point_[j];
    sum += 0.5 * curvature_[j] * off * off;
  }
  for (const Index g : order_) sum += weights_[g] * norm(g, z);
  return sum;
}

double GroupProx::dual_gap(ConstVec z) const {
  double sum = 0.0;
  for (const Index g : order_) {
    const Index* at = groups_[g].positions.data();
    const double* xi = dual_.data() + groups_[g].first_dual;
    double product = 0.0;
    for (std::size_t i = 0; i < groups_[g].positions.size(); ++i)
      product += xi[i] * z.data()[at[i]];
    sum += weights_[g] * norm(g, z) - product;
  }
  return std::max(sum, 0.0);
}

// A group that its own step made 0 is 0 in the limit, but the steps of others leave specks in it;
// and what is as small as the square root of the gap cannot be told from 0. Without them, if that
// costs nothing.
void GroupProx::clear_specks(Vec z) {
  const double before = objective(z);
  for (const double speck : {kSpeck, 0.0}) {
    std::copy(z.begin(), z.end(), rival_.begin());
    for (const Index g : order_) {
      if (is_zero_[g] == 0 && !(norm(g, z) < speck)) continue;
      for (const Index j : groups_[g].positions) rival_[j] = 0.0;
    }
    const double after = objective(rival_);
    if (after > before * (1.0 + kEven)) continue;
    std::copy(rival_.begin(), rival_.end(), z.begin());
    gap_ = after > 0.0 ? std::max((gap_ - 1.0) * (before / after) + 1.0, 0.0) : 0.0;
    return;
  }
}

}  // namespace gingham
