#include "gingham/penalties/group_shrink.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/kernels/l1_ball.hpp"
#include "gingham/kernels/lanes.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kLane = lanes::kWide<double>;

// Sums of squares in this range are right to rounding.
constexpr double kSafeLow = 1e-280, kSafeHigh = 1e280;
constexpr int kMaxNewtonSteps = 100;
constexpr double kNone = -1.0;
constexpr double kNear = 1e-15;  // of a cut: what rounding makes of it
constexpr int kMaxPasses = 40;   // of the search for tau, before it is found by partitioning

GINGHAM_INLINE double total_of(const V& v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}
GINGHAM_INLINE double positive(double x) { return x < 0.0 ? 0.0 : x; }  // NaN stays
GINGHAM_INLINE void add_positive_square(V& sum, const double* p) {
  const V x = wide(p) < 0.0 ? V{} : wide(p);
  sum += x * x;
}

GINGHAM_MULTIARCH double positive_squares(const double* p, Index n) {
  V a{}, b{}, c{}, d{};
  Index j = 0;
  for (; j + 4 * kLane <= n; j += 4 * kLane) {
    add_positive_square(a, p + j);
    add_positive_square(b, p + j + kLane);
    add_positive_square(c, p + j + 2 * kLane);
    add_positive_square(d, p + j + 3 * kLane);
  }
  for (; j + kLane <= n; j += kLane) add_positive_square(a, p + j);
  double rest = 0.0;
  for (; j < n; ++j) rest += positive(p[j]) * positive(p[j]);
  a = (a + b) + (c + d);
  return total_of(a) + rest;
}

GINGHAM_MULTIARCH void scale_positive(double* p, Index n, double factor) {
  for (Index j = 0; j < n; ++j) p[j] = positive(p[j]) * factor;
}
GINGHAM_MULTIARCH void clip(double* p, Index n) {
  for (Index j = 0; j < n; ++j) p[j] = positive(p[j]);
}
GINGHAM_MULTIARCH void cap_positive(double* p, Index n, double tau) {
  for (Index j = 0; j < n; ++j) p[j] = positive(p[j] > tau ? tau : p[j]);
}

// Sum and largest of p_+; both NaN or infinite where an entry is.
struct Extent {
  double sum = 0.0;
  double largest = 0.0;
};
GINGHAM_MULTIARCH void measure(const double* p, Index n, Extent* extent) {
  V sum{}, largest{};
  Index j = 0;
  for (; j + kLane <= n; j += kLane) {
    const V x = wide(p + j) < 0.0 ? V{} : wide(p + j);
    sum += x;
    largest = x > largest ? x : largest;
  }
  extent->sum = total_of(sum);
  for (Index lane = 0; lane < kLane; ++lane) {
    extent->largest = std::max(extent->largest, largest[lane]);
  }
  for (; j < n; ++j) {
    extent->sum += positive(p[j]);
    extent->largest = std::max(extent->largest, positive(p[j]));
  }
}

// Number, weight and weighted gap of the entries whose gap to the largest is below the depth.
struct Above {
  double count = 0.0;
  double weight = 0.0;
  double moment = 0.0;
};
GINGHAM_MULTIARCH void find_above(const double* p, Index n, double largest, double depth,
                                  Above* above) {
  const V one = V{} + 1.0;
  V count{}, moment{}, second_count{}, second_moment{};
  Index j = 0;
  for (; j + 2 * kLane <= n; j += 2 * kLane) {
    const V gap = largest - wide(p + j), second = largest - wide(p + j + kLane);
    count += gap < depth ? one : V{};
    moment += gap < depth ? gap : V{};
    second_count += second < depth ? one : V{};
    second_moment += second < depth ? second : V{};
  }
  count += second_count;
  moment += second_moment;
  above->count = total_of(count);
  above->moment = total_of(moment);
  for (; j < n; ++j) {
    const double gap = largest - p[j];
    above->count += gap < depth ? 1.0 : 0.0;
    above->moment += gap < depth ? gap : 0.0;
  }
  above->weight = above->count;
}
GINGHAM_MULTIARCH void find_above_weighted(const double* p, const double* d, Index n,
                                           double largest, double depth, Above* above) {
  V count{}, weight{}, moment{};
  Index j = 0;
  for (; j + kLane <= n; j += kLane) {
    const V gap = largest - wide(p + j);
    const auto is_above = gap < depth;
    const V own = is_above ? wide(d + j) : V{};
    count += is_above ? V{} + 1.0 : V{};
    weight += own;
    moment += own * gap;
  }
  above->count = total_of(count);
  above->weight = total_of(weight);
  above->moment = total_of(moment);
  for (; j < n; ++j) {
    const double gap = largest - p[j];
    if (!(gap < depth)) continue;
    above->count += 1.0;
    above->weight += d[j];
    above->moment += d[j] * gap;
  }
}

// The depth of the cut below the largest entry: Newton's method from beyond, until the entries
// above the cut stay the same. Negative if it takes too long. find(depth, &above) looks.
template <class Find>
double depth_of(const Find& find, double weight, double depth) {
  double before = kNone;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    Above above;
    find(depth, &above);
    if (above.count == before || above.count == 0.0) return depth;
    before = above.count;
    const double next = (weight + above.moment) / above.weight;
    if (!(next < depth)) return depth;
    depth = next;
  }
  return kNone;
}

void require(bool holds) {
  if (!holds)
    throw Error(ErrorCode::internal, "",
                "prox: the point is not finite, or the curvature negative");
}
// The largest entries of p_+ and of d. Clips p, and makes it 0 where there is no curvature.
struct Extremes {
  double point = 0.0;
  double curvature = 0.0;
};
GINGHAM_MULTIARCH bool clip_where_curved(double* p, const double* d, Index n, Extremes* most) {
  constexpr double kMost = std::numeric_limits<double>::max();
  V largest{}, steepest{}, bad{};
  Index j = 0;
  for (; j + kLane <= n; j += kLane) {
    const V x = wide(p + j) < 0.0 ? V{} : wide(p + j);
    const V own = wide(d + j);
    bad += (x <= kMost && own >= 0.0 && own <= kMost) ? V{} : V{} + 1.0;
    wide(p + j) = own == 0.0 ? V{} : x;
    largest = wide(p + j) > largest ? wide(p + j) : largest;
    steepest = own > steepest ? own : steepest;
  }
  bool is_fine = total_of(bad) == 0.0;
  for (Index lane = 0; lane < kLane; ++lane) {
    most->point = std::max(most->point, largest[lane]);
    most->curvature = std::max(most->curvature, steepest[lane]);
  }
  for (; j < n; ++j) {
    const double x = positive(p[j]);
    is_fine &= x <= kMost && d[j] >= 0.0 && d[j] <= kMost;
    p[j] = d[j] == 0.0 ? 0.0 : x;
    most->point = std::max(most->point, p[j]);
    most->curvature = std::max(most->curvature, d[j]);
  }
  return is_fine;
}
Extremes clip_and_measure(Vec point, ConstVec curvature) {
  if (point.size() != curvature.size()) {
    throw Error(ErrorCode::internal, "", "prox: one curvature per entry is needed");
  }
  Extremes most;
  require(clip_where_curved(point.data(), curvature.data(), std::ssize(point), &most));
  return most;
}

// sum of d p in units of the largest d
GINGHAM_MULTIARCH double pull_of(const double* p, const double* d, Index n, double unit) {
  V sum{};
  Index j = 0;
  for (; j + kLane <= n; j += kLane) sum += wide(p + j) * (wide(d + j) / unit);
  double rest = total_of(sum);
  for (; j < n; ++j) rest += p[j] * (d[j] / unit);
  return rest;
}

double zero(Vec p) {
  std::fill(p.begin(), p.end(), 0.0);
  return 0.0;
}

// |p_+|, where the plain sum of squares is not right.
double careful_length(Vec p) {
  clip(p.data(), std::ssize(p));
  const double length = norm2(p);
  require(std::isfinite(length) || std::isfinite(max_abs(p)));
  return length;
}

// With e_j = weight / d_j: |v_j / (t + e_j)| = 1 at t = |z|. One over that norm rises and is
// concave in t, so Newton's method from the left never oversteps the root.
GINGHAM_MULTIARCH double newton_step(const double* v, const double* e, Index n, double t) {
  V squares{}, slopes{};
  Index j = 0;
  for (; j + kLane <= n; j += kLane) {
    const V inverse = 1.0 / (wide(e + j) + t);
    const V q = wide(v + j) * inverse;
    squares += q * q;
    slopes += q * q * inverse;
  }
  double square = total_of(squares), slope = total_of(slopes);
  for (; j < n; ++j) {
    const double inverse = 1.0 / (e[j] + t);
    const double q = v[j] * inverse;
    square += q * q;
    slope += q * q * inverse;
  }
  return (std::sqrt(square) - 1.0) * square / slope;
}

// p <- p in units of `largest`, e <- weight / d in the same units; returns |d p|^2.
GINGHAM_MULTIARCH double prepare(double* p, const double* d, Index n, double largest,
                                 double steepest, double weight, double* e) {
  V squares{};
  Index j = 0;
  for (; j + kLane <= n; j += kLane) {
    const V own = wide(d + j) / steepest;
    wide(p + j) /= largest;
    const V pull = wide(p + j) * own;
    squares += pull * pull;
    wide(e + j) = own > 0.0 ? weight / own : V{} + 1.0;
  }
  double rest = total_of(squares);
  for (; j < n; ++j) {
    const double own = d[j] / steepest;
    p[j] /= largest;
    rest += (p[j] * own) * (p[j] * own);
    e[j] = own > 0.0 ? weight / own : 1.0;
  }
  return rest;
}
GINGHAM_MULTIARCH void lengthen(double* p, const double* e, Index n, double t, double unit) {
  for (Index j = 0; j < n; ++j) p[j] = unit * (p[j] * (t / (t + e[j])));
}

double root(const double* v, const double* e, Index n) {
  double t = 0.0;  // max (v_j - e_j)_+ is not beyond the root and keeps every quotient <= 1
  for (Index j = 0; j < n; ++j) t = std::max(t, v[j] - e[j]);
  for (int k = 0; k < kMaxNewtonSteps; ++k) {
    const double next = t + newton_step(v, e, n, t);
    if (!(next > t)) break;
    t = next;
  }
  return t;
}

// The cut found as largest - depth is right to the rounding of the largest entry. Where it is much
// smaller, the sums over the entries above it are: tau = (sum d p - weight) / sum d. Without d: 1.
GINGHAM_MULTIARCH void sum_above(const double* p, const double* d, Index n, double tau,
                                 Above* above) {
  V weight{}, moment{};
  Index j = 0;
  for (; j + kLane <= n; j += kLane) {
    const auto is_above = wide(p + j) > tau;
    const V own = is_above ? (d == nullptr ? V{} + 1.0 : wide(d + j)) : V{};
    weight += own;
    moment += is_above ? own * wide(p + j) : V{};
  }
  *above = {0.0, total_of(weight), total_of(moment)};
  for (; j < n; ++j) {
    if (!(p[j] > tau)) continue;
    const double own = d == nullptr ? 1.0 : d[j];
    above->weight += own;
    above->moment += own * p[j];
  }
}
double refined(const double* p, const double* d, Index n, double weight, double tau) {
  constexpr int kSteps = 200;  // from below it rises to the cut, an entry at least per step
  for (int k = 0; k < kSteps; ++k) {
    Above above;
    sum_above(p, d, n, tau, &above);
    const double next = std::max((above.moment - weight) / above.weight, 0.0);
    if (!std::isfinite(next) || std::abs(next - tau) <= kNear * tau) break;
    tau = next;
  }
  return tau;
}

}  // namespace

double shrink_l2(Vec point, double weight) {
  const Index n = std::ssize(point);
  double* p = point.data();
  const double squares = positive_squares(p, n);
  const double length =
      squares > kSafeLow && squares < kSafeHigh ? std::sqrt(squares) : careful_length(point);
  if (!(length > weight)) return zero(point);
  const double factor = 1.0 - weight / length;
  scale_positive(p, n, factor);
  return length * factor;
}

double shrink_linf(Vec point, double weight) {
  const Index n = std::ssize(point);
  double* p = point.data();
  Extent extent;
  measure(p, n, &extent);
  const double largest = extent.largest;
  require(std::isfinite(largest) && !std::isnan(extent.sum));
  if (!(extent.sum > weight)) return zero(point);
  // The depth is at most the weight, which the largest entry alone would use up.
  const auto find = [&](double depth, Above* above) { find_above(p, n, largest, depth, above); };
  double depth = depth_of(find, weight, std::min(weight, largest));
  if (depth < 0.0) {
    clip(p, n);
    depth = l1_threshold(point, weight).depth;
  }
  double tau = largest - depth;
  if (tau < depth) tau = refined(p, nullptr, n, weight, tau);
  cap_positive(p, n, tau);
  return tau;
}

double shrink_l2_weighted(Vec point, ConstVec curvature, double weight, Vec scratch) {
  const Index n = std::ssize(point);
  double* p = point.data();
  double* e = scratch.data();
  const Extremes most = clip_and_measure(point, curvature);
  if (most.point == 0.0) return 0.0;
  // In units of the largest entry and of the largest curvature squares stay in range.
  const double unit_weight = weight / most.curvature / most.point;
  const double squares =
      prepare(p, curvature.data(), n, most.point, most.curvature, unit_weight, e);
  if (!(std::sqrt(squares) > unit_weight)) return zero(point);
  if (weight > 0.0) {
    const double t = root(p, e, n);
    lengthen(p, e, n, t, most.point);
    return most.point * t;
  }
  scale(most.point, point);
  return norm2(point);
}

double shrink_linf_weighted(Vec point, ConstVec curvature, double weight) {
  const Index n = std::ssize(point);
  double* p = point.data();
  const double* d = curvature.data();
  const Extremes most = clip_and_measure(point, curvature);
  const double largest = most.point;
  if (largest == 0.0) return 0.0;
  if (!(pull_of(p, d, n, most.curvature) > weight / most.curvature)) return zero(point);
  const auto find = [&](double depth, Above* above) {
    find_above_weighted(p, d, n, largest, depth, above);
  };
  double depth = depth_of(find, weight, largest);
  if (depth < 0.0) depth = l1_threshold(point, curvature, weight).depth;
  double tau = largest - depth;
  if (tau < depth) tau = refined(p, d, n, weight, tau);
  cap_positive(p, n, tau);
  return tau;
}

}  // namespace gingham
