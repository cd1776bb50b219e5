// Sums and products carried in two doubles, for what is left where sums cancel: about 32 digits.
//
//   a + b = s + e exactly (Knuth),   a b = p + e exactly (by a fused multiply-add)
#pragma once
#include <cmath>

#include "gingham/kernels/cancellation.hpp"

namespace gingham {

struct DoubleDouble {
  double high = 0.0, low = 0.0;

  explicit operator double() const { return high + low; }

  DoubleDouble& operator+=(double x) {
    const double sum = high + x, back = sum - high;
    return settle(sum, low + ((high - (sum - back)) + (x - back)));
  }
  DoubleDouble& operator+=(const DoubleDouble& x) {
    *this += x.high;
    low += x.low;
    return *this;
  }
  DoubleDouble& operator-=(const DoubleDouble& x) { return *this += DoubleDouble{-x.high, -x.low}; }
  DoubleDouble& operator*=(double x) {
    const double product = high * x;
    return settle(product, std::fma(high, x, -product) + low * x);
  }
  DoubleDouble& operator*=(const DoubleDouble& x) {
    const double product = high * x.high;
    return settle(product, std::fma(high, x.high, -product) + (high * x.low + low * x.high));
  }

 private:
  DoubleDouble& settle(double sum, double rest) {
    high = sum + rest;
    low = rest - (high - sum);
    return *this;
  }
};

inline DoubleDouble product_of(double x, double y) {
  DoubleDouble product{x, 0.0};
  return product *= y;
}

}  // namespace gingham
