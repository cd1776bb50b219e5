// One side of the picture: the items of a mode, those of a component next to each other, gathered
// into bins of about equal size, one pixel each.
#pragma once
#include <cstdint>
#include <vector>

#include "gingham/engine/model.hpp"

namespace gingham::report {

struct Segment {
  Index component = -1;      // -1: the items that belong to none
  Index begin = 0, end = 0;  // bins
};

struct Axis {
  std::vector<std::int32_t> bin;  // of each item; -1 for one that is left out
  std::vector<Index> size;        // items of each bin
  std::vector<Segment> segments;  // components in rising order, then the rest; empty ones left out
  bool is_crowded = false;        // more components than can be told apart: items as they came
  bool has_components = false;
  bool is_squeezed = false;  // the rest has fewer pixels per item than the members
  Index n_several = 0;  // items that belong to several components; they stand at their strongest

  Index bins() const { return static_cast<Index>(size.size()); }
};

// What becomes of the items in no component. They are never left out where they are all there is.
enum class Rest { last, left_out };

// Items of component 0 first, by value from large to small, then those of 1, ..., then the rest as
// they came, in at most max_bins bins. With a null membership, or one of another size, all items
// are the rest. Requires n_items >= 1 and max_bins >= 4.
Axis make_axis(const Membership* membership, Index n_items, Index max_bins, Rest rest = Rest::last);

}  // namespace gingham::report
