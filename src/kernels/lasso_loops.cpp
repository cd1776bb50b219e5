#include "gingham/kernels/lasso_loops.hpp"

#include <cmath>

#include "gingham/kernels/lanes.hpp"

namespace gingham::lasso {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kLane = lanes::kWide<double>;

GINGHAM_INLINE double dot_of(const double* x, const double* y, Index stride) {
  V a{}, b{}, c{}, d{};
  Index i = 0;
  for (; i + 4 * kLane <= stride; i += 4 * kLane) {
    a += wide(x + i) * wide(y + i);
    b += wide(x + i + kLane) * wide(y + i + kLane);
    c += wide(x + i + 2 * kLane) * wide(y + i + 2 * kLane);
    d += wide(x + i + 3 * kLane) * wide(y + i + 3 * kLane);
  }
  for (; i < stride; i += kLane) a += wide(x + i) * wide(y + i);
  a = (a + b) + (c + d);
  return lanes::total<double>(a);
}

GINGHAM_INLINE void add_of(double factor, const double* x, double* y, Index stride) {
  for (Index i = 0; i < stride; i += kLane) wide(y + i) += factor * wide(x + i);
}

GINGHAM_MULTIARCH double distance_of(const double* x, const double* y, Index stride) {
  V sum{};
  for (Index i = 0; i < stride; i += kLane) {
    const V difference = wide(x + i) - wide(y + i);
    sum += difference * difference;
  }
  return lanes::total<double>(sum);
}

GINGHAM_MULTIARCH double dot_alone(const double* x, const double* y, Index stride) {
  return dot_of(x, y, stride);
}
// The same order of adding for all of them, wherever they stand in the list.
GINGHAM_MULTIARCH void listed_dots_of(const double* atoms, Index stride, const Index* list, Index n,
                                      const double* x, double* out) {
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    const double* d[4] = {atoms + list[i] * stride, atoms + list[i + 1] * stride,
                          atoms + list[i + 2] * stride, atoms + list[i + 3] * stride};
    V sums[4] = {};
    for (Index k = 0; k < stride; k += kLane) {
      GINGHAM_UNROLL
      for (int a = 0; a < 4; ++a) sums[a] += wide(d[a] + k) * wide(x + k);
    }
    for (int a = 0; a < 4; ++a) out[i + a] = lanes::total<double>(sums[a]);
  }
  for (; i < n; ++i) {
    const double* d = atoms + list[i] * stride;
    V sum{};
    for (Index k = 0; k < stride; k += kLane) sum += wide(d + k) * wide(x + k);
    out[i] = lanes::total<double>(sum);
  }
}

// most <- max(most, |x| + factor y) in each lane.
GINGHAM_INLINE void raise(V& most, const double* x, double factor, const double* y) {
  const V size = wide(x) < 0.0 ? -wide(x) : wide(x);
  const V bound = size + factor * wide(y);
  most = bound > most ? bound : most;
}

GINGHAM_INLINE double largest_of(const V& v) {
  const auto a = __builtin_shufflevector(v, v, 0, 1, 2, 3);
  const auto b = __builtin_shufflevector(v, v, 4, 5, 6, 7);
  const auto c = a > b ? a : b;
  const double first = c[0] > c[1] ? c[0] : c[1], second = c[2] > c[3] ? c[2] : c[3];
  return first > second ? first : second;
}

GINGHAM_MULTIARCH double largest_size_of(const double* values, Index n) {
  V most{};
  Index j = 0;
  for (; j + kLane <= n; j += kLane) raise(most, values + j, 0.0, values + j);
  double largest = largest_of(most);
  for (; j < n; ++j) largest = std::fabs(values[j]) > largest ? std::fabs(values[j]) : largest;
  return largest;
}

// Blocks without a hit, which are most of them, cost one comparison.
GINGHAM_MULTIARCH Index list_above_of(const double* values, const double* slopes, double factor,
                                      double threshold, Index n, Index* list) {
  constexpr Index kBlock = 2 * kLane;
  Index found = 0;
  for (Index from = 0; from < n; from += kBlock) {
    const Index to = from + kBlock < n ? from + kBlock : n;
    if (to - from == kBlock) {
      V most{};
      raise(most, values + from, factor, slopes + from);
      raise(most, values + from + kLane, factor, slopes + from + kLane);
      if (!(largest_of(most) > threshold)) continue;
    }
    for (Index j = from; j < to; ++j) {
      list[found] = j;
      found += std::fabs(values[j]) + factor * slopes[j] > threshold ? 1 : 0;
    }
  }
  return found;
}

// Four at a time: the sum stays in registers for so long.
GINGHAM_MULTIARCH void subtract_of(const double* atoms, Index stride, const Index* list,
                                   const double* factors, Index n, double* y) {
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    const double* d[4] = {atoms + list[i] * stride, atoms + list[i + 1] * stride,
                          atoms + list[i + 2] * stride, atoms + list[i + 3] * stride};
    for (Index k = 0; k < stride; k += kLane) {
      wide(y + k) -= (factors[i] * wide(d[0] + k) + factors[i + 1] * wide(d[1] + k)) +
                     (factors[i + 2] * wide(d[2] + k) + factors[i + 3] * wide(d[3] + k));
    }
  }
  for (; i < n; ++i) add_of(-factors[i], atoms + list[i] * stride, y, stride);
}

GINGHAM_MULTIARCH void descend_of(const double* atoms, const double* squares,
                                  const double* inverses, Index stride, const Index* list, Index n,
                                  double lambda, Index room, double* values, double* residual) {
  for (Index i = 0; i < n; ++i) {
    const double* atom = atoms + list[i] * stride;
    const double square = squares[list[i]], old = values[i];
    const double pull = dot_of(atom, residual, stride) + square * old;
    const double excess = std::fabs(pull) - lambda;
    double fresh = 0.0;
    if (excess > 0.0) fresh = (pull > 0.0 ? excess : -excess) * inverses[list[i]];
    if (fresh == old || (old == 0.0 && room <= 0)) continue;
    room += (fresh == 0.0 ? 1 : 0) - (old == 0.0 ? 1 : 0);
    add_of(old - fresh, atom, residual, stride);
    values[i] = fresh;
  }
}

}  // namespace

double dot(const double* x, const double* y, Index stride) { return dot_alone(x, y, stride); }
double distance(const double* x, const double* y, Index stride) {
  return std::sqrt(distance_of(x, y, stride));
}
double largest_size(const double* values, Index n) { return largest_size_of(values, n); }
void subtract(const Atoms<double>& atoms, const Index* list, const double* factors, Index n,
              double* y) {
  subtract_of(atoms.row(0), atoms.stride(), list, factors, n, y);
}
void listed_dots(const Atoms<double>& atoms, const Index* list, Index n, const double* x,
                 double* out) {
  listed_dots_of(atoms.row(0), atoms.stride(), list, n, x, out);
}
void list_above(const double* values, const std::vector<double>& slopes, double factor,
                double threshold, std::vector<Index>& list) {
  const auto n = static_cast<Index>(slopes.size());
  list.resize(slopes.size() + 1);
  list.resize(static_cast<std::size_t>(
      list_above_of(values, slopes.data(), factor, threshold, n, list.data())));
}
void descend(const Atoms<double>& atoms, const Index* list, Index n, double lambda, Index room,
             double* values, double* residual) {
  descend_of(atoms.row(0), atoms.squares(), atoms.inverses(), atoms.stride(), list, n, lambda, room,
             values, residual);
}

}  // namespace gingham::lasso
