// The best one-to-one assignment of rows to columns:  max  sum over assigned pairs of weight(i, j).
//
// Shortest augmenting paths with dual prices (Jonker and Volgenant 1987; Crouse 2016 for
// rectangles): O(m^2 n) for m = min(rows, cols), n = max(rows, cols).
#pragma once
#include <vector>

#include "gingham/data/matrix.hpp"

namespace gingham {

struct Assignment {
  std::vector<Index> column_of;  // per row; -1 where the row got none (only if rows > cols)
  double total = 0.0;            // sum of the assigned costs, in the order of the rows
};

// min(rows, cols) pairs are assigned. Which of several best assignments is returned depends on the
// matrix alone. Costs must be finite: Error{input}.
Assignment assign_maximum(const Matrix& weight);

}  // namespace gingham
