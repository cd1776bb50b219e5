// Some cells of a block by item of one mode, those of an item in lexicographic order of the others.
#pragma once
#include <vector>

#include "gingham/data/dataset.hpp"

namespace gingham {

struct CellList {
  std::span<const Index> pointers;                    // items + 1; empty: no cells
  std::vector<std::span<const std::int32_t>> others;  // per other mode, in order: where a cell is
  std::span<const double> values;
  Shape sizes;  // of the other modes

  bool empty() const { return values.empty(); }
  Index begin(Index item) const { return empty() ? 0 : pointers[item]; }
  Index end(Index item) const { return empty() ? 0 : pointers[item + 1]; }
  Index count(Index item) const { return end(item) - begin(item); }
  // Of a matrix: the items of the other side.
  std::span<const std::int32_t> others_of(Index item) const {
    if (empty()) return {};
    return others[0].subspan(static_cast<std::size_t>(begin(item)),
                             static_cast<std::size_t>(count(item)));
  }
  // The number of a cell among those of its item, the last mode fastest; where 64 bits can count
  // them.
  Index place(Index cell) const {
    Index at = 0;
    for (std::size_t m = 0; m < others.size(); ++m) at = at * sizes[m] + others[m][cell];
    return at;
  }
  // The first cell of an item at this place or behind it; end(item) where there is none.
  Index first_from(Index item, Index at) const {
    Index low = begin(item), high = end(item);
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (place(middle) < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

// What sparse values list; empty for dense ones. The values outlive this. Other orders than that of
// mode 0 are made when first asked for.
CellList listed_cells(const Block::Values& values, Index mode);

}  // namespace gingham
