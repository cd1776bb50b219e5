// The plain total-variation prox of short signals, several signals in step.
#pragma once
#include "gingham/data/matrix.hpp"

namespace gingham::tv {

inline constexpr Index kLongestShort = 64;

// Signals of t values, 2 <= t <= kLongestShort, with one gamma >= 0.
class ShortProx {
 public:
  ShortProx(Index t, double gamma);

  // Replaces signal j < count, which has its values at a[i * stride + j], by its solution. The bits
  // of a solution depend on its signal alone. Throws Error{internal} when a value is not finite;
  // what was replaced before then stays replaced.
  void solve(double* a, Index stride, Index count) const;

  // What the formulas need for times m = 1 ... t apart.
  struct Scales {
    Index t;
    double gamma;
    double inverse[kLongestShort + 1];  // 1 / m
    double reach[kLongestShort + 1];    // gamma / m
    double width[kLongestShort + 1];    // 2 gamma / m
  };

 private:
  void solve_one(double* a, Index stride) const;

  Scales scales_;
};

}  // namespace gingham::tv
