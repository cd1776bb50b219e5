#include "gingham/kernels/finite.hpp"

#include <limits>

#include "gingham/kernels/lanes.hpp"

namespace gingham {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kLane = lanes::kWide<double>;
constexpr double kMost = std::numeric_limits<double>::max();

// x - x is 0 for a finite number, and no number for others.
GINGHAM_MULTIARCH bool all_finite(const double* x, Index n) {
  double rest = 0.0;
  Index j = 0;
  if (n >= kLane) {
    V a{}, b{};
    for (; j + 2 * kLane <= n; j += 2 * kLane) {
      a += wide(x + j) - wide(x + j);
      b += wide(x + j + kLane) - wide(x + j + kLane);
    }
    for (; j + kLane <= n; j += kLane) a += wide(x + j) - wide(x + j);
    a += b;
    rest = lanes::total<double>(a);
  }
  for (; j < n; ++j) rest += x[j] - x[j];
  return rest == 0.0;
}

// Whether all lie in [0, kMost].
GINGHAM_MULTIARCH bool all_nonnegative(const double* x, Index n) {
  Index j = 0;
  if (n >= kLane) {
    V outside{};
    const V one = V{} + 1.0;
    for (; j + kLane <= n; j += kLane) {
      const V value = wide(x + j);
      outside = (value >= 0.0 && value <= kMost) ? outside : one;
    }
    if (lanes::total<double>(outside) != 0.0) return false;
  }
  bool holds = true;
  for (; j < n; ++j) holds &= (x[j] >= 0.0) & (x[j] <= kMost);
  return holds;
}

}  // namespace

bool is_finite(ConstVec x) { return all_finite(x.data(), static_cast<Index>(x.size())); }
bool is_finite_nonnegative(ConstVec x) {
  return all_nonnegative(x.data(), static_cast<Index>(x.size()));
}

}  // namespace gingham
