#include "gingham/kernels/cut_items.hpp"

#include <algorithm>

namespace gingham {
namespace {

constexpr Index kLong = 2;  // entries of an item that is cut, in those of a piece

}  // namespace

// In a partition by work only the last item of a block can be longer than a block should be.
CutItems::CutItems(std::span<const Index> pointers, Index work_per_entry) : pointers_(pointers) {
  const Partition blocks = Partition::weighted(pointers, work_per_entry);
  if (blocks.count() == 0) return;
  const Index n_entries = pointers.back() - pointers.front();
  const double work = static_cast<double>(n_entries) * static_cast<double>(work_per_entry);
  const Index enough = std::max<Index>(n_entries / Partition::count_for(work), 1);
  for (Index b = 0; b < blocks.count(); ++b) {
    const Index last = blocks.end(b) - 1, n = pointers[last + 1] - pointers[last];
    const bool is_long = n >= kLong * enough;
    const Index end = is_long ? last : last + 1;
    if (blocks.begin(b) < end) pieces_.push_back({.begin = blocks.begin(b), .end = end});
    if (is_long) cut(last, n / enough);
  }
}

void CutItems::cut(Index item, Index n_parts) {
  const Index first = pointers_[item], n = pointers_[item + 1] - first;
  const auto bounds = std::ssize(bounds_);
  for (Index part = 0; part <= n_parts; ++part) {
    bounds_.push_back(first + n / n_parts * part + n % n_parts * part / n_parts);
    if (part == n_parts) break;
    pieces_.push_back({item, item + 1, part, bounds, n_parts_});
  }
  long_.push_back({item, n_parts_, n_parts});
  n_parts_ += n_parts;
}

}  // namespace gingham
