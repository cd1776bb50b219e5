// What follows from the data alone, once for all restarts.
#pragma once
#include <memory>

#include "gingham/operators/grouped_fit.hpp"

namespace gingham::methods::checkerboard {

using grouped::Cells;
using grouped::Divergence;
using grouped::Groups;
using grouped::PerItem;
using grouped::Profiles;
using grouped::Side;

struct Problem {
  Divergence divergence = Divergence::squares;
  bool keeps_margins = false;    // parts from the averages (squares) or sums of rows and columns
  bool is_distribution = false;  // the objective is divided by the sum of the data
};

// A move counts as better when it gains more than rounding can feign: this share of what the item
// deviates from its fit, plus kTie of its size: its sum of squares, or its sum for information.
// Differences of squares are accurate to the square of the machine's precision where they are
// small, those of logarithms to the precision itself.
inline constexpr double kGain = 1e-9;
inline double tie(Divergence divergence) {
  return divergence == Divergence::squares ? 1e-22 : 1e-12;
}
// A loss of information below this share of the data's sum is rounding, and given as 0.
inline constexpr double kNothing = 1e-20;
// Data whose spread about the fit without groups is below this share of their size have nothing
// that groups could explain.
inline double nothing_to_explain(bool keeps_margins) { return keeps_margins ? 1e-13 : 1e-24; }

struct Prepared {
  Prepared(const Block& block, const Problem& problem, Executor& executor);

  Cells cells;
  Problem problem;
  PerItem parts;
  double mean = 0.0;    // of all cells
  double base = 0.0;    // the best u of all cells as one block
  double weight = 0.0;  // of all cells
  PerItem spread;       // deviations about the base
  // Sums of squares, or sums for information, before any shift; where squares keep the margins,
  // plus the average of them over the items of the side.
  PerItem size;
  double total_spread = 0.0;
  double total_size = 0.0;  // of the data alone

  // Sums of deviations in the units of the objective.
  double in_units(double total) const;
  bool has_spread() const {
    return total_spread > nothing_to_explain(problem.keeps_margins) * total_size;
  }
};

}  // namespace gingham::methods::checkerboard
