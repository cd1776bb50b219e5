// What is taken away from a prepared matrix, line by line (of rows or of columns): for prepared.cpp
// and prepared_squares.cpp.
#pragma once
#include "gingham/operators/prepared.hpp"

namespace gingham {

// c own other^T, as the lines of one side see it.
struct PreparedMatrix::Outer {
  double weight;
  const double *own, *other;
  bool is_centring = false;
};

// The terms of one line with a factor that is not zero, centring not among them.
struct PreparedMatrix::Line {
  std::vector<double> factors;
  std::vector<const double*> others;

  void set(const std::vector<Outer>& outer, Index line) {
    factors.clear();
    others.clear();
    for (const Outer& one : outer) {
      const double factor = one.weight * one.own[line];
      if (one.is_centring || factor == 0.0) continue;
      factors.push_back(factor);
      others.push_back(one.other);
    }
  }
  double terms(Index at) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < factors.size(); ++k) sum += factors[k] * others[k][at];
    return sum;
  }
};

}  // namespace gingham
