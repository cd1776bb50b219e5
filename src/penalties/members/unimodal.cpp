#include "gingham/penalties/members/unimodal.hpp"

namespace gingham {
namespace {

// Rising regression of items one after the other: sum_j h_j z_j^2 / 2 - b_j z_j least over z_0 <=
// z_1
// <= ..., levels below `least` raised to it. Items without curvature join what came before them, or
// what follows where nothing did.
class Rising {
 public:
  Rising(std::size_t n, double least) : least_(least) { pools_.reserve(n); }

  // Returns the least objective over the items so far.
  double add(double b, double h) {
    Pool own{b, h, 1, 0.0};
    while (!pools_.empty() && (pools_.back().h == 0.0 || !(level(pools_.back()) < level(own)))) {
      own.b += pools_.back().b;
      own.h += pools_.back().h;
      own.size += pools_.back().size;
      pools_.pop_back();
    }
    own.cost = (pools_.empty() ? 0.0 : pools_.back().cost) + cost(own);
    pools_.push_back(own);
    return own.cost;
  }

  // The levels of the items so far, handed to place(index, level).
  template <class Place>
  void levels(const Place& place) const {
    std::size_t at = 0;
    for (const Pool& pool : pools_) {
      const double own = pool.h > 0.0 ? std::max(pool.b / pool.h, least_) : 0.0;
      for (std::size_t i = 0; i < pool.size; ++i) place(at++, own);
    }
  }

 private:
  struct Pool {
    double b, h;
    std::size_t size;
    double cost;  // of all pools up to this one
  };
  // Without curvature a pool has no level of its own: it joins its neighbour.
  static double level(const Pool& pool) { return pool.h > 0.0 ? pool.b / pool.h : -kInfinity; }
  double cost(const Pool& pool) const {
    if (!(pool.h > 0.0)) return 0.0;
    const double own = std::max(pool.b / pool.h, least_);
    return own * (0.5 * pool.h * own - pool.b);
  }

  double least_;
  std::vector<Pool> pools_;
};

// The problem in plain numbers: L1 taken from b, unobserved items without b.
struct Bump {
  std::vector<double> b;
  Curvature h;
  double least;

  Bump(const EntryRule& entry, ConstVec given, Curvature curvature)
      : b(given.size()), h(curvature), least(entry.low) {
    for (std::size_t j = 0; j < b.size(); ++j) b[j] = entry.lowered(given[j], h[j]);
  }
  std::size_t size() const { return b.size(); }

  // The least objective with items [0, split) rising and the others falling, for every split.
  std::vector<double> costs() const {
    std::vector<double> total(size() + 1, 0.0);
    Rising left(size(), least), right(size(), least);
    for (std::size_t j = 0; j < size(); ++j) total[j + 1] += left.add(b[j], h[j]);
    for (std::size_t j = size(); j-- > 0;) total[j] += right.add(b[j], h[j]);
    return total;
  }
  void fill(std::size_t split, Vec z) const {
    Rising left(split, least), right(size() - split, least);
    for (std::size_t j = 0; j < split; ++j) left.add(b[j], h[j]);
    for (std::size_t j = size(); j-- > split;) right.add(b[j], h[j]);
    left.levels([&](std::size_t at, double level) { z[at] = level; });
    right.levels([&](std::size_t at, double level) { z[size() - 1 - at] = level; });
  }
};

// The items whose values may be the largest: [first, last] of a z that rises and falls, or first >
// last where it does not.
struct Peak {
  std::size_t first = 1, last = 0;
};
Peak peak_of(ConstVec z) {
  std::size_t up = 0;
  while (up + 1 < z.size() && z[up] <= z[up + 1]) ++up;
  std::size_t down = z.size() - 1;
  while (down > 0 && z[down] <= z[down - 1]) --down;
  return {down, up};
}

}  // namespace

double Unimodal::value(ConstVec z, Curvature h) const {
  if (z.empty()) return 0.0;
  const Peak peak = peak_of(z);
  return peak.first <= peak.last ? entry_.value(z, h) : kInfinity;
}

void Unimodal::minimise(ConstVec b, Curvature h, Vec z) const {
  require_problem(b, h, z);
  if (z.empty()) return;
  const Bump bump(entry_, b, h);
  const std::vector<double> costs = bump.costs();
  const auto best = std::min_element(costs.begin(), costs.end());
  bump.fill(static_cast<std::size_t>(best - costs.begin()), z);
}

// With its own place of the peak the problem is convex: the distance to that minimiser, and what
// the best place would gain.
double Unimodal::gap(ConstVec z, ConstVec b, Curvature h) const {
  if (!(value(z, h) < kInfinity)) return kInfinity;
  if (z.empty()) return 0.0;
  const Bump bump(entry_, b, h);
  const std::vector<double> costs = bump.costs();
  const Peak peak = peak_of(z);
  // A split after item j - 1 fits a peak at j - 1 or j.
  std::size_t own = peak.first;
  for (std::size_t split = peak.first; split <= peak.last + 1; ++split) {
    if (costs[split] < costs[own]) own = split;
  }
  std::vector<double> best(z.size());
  bump.fill(own, best);
  double squares = 0.0, more = 0.0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double off = z[j] - best[j];
    squares += h[j] * off * off;
    more += off * (0.5 * h[j] * (z[j] + best[j]) - bump.b[j]);
  }
  const double gain = costs[own] - *std::min_element(costs.begin(), costs.end());
  return std::sqrt(std::max(squares, 2.0 * more) + 2.0 * std::max(gain, 0.0));
}

}  // namespace gingham
