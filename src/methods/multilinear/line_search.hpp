// A step further along the line from the previous iterate through the present one.
//
//   phi(s) = cost at present + s (present - previous), factors and weights all together
//
// While no entry leaves the box or changes sign phi is a polynomial of degree 2(N+1). Products with
// the data are needed for N - 2 points only: Y(s), the products of all modes but the last, has
// degree N - 1, and is known at s = 0 and s = -1. The point is clipped into the box and taken where
// its cost is lower than the present one.
#pragma once
#include <string>

#include "gingham/methods/multilinear/solver.hpp"

namespace gingham::methods::multilinear {

enum class LineSearch {
  none,
  grid,          // the best of many equally spaced steps
  backtracking,  // a long step, halved until the cost is lower
  polynomial,    // least point of the polynomial (through samples where signs change)
  majorize,      // from there: |x| below the parabola that touches it, until it stays
};

LineSearch line_search_named(const std::string& name);

// Where a sweep ended: the factors and the products of the last mode.
struct Iterate {
  Factors factors;
  Matrix last;
  double rounding = 1.0;  // of `last`, see Solver::rounding

  template <class Archive>
  void state(Archive& ar) {
    ar("factors", factors)("last", last)("rounding", rounding);
  }
};

// Moves the solver on if that lowers the cost. Returns the step, 0 where none was taken.
double search_line(LineSearch kind, const Iterate& previous, Solver& solver, Executor& executor);

}  // namespace gingham::methods::multilinear
