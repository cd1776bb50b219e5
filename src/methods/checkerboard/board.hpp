// Row groups, column groups and the levels of their blocks, and one half of an iteration: with the
// groups of one side and all levels fixed, every item of the other side goes to its best group;
// then every level becomes the best one. Neither raises the objective.
//
// Cost of a half: one pass over the data, and items x groups x groups of the other side.
#pragma once
#include "gingham/methods/checkerboard/problem.hpp"

namespace gingham::methods::checkerboard {

struct Board {
  Groups rows, columns;
  Matrix u;        // row groups x column groups; the base where a block has no weight
  Matrix weights;  // of the blocks

  const Groups& of(Side side) const { return side == Side::rows ? rows : columns; }
  Groups& of(Side side) { return side == Side::rows ? rows : columns; }

  template <class Archive>
  void state(Archive& ar) {
    ar("rows", rows)("columns", columns)("u", u)("weights", weights);
  }
};

// Levels and weights from the profiles of one side, summed over its groups.
void set_levels(const Prepared& prepared, Side side, const Profiles& profiles, Board& board);

// One half of an iteration; returns how many items moved. An item stays where it is unless another
// group is better by more than rounding; of several best ones it goes to the first. A group without
// weight (empty, or of items without any) is not chosen by others: afterwards it takes over the
// item that deviates most from its block levels, the first of them, from a group of two or more
// such items; where that gains nothing it stays as it is.
Index reassign(const Prepared& prepared, Side side, Board& board, Executor& executor);

// How many items of the side would move to a better group.
Index misplaced(const Prepared& prepared, Side side, const Board& board, Executor& executor);

// Deviations explained by the levels: weight * d(level, base), summed over a row group's blocks.
std::vector<double> explained_by_rows(const Prepared& prepared, const Board& board);

// The total deviation: directly, or as what the levels leave of the spread, which cancels where
// they leave little.
double direct_loss(const Prepared& prepared, const Board& board, Executor& executor);
double running_loss(const Prepared& prepared, const Board& board);

// The averages of the blocks in the units of the data; the average of all where a block has no
// cells.
Matrix block_means(const Prepared& prepared, const Board& board);

}  // namespace gingham::methods::checkerboard
