// What a single entry obeys, whatever the others do:
//
//   g(z) = l1 |z| + ridge z^2 / 2   if low <= z <= high,   +infinity otherwise       low <= 0 <=
//   high
//
//   argmin of h z^2 / 2 - b z + g(z)  =  soft(b, l1) / (h + ridge), clipped;  0 where h = 0
//
// Clipping the free minimiser of a convex function of one number is exact. Members that look at
// several entries at once hold one of these for what entries pay by themselves.
#pragma once
#include <algorithm>

#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham {

struct EntryRule {
  double l1 = 0.0;
  double ridge = 0.0;
  double low = -kInfinity;
  double high = kInfinity;

  double minimiser(double b, double h) const {
    if (!(h > 0.0)) return 0.0;
    return std::clamp(norms::soft(b, l1) / (h + ridge), low, high);
  }
  double value(double z) const {
    return low <= z && z <= high ? l1 * std::abs(z) + 0.5 * ridge * z * z : kInfinity;
  }
  // Over a column; entries that were not observed pay nothing but must lie in the domain.
  double value(ConstVec z, Curvature h) const {
    double sum = 0.0;
    if (!has_weight()) {
      bool is_inside = true;
      for (const double x : z) is_inside &= (low <= x) & (x <= high);
      return is_inside ? 0.0 : kInfinity;
    }
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double own = value(z[j]);
      sum += own == kInfinity ? own : h[j] > 0.0 ? own : 0.0;
    }
    return sum;
  }
  // b with what L1 takes away: the problem without L1 has the same minimiser where the rest of the
  // penalty is an absolute norm, and where entries are at least 0.
  double pulled(double b, double h) const { return h > 0.0 ? norms::soft(b, l1) : 0.0; }
  // The same, where entries are at least 0 and lie in order: b may be below 0.
  double lowered(double b, double h) const { return h > 0.0 ? b - l1 : 0.0; }

  bool is_nonnegative() const { return low == 0.0; }
  bool is_boxed() const { return high < kInfinity || (low < 0.0 && low > -kInfinity); }
  bool is_bounded() const { return low > -kInfinity && high < kInfinity; }
  bool has_weight() const { return l1 > 0.0 || ridge > 0.0; }
  bool is_free() const { return !has_weight() && low == -kInfinity && !is_boxed(); }
  // The same with magnitudes of at most `most`.
  EntryRule within(double most) const {
    return {l1, ridge, std::max(low, -most), std::min(high, most)};
  }
  EntryRule times(double c) const { return {c * l1, c * ridge, low, high}; }

  // The smallest l1 at which the minimiser is all zero.
  double smallest_zero(ConstVec b, Curvature h) const {
    double most = 0.0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (h[j] > 0.0) most = std::max({most, high > 0.0 ? b[j] : 0.0, low < 0.0 ? -b[j] : 0.0});
    }
    return most;
  }
};

}  // namespace gingham
