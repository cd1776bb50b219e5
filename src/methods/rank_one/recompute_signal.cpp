#include "gingham/methods/rank_one/recompute_signal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gingham::methods::rank_one {
namespace {

using Real = long double;
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// A corner: the value just left and just right of x; straight lines between corners.
struct Corner {
  Real x, left, right;
};

struct Rising {
  std::vector<Corner> corners;             // x rising; at least one
  Real slope_before = 0, slope_after = 0;  // outside

  // The smallest x at which the function reaches `level`, -infinity if it always has, +infinity if
  // it never does.
  Real reach(Real level) const {
    const Corner& first = corners.front();
    if (first.left >= level) {
      return slope_before > 0 ? first.x - (first.left - level) / slope_before : -kInfinity;
    }
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (corners[k].right >= level) return corners[k].x;
      if (k + 1 == corners.size()) break;
      const Corner &a = corners[k], &b = corners[k + 1];
      if (b.left >= level) return a.x + (b.x - a.x) * (level - a.right) / (b.left - a.right);
    }
    const Corner& last = corners.back();
    return slope_after > 0 ? last.x + (level - last.right) / slope_after : kInfinity;
  }
  // Adds h x - b + alpha sign(x).
  void add(Real h, Real b, Real alpha) {
    if (alpha > 0) {
      std::size_t at = 0;
      while (at < corners.size() && corners[at].x < 0) ++at;
      if (at == corners.size() || corners[at].x > 0) {
        Real value;
        if (at == 0) {
          value = corners[0].left + slope_before * (0 - corners[0].x);
        } else if (at == corners.size()) {
          value = corners.back().right - slope_after * corners.back().x;
        } else {
          const Corner &a = corners[at - 1], &c = corners[at];
          value = a.right + (c.left - a.right) * (0 - a.x) / (c.x - a.x);
        }
        corners.insert(corners.begin() + static_cast<std::ptrdiff_t>(at), {0, value, value});
      }
    }
    for (Corner& corner : corners) {
      const Real line = h * corner.x - b;
      corner.left += line + (corner.x > 0 ? alpha : -alpha);
      corner.right += line + (corner.x < 0 ? -alpha : alpha);
    }
    slope_before += h;
    slope_after += h;
  }
  // Cuts the values off at +-gamma; low and high are where that begins.
  void clip(Real gamma, Real& low, Real& high) {
    low = reach(-gamma);
    high = kInfinity;
    // The largest x at which it is still at most gamma.
    for (std::size_t k = corners.size(); k-- > 0;) {
      if (k + 1 == corners.size() && corners[k].right <= gamma) {
        high =
            slope_after > 0 ? corners[k].x + (gamma - corners[k].right) / slope_after : kInfinity;
        break;
      }
      if (corners[k].left <= gamma) {
        if (corners[k].right > gamma) {
          high = corners[k].x;
        } else {
          const Corner &a = corners[k], &b = corners[k + 1];
          high = a.x + (b.x - a.x) * (gamma - a.right) / (b.left - a.right);
        }
        break;
      }
      if (k == 0) {
        high =
            slope_before > 0 ? corners[0].x - (corners[0].left - gamma) / slope_before : -kInfinity;
      }
    }
    std::vector<Corner> kept;
    if (low > -kInfinity) kept.push_back({low, -gamma, -gamma});
    for (const Corner& corner : corners) {
      if (corner.x < low || corner.x > high) continue;
      const Corner cut{corner.x, std::clamp(corner.left, -gamma, gamma),
                       std::clamp(corner.right, -gamma, gamma)};
      if (!kept.empty() && kept.back().x == cut.x) {
        kept.back().right = cut.right;
      } else {
        kept.push_back(cut);
      }
    }
    if (high < kInfinity) {
      if (!kept.empty() && kept.back().x == high) {
        kept.back().right = gamma;
      } else {
        kept.push_back({high, gamma, gamma});
      }
    }
    corners = std::move(kept);
    if (low > -kInfinity) slope_before = 0;
    if (high < kInfinity) slope_after = 0;
  }
};

}  // namespace

std::vector<Real> plain_fused(const std::vector<Real>& h, const std::vector<Real>& b,
                              const std::vector<Real>& alpha, Real gamma) {
  const std::size_t t = h.size();
  std::vector<Real> x(t, 0), low(t), high(t);
  // No dual is larger than this, and a larger gamma would only cost digits.
  Real largest = 0;
  for (std::size_t i = 0; i < t; ++i) largest += 2 * std::abs(b[i]) + alpha[i];
  gamma = std::min(gamma, largest);
  Rising f;
  f.corners.push_back({0, 0, 0});
  for (std::size_t i = 0; i < t; ++i) {
    f.add(h[i], b[i], alpha[i]);
    if (i + 1 < t) f.clip(gamma, low[i], high[i]);
  }
  x[t - 1] = f.reach(0);
  if (!std::isfinite(x[t - 1])) x[t - 1] = 0;
  for (std::size_t i = t - 1; i-- > 0;) x[i] = std::max(low[i], std::min(x[i + 1], high[i]));
  return x;
}

Real plain_fusion_bound(const std::vector<Real>& h, const std::vector<Real>& b, Real alpha,
                        Real constant) {
  std::vector<std::size_t> seen;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (h[i] > 0) seen.push_back(i);
  }
  Real bound = 0;
  if (constant != 0) {
    Real partial = 0;
    for (std::size_t k = 0; k + 1 < seen.size(); ++k) {
      const std::size_t i = seen[k];
      partial += b[i] - h[i] * constant - (constant > 0 ? alpha : -alpha);
      bound = std::max(bound, std::abs(partial));
    }
    return bound;
  }
  // Constant zero: what a run of times exceeds alpha by must leave through its ends.
  for (std::size_t from = 0; from < seen.size(); ++from) {
    Real up = 0, down = 0;
    for (std::size_t to = from; to < seen.size(); ++to) {
      up += b[seen[to]] - alpha;
      down += -b[seen[to]] - alpha;
      const int ends = (from > 0 ? 1 : 0) + (to + 1 < seen.size() ? 1 : 0);
      if (ends > 0) bound = std::max({bound, up / ends, down / ends});
    }
  }
  return bound;
}

std::vector<Real> plain_dual_gaps(const std::vector<std::vector<Real>>& b, Real gamma, Real share,
                                  long n_steps) {
  const std::size_t t = b.size(), n = b[0].size();
  std::vector<std::vector<Real>> w(t - 1, std::vector<Real>(n, 0)), v = b;
  const Real cosine = std::cos(std::acos(Real{-1}) / (2 * static_cast<Real>(t)));
  Real half_square = 0, gap = 0;
  for (const std::vector<Real>& time : b) {
    for (const Real x : time) half_square += x * x / 2;
  }
  std::vector<Real> gaps;
  bool is_done = false;
  for (long k = 0; k < n_steps; ++k) {
    if (!is_done) gap = 0;
    for (std::size_t j = 0; j < n && !is_done; ++j) {
      for (std::size_t i = 0; i < t; ++i) {
        v[i][j] = b[i][j] - (i > 0 ? w[i - 1][j] : 0) + (i + 1 < t ? w[i][j] : 0);
      }
      for (std::size_t i = 0; i + 1 < t; ++i) {
        const Real jump = v[i + 1][j] - v[i][j];
        gap += gamma * std::abs(jump) - w[i][j] * jump;
        w[i][j] = std::clamp(w[i][j] + jump / (4 * cosine * cosine), -gamma, gamma);
      }
    }
    is_done = gap <= share * (1 + 1e-9L) * std::max(Real{1}, half_square);
    gaps.push_back(gap);
  }
  return gaps;
}

}  // namespace gingham::methods::rank_one
