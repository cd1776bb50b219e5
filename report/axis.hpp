// One side of a picture: the items of a mode, those of a component next to each other, gathered
// into bins of about equal size, one cell each.
#pragma once
#include <cstdint>
#include <vector>

#include "gingham/engine/model.hpp"

namespace gingham::report {

struct Stretch {
  Index component = -1;      // -1: the items that belong to none
  Index begin = 0, end = 0;  // bins
};

struct Axis {
  std::vector<Index> order;       // the item at each place
  std::vector<std::int32_t> bin;  // of each item
  std::vector<Index> size;        // items of each bin
  std::vector<Stretch> segments;  // components in rising order, then the rest; empty ones left out
  bool is_crowded = false;        // more components than can be told apart: items as they came
  bool has_components = false;
  bool is_squeezed = false;  // the rest has fewer bins per item than the members
  Index n_several = 0;       // items that belong to several components

  Index items() const { return static_cast<Index>(order.size()); }
  Index bins() const { return static_cast<Index>(size.size()); }
};

// Items of component 0 first, then those of 1, ..., then the rest as they came, in at most max_bins
// bins. An item stands at its strongest component: those that also belong to an earlier one first,
// those that also belong to a later one last, each by value from large to small, so that what
// neighbours share lies between them. With a null membership, or one of another size, all items are
// the rest. Requires n_items >= 1 and max_bins >= 4.
Axis make_axis(const Membership* membership, Index n_items, Index max_bins);

// Where the components below `max_components` are: the bins in which at least half of the items
// belong to the component. Component by component, at most `limit` stretches.
std::vector<Stretch> stretches(const Axis& axis, const Membership& membership, Index max_components,
                               std::size_t limit);

}  // namespace gingham::report
