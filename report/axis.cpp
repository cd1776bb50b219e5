#include "report/axis.hpp"

#include <algorithm>
#include <numeric>

namespace gingham::report {
namespace {

// Where there are more items than pixels, items of no component get at most this share of them.
constexpr double kShareOfRest = 1.0 / 3.0;

struct Placed {
  std::vector<Index> order;                             // items as they stand
  std::vector<std::pair<Index, Index>> component_size;  // in the order of the axis
};

// label: the component an item stands at; side: -1, 0, 1 where it also belongs to an earlier one,
// to no other, to a later one.
Placed place(const std::vector<Index>& label, const std::vector<int>& side,
             const std::vector<double>& strength) {
  Placed placed;
  placed.order.resize(label.size());
  std::iota(placed.order.begin(), placed.order.end(), Index{0});
  std::stable_sort(placed.order.begin(), placed.order.end(), [&](Index a, Index b) {
    if (label[a] != label[b]) return label[a] >= 0 && (label[b] < 0 || label[a] < label[b]);
    if (label[a] < 0) return false;
    return side[a] != side[b] ? side[a] < side[b] : strength[a] > strength[b];
  });
  for (const Index item : placed.order) {
    if (placed.component_size.empty() || placed.component_size.back().first != label[item]) {
      placed.component_size.push_back({label[item], 0});
    }
    ++placed.component_size.back().second;
  }
  return placed;
}

// How many pixels each segment gets: one per item where that fits.
std::vector<Index> share_out(const std::vector<std::pair<Index, Index>>& segments, Index n_items,
                             Index max_bins) {
  std::vector<Index> pixels;
  if (n_items <= max_bins) {
    for (const auto& [component, size] : segments) pixels.push_back(size);
    return pixels;
  }
  const Index rest = segments.back().first < 0 ? segments.back().second : 0;
  const Index members = n_items - rest;
  const Index n_components = static_cast<Index>(segments.size()) - (rest > 0 ? 1 : 0);
  const double share =
      std::min(kShareOfRest, static_cast<double>(rest) / static_cast<double>(n_items));
  Index rest_pixels = static_cast<Index>(share * static_cast<double>(max_bins));
  const Index member_pixels = std::min(members, max_bins - rest_pixels);
  rest_pixels = std::min(rest, max_bins - member_pixels);
  for (const auto& [component, size] : segments) {
    if (component < 0) {
      pixels.push_back(std::max<Index>(rest_pixels, 1));
    } else {
      // One each, and what is left by size.
      const double share_of_members = static_cast<double>(size) / static_cast<double>(members);
      const Index more =
          static_cast<Index>(share_of_members * static_cast<double>(member_pixels - n_components));
      pixels.push_back(std::min(1 + std::max<Index>(more, 0), size));
    }
  }
  return pixels;
}

}  // namespace

Axis make_axis(const Membership* membership, Index n_items, Index max_bins) {
  const auto n = static_cast<std::size_t>(n_items);
  std::vector<Index> label(n, -1);
  std::vector<int> side(n, 0);
  std::vector<double> strength(n, 0.0);
  Axis axis;
  if (membership != nullptr && membership->n_items == n_items) {
    label = strongest(*membership);
    std::vector<std::uint8_t> times(n, 0);
    for (const Member& member : membership->members) {
      const Index item = member.item;
      if (label[item] == member.component) strength[item] = member.value;
      if (side[item] == 0 && member.component != label[item])
        side[item] = member.component < label[item] ? -1 : 1;
      if (times[item] < 2 && ++times[item] == 2) ++axis.n_several;
    }
  }
  Placed placed = place(label, side, strength);
  // More components than there is room to tell apart: the items as they came.
  if (static_cast<Index>(placed.component_size.size()) > max_bins / 2 && n_items > max_bins) {
    placed = place(std::vector<Index>(n, -1), side, strength);
    axis.is_crowded = true;
  }
  const std::vector<Index> pixels = share_out(placed.component_size, n_items, max_bins);

  axis.bin.assign(n, -1);
  Index at = 0, first_bin = 0;
  double members_per_pixel = 0.0, rest_per_pixel = 0.0;
  for (std::size_t s = 0; s < pixels.size(); ++s) {
    const auto [component, size] = placed.component_size[s];
    axis.size.resize(static_cast<std::size_t>(first_bin + pixels[s]), 0);
    for (Index position = 0; position < size; ++position, ++at) {
      const Index bin = first_bin + position * pixels[s] / size;
      axis.bin[placed.order[at]] = static_cast<std::int32_t>(bin);
      ++axis.size[bin];
    }
    axis.segments.push_back({component, first_bin, first_bin + pixels[s]});
    first_bin += pixels[s];
    const double per_pixel = static_cast<double>(size) / static_cast<double>(pixels[s]);
    if (component >= 0) {
      axis.has_components = true;
      members_per_pixel = std::max(members_per_pixel, per_pixel);
    } else {
      rest_per_pixel = per_pixel;
    }
  }
  axis.is_squeezed = axis.has_components && rest_per_pixel > 1.5 * members_per_pixel;
  axis.order = std::move(placed.order);
  return axis;
}

std::vector<Stretch> stretches(const Axis& axis, const Membership& membership, Index max_components,
                               std::size_t limit) {
  std::vector<Stretch> found;
  if (membership.n_items != axis.items()) return found;
  std::vector<Index> count(axis.size.size(), 0), touched;
  const std::vector<Member>& members = membership.members;
  for (std::size_t at = 0; at < members.size() && found.size() < limit;) {
    const Index component = members[at].component;
    if (component >= max_components) break;
    touched.clear();
    for (; at < members.size() && members[at].component == component; ++at) {
      const Index bin = axis.bin[members[at].item];
      if (count[bin]++ == 0) touched.push_back(bin);
    }
    std::sort(touched.begin(), touched.end());
    const std::size_t first = found.size();
    for (const Index bin : touched) {
      const bool is_in = 2 * count[bin] >= axis.size[bin];
      count[bin] = 0;
      if (!is_in) continue;
      if (found.size() > first && found.back().end == bin) {
        ++found.back().end;
      } else {
        found.push_back({component, bin, bin + 1});
      }
    }
  }
  if (found.size() > limit) found.resize(limit);
  return found;
}

}  // namespace gingham::report
