#include "gingham/methods/rank_one/bic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gingham::methods::rank_one {
namespace {

struct Ranked {
  double level;  // alpha_j
  std::size_t unit;
};

double level_of(const Unit& unit) { return unit.curvature * std::abs(unit.z) / unit.cost; }

// What the loss rises by when the unit goes: d = z.
double loss_of(const Unit& unit) { return unit.z * (unit.curvature * unit.z + 2.0 * unit.pull); }

// unit_at(j): unit j of n
template <class UnitAt>
double chosen(std::size_t n, const UnitAt& unit_at, Bic bic, double residual, double variance,
              double cells) {
  const double log_cells = std::log(cells);
  // Of units that stay at x = z each is worth what it explains less log(cells), by itself: those
  // beyond the last that is worth something need not be in order.
  double least = bic == Bic::relaxed ? std::numeric_limits<double>::infinity() : 0.0, most = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    const Unit unit = unit_at(j);
    const double level = level_of(unit);
    if (level > 0.0 && loss_of(unit) > variance * log_cells) least = std::min(least, level);
    most = std::max(most, level);
  }
  least = std::min(least, most);
  std::vector<Ranked> order;
  double beyond = 0.0, gone = 0.0;  // the level after these; the loss of all units that are gone
  for (std::size_t j = 0; j < n; ++j) {
    const Unit unit = unit_at(j);
    const double level = level_of(unit);
    if (!(level > 0.0)) continue;
    gone += loss_of(unit);
    if (level >= least) {
      order.push_back({level, j});
    } else {
      beyond = std::max(beyond, level);
    }
  }
  std::sort(order.begin(), order.end(),
            [](const Ranked& a, const Ranked& b) { return a.level > b.level; });
  // A kept unit has d = alpha r, r = cost / H: their loss is alpha^2 sum H r^2 + 2 alpha sum r p,
  // p = sign(z) pull.
  double quadratic = 0.0, linear = 0.0, best = 0.0, best_level = 0.0;
  for (std::size_t k = 1; k <= order.size(); ++k) {
    const Unit unit = unit_at(order[k - 1].unit);
    const double ratio = unit.cost / unit.curvature;
    const double level = k < order.size() ? order[k].level : beyond;
    gone = level == 0.0 ? 0.0 : gone - loss_of(unit);
    quadratic += unit.cost * ratio;
    linear += 2.0 * ratio * std::copysign(1.0, unit.z) * unit.pull;
    const double shortened = bic == Bic::shrunk ? level * (level * quadratic + linear) : 0.0;
    const double value =
        (residual + shortened + gone) / variance + static_cast<double>(k) * log_cells;
    if (k > 1 && !(value < best)) continue;
    best = value;
    best_level = level;
  }
  return best_level;
}

}  // namespace

double l1_by_bic(const std::vector<Unit>& units, Bic bic, double residual, double variance,
                 double cells) {
  const auto unit_at = [&](std::size_t j) { return units[j]; };
  return chosen(units.size(), unit_at, bic, residual, variance, cells);
}

double l1_by_bic(ConstVec z, Curvature h, ConstVec cost, Bic bic, double residual, double variance,
                 double cells) {
  if (cost.empty() && h.is_even()) {
    const auto plain = [z, all = h[0]](std::size_t j) { return Unit{z[j], all}; };
    return chosen(z.size(), plain, bic, residual, variance, cells);
  }
  const auto unit_at = [&](std::size_t j) {
    return Unit{z[j], h[j], cost.empty() ? 1.0 : cost[j]};
  };
  return chosen(z.size(), unit_at, bic, residual, variance, cells);
}

}  // namespace gingham::methods::rank_one
