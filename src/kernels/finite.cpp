#include "gingham/kernels/finite.hpp"

#include <limits>

#include "gingham/kernels/lanes.hpp"

namespace gingham {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kLane = lanes::kWide<double>;
constexpr double kMost = std::numeric_limits<double>::max();

// Whether all lie in [low, kMost].
GINGHAM_MULTIARCH bool all_within(const double* x, Index n, double low) {
  Index j = 0;
  if (n >= kLane) {
    V outside{};
    const V one = V{} + 1.0;
    for (; j + kLane <= n; j += kLane) {
      const V value = wide(x + j);
      outside = (value >= low && value <= kMost) ? outside : one;
    }
    if (lanes::total<double>(outside) != 0.0) return false;
  }
  bool holds = true;
  for (; j < n; ++j) holds &= (x[j] >= low) & (x[j] <= kMost);
  return holds;
}

}  // namespace

bool is_finite(ConstVec x) { return all_within(x.data(), static_cast<Index>(x.size()), -kMost); }
bool is_finite_nonnegative(ConstVec x) {
  return all_within(x.data(), static_cast<Index>(x.size()), 0.0);
}

}  // namespace gingham
