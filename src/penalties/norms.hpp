// Norms that neither overflow nor underflow, and the small helpers that several penalties share.
#pragma once
#include <algorithm>
#include <cmath>

#include "gingham/base/index.hpp"

namespace gingham::norms {

inline double l1(ConstVec v) {
  double sum = 0.0;
  for (const double x : v) sum += std::abs(x);
  return sum;
}

inline double linf(ConstVec v) {
  double largest = 0.0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  return largest;
}

// The square root of sum_j term(j)^2 over j < size. Where the plain sum of squares leaves the range
// in which it is right to rounding, the terms are scaled by the largest first.
template <class Term>
double l2_of(std::size_t size, const Term& term) {
  constexpr double kSafeLow = 1e-280;
  constexpr double kSafeHigh = 1e280;
  double sum = 0.0;
  for (std::size_t j = 0; j < size; ++j) {
    const double x = term(j);
    sum += x * x;
  }
  if (sum > kSafeLow && sum < kSafeHigh) return std::sqrt(sum);
  double largest = 0.0;
  for (std::size_t j = 0; j < size; ++j) largest = std::max(largest, std::abs(term(j)));
  if (largest == 0.0 || std::isinf(largest)) return largest;
  sum = 0.0;
  for (std::size_t j = 0; j < size; ++j) {
    const double x = term(j) / largest;
    sum += x * x;
  }
  return largest * std::sqrt(sum);
}

inline double l2(ConstVec v) {
  return l2_of(v.size(), [&](std::size_t j) { return v[j]; });
}

inline double sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }

// Soft threshold: argmin_v (v - x)^2 / 2 + threshold |v|.
inline double soft(double x, double threshold) {
  return x > threshold ? x - threshold : x < -threshold ? x + threshold : 0.0;
}

// Distance from x to the interval [low, high].
inline double outside(double x, double low, double high) {
  return x < low ? low - x : x > high ? x - high : 0.0;
}

}  // namespace gingham::norms
