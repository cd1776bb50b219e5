// How two labelings of the same items meet: sizes of the classes, and of every intersection that is
// not empty.
#pragma once
#include <span>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

struct Contingency {
  struct Cell {
    Index a, b;   // classes, numbered from 0 as they first occur
    Index count;  // >= 1
  };
  Index n_items = 0;
  std::vector<Index> a_sizes, b_sizes;
  std::vector<Cell> cells;  // sorted by (a, b)
};

// Labels are any integers; -1 is a class like any other. What a class is called changes no bit of
// the table, nor of a score that is summed over it. O(n log n).
// Throws Error{usage} where the lengths differ or there are no items.
Contingency contingency(std::span<const Index> a, std::span<const Index> b);

}  // namespace gingham
