#include "gingham/kernels/vector_ops.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/lanes.hpp"

namespace gingham {
namespace {

using lanes::total;
using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kLane = lanes::kWide<double>;

// Sums of squares outside of this range are taken again with scaled entries: below, squares that
// underflowed could matter; above, the sum has overflowed or is about to.
constexpr double kSafeLow = 0x1p-900;
constexpr double kSafeHigh = 0x1p+1000;

// sum over i of term(x_i, y_i): four accumulators of eight lanes, then one, then the rest one by
// one.
template <class Term>
GINGHAM_INLINE double accumulate(const double* x, const double* y, Index n, const Term& term) {
  V a{}, b{}, c{}, d{};
  Index i = 0;
  for (; i + 4 * kLane <= n; i += 4 * kLane) {
    term.add(a, x + i, y + i);
    term.add(b, x + i + kLane, y + i + kLane);
    term.add(c, x + i + 2 * kLane, y + i + 2 * kLane);
    term.add(d, x + i + 3 * kLane, y + i + 3 * kLane);
  }
  for (; i + kLane <= n; i += kLane) term.add(a, x + i, y + i);
  double rest = 0.0;
  for (; i < n; ++i) rest += term.one(x[i], y[i]);
  a = (a + b) + (c + d);
  return total<double>(a) + rest;
}

struct Product {
  GINGHAM_INLINE void add(V& to, const double* x, const double* y) const {
    to += wide(x) * wide(y);
  }
  GINGHAM_INLINE double one(double x, double y) const { return x * y; }
};
struct SquaredDifference {
  GINGHAM_INLINE void add(V& to, const double* x, const double* y) const {
    const V d = wide(x) - wide(y);
    to += d * d;
  }
  GINGHAM_INLINE double one(double x, double y) const { return (x - y) * (x - y); }
};
struct Plain {
  GINGHAM_INLINE void add(V& to, const double* x, const double*) const { to += wide(x); }
  GINGHAM_INLINE double one(double x, double) const { return x; }
};
struct Absolute {
  GINGHAM_INLINE void add(V& to, const double* x, const double*) const {
    to += wide(x) < 0.0 ? -wide(x) : wide(x);
  }
  GINGHAM_INLINE double one(double x, double) const { return std::fabs(x); }
};
struct ScaledSquare {
  double factor;
  GINGHAM_INLINE void add(V& to, const double* x, const double*) const {
    const V s = wide(x) * factor;
    to += s * s;
  }
  GINGHAM_INLINE double one(double x, double) const { return (x * factor) * (x * factor); }
};

GINGHAM_MULTIARCH double dot_of(const double* x, const double* y, Index n) {
  return accumulate(x, y, n, Product{});
}
GINGHAM_MULTIARCH double squared_distance_of(const double* x, const double* y, Index n) {
  return accumulate(x, y, n, SquaredDifference{});
}
GINGHAM_MULTIARCH double sum_of(const double* x, Index n) { return accumulate(x, x, n, Plain{}); }
GINGHAM_MULTIARCH double sum_abs_of(const double* x, Index n) {
  return accumulate(x, x, n, Absolute{});
}
GINGHAM_MULTIARCH double scaled_squares_of(const double* x, Index n, double factor) {
  return accumulate(x, x, n, ScaledSquare{factor});
}
GINGHAM_MULTIARCH void axpy_of(double factor, const double* x, double* y, Index n) {
  for (Index i = 0; i < n; ++i) y[i] += factor * x[i];
}
GINGHAM_MULTIARCH void scale_of(double factor, double* x, Index n) {
  for (Index i = 0; i < n; ++i) x[i] *= factor;
}

// The largest |x_i|, or a NaN if there is one.
GINGHAM_MULTIARCH double max_abs_of(const double* x, Index n) {
  const V zero{};
  V most{}, nans{};
  Index i = 0;
  for (; i + kLane <= n; i += kLane) {
    const V value = wide(x + i), size = value < 0.0 ? -value : value;
    most = size > most ? size : most;
    nans += value == value ? zero : value;
  }
  double largest = 0.0, nan = total<double>(nans);
  for (Index lane = 0; lane < kLane; ++lane) largest = std::max(largest, most[lane]);
  for (; i < n; ++i) {
    largest = std::max(largest, std::fabs(x[i]));
    if (x[i] != x[i]) nan = x[i];
  }
  return nan != nan ? nan : largest;
}

Index size_of(ConstVec x) { return static_cast<Index>(x.size()); }

Index same_size(ConstVec x, ConstVec y) {
  if (x.size() != y.size()) throw Error(ErrorCode::internal, "", "vectors of different sizes");
  return size_of(x);
}

}  // namespace

double dot(ConstVec x, ConstVec y) { return dot_of(x.data(), y.data(), same_size(x, y)); }
double squared_distance(ConstVec x, ConstVec y) {
  return squared_distance_of(x.data(), y.data(), same_size(x, y));
}
double sum(ConstVec x) { return sum_of(x.data(), size_of(x)); }
double sum_abs(ConstVec x) { return sum_abs_of(x.data(), size_of(x)); }
double sum_squares(ConstVec x) { return dot_of(x.data(), x.data(), size_of(x)); }

double max_abs(ConstVec x) { return max_abs_of(x.data(), size_of(x)); }

double norm2(ConstVec x) {
  const double plain = sum_squares(x);
  if (plain >= kSafeLow && plain <= kSafeHigh) return std::sqrt(plain);
  const double largest = max_abs(x);
  if (largest == 0.0 || !std::isfinite(largest)) return largest;
  // The factor stays within the range of a double; 2^1000 is enough for the smallest subnormals.
  int exponent = 0;
  std::frexp(largest, &exponent);
  const int first = std::clamp(-exponent, -1000, 1000);
  const double scaled = scaled_squares_of(x.data(), size_of(x), std::ldexp(1.0, first));
  return std::ldexp(std::sqrt(scaled), -first);
}

void axpy(double factor, ConstVec x, Vec y) {
  axpy_of(factor, x.data(), y.data(), same_size(x, y));
}
void scale(double factor, Vec x) { scale_of(factor, x.data(), size_of(x)); }

bool is_zero(ConstVec x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return value == 0.0; });
}

}  // namespace gingham
