#include "gingham/penalties/group_norms.hpp"

#include "gingham/kernels/isa.hpp"
#include "gingham/penalties/bisection.hpp"

namespace gingham {
namespace {

// The values of these items, copied to `own` where they do not lie side by side.
ConstVec gathered(ConstVec values, const std::vector<Index>& items, std::vector<double>& own) {
  const bool is_run = !items.empty() && items.back() - items.front() + 1 == std::ssize(items);
  if (is_run) return values.subspan(static_cast<std::size_t>(items.front()), items.size());
  own.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    own[i] = values[static_cast<std::size_t>(items[i])];
  return own;
}

Curvature gathered(Curvature h, const std::vector<Index>& items, std::vector<double>& each) {
  return h.is_even() ? h : Curvature(gathered(h.each(), items, each));
}

constexpr double kMost = 1e300;

// z_j = (b_j - l1) inverse, from 0 to kMost.
GINGHAM_MULTIARCH
void clip(const double* b, Index n, double l1, double inverse, double* z) {
  for (Index j = 0; j < n; ++j) {
    const double free = (b[j] - l1) * inverse, most = free < kMost ? free : kMost;
    z[j] = most > 0.0 ? most : 0.0;
  }
}

GINGHAM_MULTIARCH
bool is_nonnegative(const double* z, Index n) {
  constexpr Index kLanes = 8;
  double sign[kLanes] = {};
  Index j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    for (Index lane = 0; lane < kLanes; ++lane) sign[lane] = z[j + lane] >= 0.0 ? sign[lane] : -1.0;
  }
  for (; j < n; ++j) sign[0] = z[j] >= 0.0 ? sign[0] : -1.0;
  bool holds = true;
  for (const double one : sign) holds = holds && one == 0.0;
  return holds;
}

// The groups of one connected set.
class GroupSet final : public Penalty {
 public:
  GroupSet(std::vector<std::vector<Index>> positions, std::vector<double> weights, Index size,
           GroupNorm norm, EntryRule entry)
      : positions_(std::move(positions)),
        weights_(std::move(weights)),
        norm_(norm),
        entry_(entry),
        prox_(size, positions_, weights_, norm) {}

  PenaltyTraits traits() const override {
    return {.is_nonnegative = entry_.is_nonnegative(), .is_homogeneous = true};
  }
  double value(ConstVec z, Curvature h = 1.0) const override {
    const bool is_plain = !entry_.has_weight() && entry_.is_nonnegative() && !entry_.is_boxed();
    const double entries = !is_plain                                 ? entry_.value(z, h)
                           : is_nonnegative(z.data(), std::ssize(z)) ? 0.0
                                                                     : kInfinity;
    return entries == kInfinity ? entries : prox_.value(z) + entries;
  }
  void minimise(ConstVec b, Curvature h, Vec z) const override {
    require_problem(b, h, z);
    if (h.is_even() && h[0] > 0.0 && entry_.is_nonnegative()) {
      clip(b.data(), std::ssize(z), entry_.l1, std::min(1.0 / h[0], kMost), z.data());
      return prox_.prox(z, h[0]);
    }
    std::vector<double> signs;
    if (!entry_.is_nonnegative()) signs.resize(z.size());
    for (std::size_t j = 0; j < z.size(); ++j) {
      double pulled = entry_.pulled(b[j], h[j]);
      if (!signs.empty()) {
        signs[j] = norms::sign(pulled);
        pulled = std::abs(pulled);
      }
      z[j] = h[j] > 0.0 ? std::clamp(pulled / h[j], -kMost, kMost) : 0.0;
    }
    h.is_even() ? prox_.prox(z, h[0]) : prox_.prox_weighted(z, h.each());
    for (std::size_t j = 0; j < signs.size(); ++j) z[j] *= signs[j];
  }
  // The smallest factor of the weights at which all items that are in a group with weight are zero.
  double smallest_zero(ConstVec b, Curvature h) const override {
    std::vector<double> size(b.size()), room;
    std::vector<std::uint8_t> is_covered(b.size(), 0);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const double pulled = entry_.pulled(b[j], h[j]);
      size[j] = entry_.is_nonnegative() ? std::max(pulled, 0.0) : std::abs(pulled);
    }
    // Enough: every group could carry all of its items alone.
    double enough = 0.0;
    std::size_t n_groups = 0;
    for (std::size_t s = 0; s < positions_.size(); ++s) {
      if (!(weights_[s] > 0.0)) continue;
      ++n_groups;
      const ConstVec own = gathered(ConstVec(size), positions_[s], room);
      const double dual = norm_ == GroupNorm::two ? norms::l2(own) : norms::l1(own);
      enough = std::max(enough, dual / weights_[s]);
      for (const Index j : positions_[s]) is_covered[static_cast<std::size_t>(j)] = 1;
    }
    if (n_groups < 2) return enough;
    std::vector<double> z(b.size());
    return smallest_weight(enough, [&](double factor) {
      if (factor == 0.0) return !(norms::linf(size) > 0.0);
      times(factor)->minimise(b, h, z);
      for (std::size_t j = 0; j < z.size(); ++j) {
        if (is_covered[j] != 0 && z[j] != 0.0) return false;
      }
      return true;
    });
  }
  // The norms alone: L1 stays as it is for smallest_zero, which asks for their weight.
  std::unique_ptr<Penalty> times(double c) const override {
    std::vector<double> weights = weights_;
    for (double& w : weights) w *= c;
    return std::make_unique<GroupSet>(positions_, std::move(weights), prox_.size(), norm_, entry_);
  }

 private:
  std::vector<std::vector<Index>> positions_;
  std::vector<double> weights_;
  GroupNorm norm_;
  EntryRule entry_;
  mutable GroupProx prox_;
};

}  // namespace

GroupNorms::GroupNorms(std::shared_ptr<const Groups> groups, double weight, GroupNorm norm,
                       EntryRule entry, std::vector<double> relative)
    : groups_(std::move(groups)),
      weight_(weight),
      norm_(norm),
      entry_(entry),
      relative_(std::move(relative)) {
  const auto relative_of = [&](Index g) {
    return relative_.empty() ? 1.0 : relative_[static_cast<std::size_t>(g)];
  };
  std::vector<Index> place(static_cast<std::size_t>(groups_->n_items()), -1);
  for (const ConnectedSet& set : groups_->connected_sets()) {
    std::vector<std::vector<Index>> positions;
    std::vector<double> weights;
    for (std::size_t i = 0; i < set.items.size(); ++i) {
      place[static_cast<std::size_t>(set.items[i])] = static_cast<Index>(i);
    }
    for (const Index g : set.groups) {
      if (!(relative_of(g) > 0.0)) continue;
      positions.emplace_back();
      for (const Index item : groups_->members(g)) {
        positions.back().push_back(place[static_cast<std::size_t>(item)]);
      }
      weights.push_back(weight_ * relative_of(g));
    }
    if (positions.empty()) {
      others_.insert(others_.end(), set.items.begin(), set.items.end());
      continue;
    }
    sets_.push_back({set.items, std::make_shared<GroupSet>(std::move(positions), std::move(weights),
                                                           std::ssize(set.items), norm_, entry_)});
  }
  const std::vector<Index>& alone = groups_->items_in_no_group();
  others_.insert(others_.end(), alone.begin(), alone.end());
}

double GroupNorms::value(ConstVec z, Curvature h) const {
  double sum = 0.0;
  std::vector<double> each, own;
  for (const Part& set : sets_)
    sum += set.penalty->value(gathered(z, set.items, own), gathered(h, set.items, each));
  for (const Index j : others_) {
    const auto at = static_cast<std::size_t>(j);
    sum += entry_.value(z.subspan(at, 1), h[at]);
  }
  return sum;
}

void GroupNorms::minimise(ConstVec b, Curvature h, Vec z) const {
  require_problem(b, h, z);
  std::vector<double> each, pull, own;
  for (const Index j : others_) {
    const auto at = static_cast<std::size_t>(j);
    z[at] = entry_.minimiser(b[at], h[at]);
  }
  for (const Part& set : sets_) {
    own.resize(set.items.size());
    set.penalty->minimise(gathered(b, set.items, pull), gathered(h, set.items, each), own);
    for (std::size_t i = 0; i < own.size(); ++i) z[static_cast<std::size_t>(set.items[i])] = own[i];
  }
}

double GroupNorms::smallest_zero(ConstVec b, Curvature h) const {
  if (weight_ != 1.0)  // in units of the relative weights
    return GroupNorms(groups_, 1.0, norm_, entry_, relative_).smallest_zero(b, h);
  double most = 0.0;
  std::vector<double> each, own;
  for (const Part& set : sets_) {
    most = std::max(most, set.penalty->smallest_zero(gathered(b, set.items, own),
                                                     gathered(h, set.items, each)));
  }
  return most;
}

std::vector<Penalty::Part> GroupNorms::parts(Index) const { return sets_; }

}  // namespace gingham
