#include "gingham/penalties/members/top.hpp"

#include <cmath>
#include <functional>
#include <limits>

namespace gingham {
namespace {

// What entry j lowers the objective by when it goes from 0 to z.
double gain(const EntryRule& entry, double b, double h, double z) {
  return z == 0.0 ? 0.0 : z * (b - 0.5 * h * z) - entry.value(z);
}

// The root of the same for the minimiser z, which stays in range wherever z does.
double root_of_gain(const EntryRule& entry, double b, double h, double z) {
  const double size = std::abs(z), steep = 0.5 * (h + entry.ridge);
  return std::sqrt(size) * std::sqrt(std::max(std::abs(b) - entry.l1 - steep * size, 0.0));
}

Index count_nonzeros(ConstVec z) {
  return std::count_if(z.begin(), z.end(), [](double x) { return x != 0.0; });
}

}  // namespace

std::vector<std::uint8_t> largest_gains(ConstVec gains, Index k) {
  std::vector<std::uint8_t> is_chosen(gains.size(), 0);
  const auto n = static_cast<Index>(gains.size());
  if (k <= 0 || n == 0) return is_chosen;
  double least = 0.0;  // of those that are chosen
  Index ties = 0;      // how many that gain just as much may be chosen
  if (k < n) {
    std::vector<double> sorted(gains.begin(), gains.end());
    std::nth_element(sorted.begin(), sorted.begin() + (k - 1), sorted.end(), std::greater<>());
    least = std::max(sorted[static_cast<std::size_t>(k - 1)], 0.0);
    ties = k;
    for (const double one : gains) ties -= one > least;
  }
  for (std::size_t j = 0; j < gains.size(); ++j) {
    if (gains[j] > least) {
      is_chosen[j] = 1;
    } else if (gains[j] == least && least > 0.0 && ties > 0) {
      is_chosen[j] = 1;
      --ties;
    }
  }
  return is_chosen;
}

double TopK::value(ConstVec z, Curvature h) const {
  return count_nonzeros(z) <= k_ ? entry_.value(z, h) : kInfinity;
}

void TopK::minimise(ConstVec b, Curvature h, Vec z) const {
  require_problem(b, h, z);
  std::vector<double> gains(z.size()), best(z.size());
  bool is_in_range = true;
  for (std::size_t j = 0; j < z.size(); ++j) {
    best[j] = entry_.minimiser(b[j], h[j]);
    gains[j] = std::max(gain(entry_, b[j], h[j], best[j]), 0.0);
    is_in_range &= best[j] == 0.0 || (gains[j] >= std::numeric_limits<double>::min() &&
                                      gains[j] <= std::numeric_limits<double>::max());
  }
  // Squares that leave the range: their roots have the same order.
  for (std::size_t j = 0; j < z.size() && !is_in_range; ++j)
    gains[j] = root_of_gain(entry_, b[j], h[j], best[j]);
  std::copy(best.begin(), best.end(), z.begin());
  const std::vector<std::uint8_t> is_chosen = largest_gains(gains, k_);
  for (std::size_t j = 0; j < z.size(); ++j) {
    if (is_chosen[j] == 0) z[j] = 0.0;
  }
}

// Twice what the objective at z is above the least one: on the entries of z their distances from
// their own minimisers, and what the best choice gains beyond that of z.
double TopK::gap(ConstVec z, ConstVec b, Curvature h) const {
  if (!(value(z, h) < kInfinity)) return kInfinity;
  std::vector<double> best(z.size());
  minimise(b, h, best);
  double lost = 0.0, excess = 0.0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double at_own = entry_.minimiser(b[j], h[j]);
    if (z[j] != 0.0) {
      // At a bound or across 0 the objective rises faster than the square alone.
      const double off = z[j] - at_own;
      const double more =
          off * (0.5 * h[j] * (z[j] + at_own) - b[j]) + entry_.value(z[j]) - entry_.value(at_own);
      lost += std::max(h[j] * off * off, 2.0 * more);
    }
    if (best[j] != 0.0 && z[j] == 0.0) excess += gain(entry_, b[j], h[j], best[j]);
    if (best[j] == 0.0 && z[j] != 0.0) excess -= gain(entry_, b[j], h[j], at_own);
  }
  return std::sqrt(lost + 2.0 * std::max(excess, 0.0));
}

}  // namespace gingham
