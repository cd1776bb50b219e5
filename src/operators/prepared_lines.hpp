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

// Of one line: the terms with a factor that is not zero, and what centring takes away.
struct PreparedMatrix::Line {
  std::vector<double> factors;
  std::vector<const double*> others;
  double shift = 0.0;
  const double* shifts = nullptr;

  void set(const std::vector<Outer>& outer, Index line) {
    factors.clear();
    others.clear();
    shift = 0.0;
    for (const Outer& one : outer) {
      const double factor = one.weight * one.own[line];
      if (one.is_centring) {
        shift = factor;
        shifts = one.other;
      } else if (factor != 0.0) {
        factors.push_back(factor);
        others.push_back(one.other);
      }
    }
  }
  double terms(Index at) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < factors.size(); ++k) sum += factors[k] * others[k][at];
    return sum;
  }
  double centring(Index at) const { return shift == 0.0 ? 0.0 : shift * shifts[at]; }
};

}  // namespace gingham
