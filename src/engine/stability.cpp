#include "gingham/engine/stability.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace gingham {
namespace {

// Seven bits of a number per byte, the lowest first; the eighth says that more follow.
void put(Index number, std::vector<std::uint8_t>& bytes) {
  auto rest = static_cast<std::uint64_t>(number);
  for (; rest >= 128; rest >>= 7) bytes.push_back(static_cast<std::uint8_t>(rest | 128));
  bytes.push_back(static_cast<std::uint8_t>(rest));
}

std::optional<Index> get(std::span<const std::uint8_t>& bytes) {
  std::uint64_t number = 0;
  for (int shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const std::uint64_t byte = bytes.front();
    bytes = bytes.subspan(1);
    number |= (byte & 127) << shift;
    if (byte < 128) return static_cast<Index>(number);
  }
  return std::nullopt;
}

// Calls visit(component, item) in order. False where the bytes are no such list.
template <class Visit>
bool read(const Roster::Mode& mode, const Visit& visit) {
  std::span<const std::uint8_t> bytes = mode.bytes;
  for (Index k = 0; k < mode.n_components; ++k) {
    const std::optional<Index> size = get(bytes);
    if (!size) return false;
    Index item = -1;
    for (Index n = 0; n < *size; ++n) {
      const std::optional<Index> between = get(bytes);
      if (!between || *between >= mode.n_items - 1 - item) return false;
      item += *between + 1;
      visit(k, item);
    }
  }
  return bytes.empty();
}

bool is_before(const Member& a, const Member& b) {
  return a.component != b.component ? a.component < b.component : a.item < b.item;
}

// Sorted, each once: as they should be.
void put_in_order(std::vector<Member>& members) {
  if (!std::is_sorted(members.begin(), members.end(), is_before))
    std::sort(members.begin(), members.end(), is_before);
  const auto is_same = [](const Member& a, const Member& b) {
    return a.component == b.component && a.item == b.item;
  };
  members.erase(std::unique(members.begin(), members.end(), is_same), members.end());
}

Index n_components(const std::vector<Member>& members) {
  Index most = 0;
  for (const Member& member : members) most = std::max(most, member.component + 1);
  return most;
}

}  // namespace

Roster::Roster(std::vector<Membership> memberships) {
  for (Membership& membership : memberships) {
    std::vector<Member>& members = membership.members;
    put_in_order(members);
    Mode mode{membership.n_items, n_components(members)};
    auto next = members.begin();
    for (Index k = 0; k < mode.n_components; ++k) {
      const auto end =
          std::find_if(next, members.end(), [=](const Member& one) { return one.component != k; });
      put(end - next, mode.bytes);
      for (Index before = -1; next != end; ++next) {
        put(next->item - before - 1, mode.bytes);
        before = next->item;
      }
    }
    mode.bytes.shrink_to_fit();
    modes_.push_back(std::move(mode));
  }
}

Index Roster::bytes() const {
  std::size_t sum = sizeof(Roster) + modes_.size() * sizeof(Mode);
  for (const Mode& mode : modes_) sum += mode.bytes.size();
  return static_cast<Index>(sum);
}

bool Roster::is_whole() const {
  return std::all_of(modes_.begin(), modes_.end(), [](const Mode& mode) {
    return mode.n_items >= 0 && mode.n_components >= 0 && read(mode, [](Index, Index) {});
  });
}

namespace {

// The components of every item of a mode, rising, and how many items each has.
class ByItem {
 public:
  ByItem(const Roster::Mode* mode, Index n_items)
      : begin_(static_cast<std::size_t>(n_items) + 1, 0) {
    if (mode == nullptr || mode->n_items != n_items) return;
    sizes_.assign(static_cast<std::size_t>(mode->n_components), 0);
    read(*mode, [&](Index k, Index item) {
      ++sizes_[k];
      ++begin_[item + 1];
    });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    components_.resize(static_cast<std::size_t>(begin_.back()));
    std::vector<Index> next(begin_.begin(), begin_.end() - 1);
    read(*mode, [&](Index k, Index item) { components_[next[item]++] = k; });
  }

  Index count() const { return std::ssize(sizes_); }
  Index size(Index component) const { return sizes_[component]; }
  std::span<const Index> of(Index item) const {
    return std::span(components_).subspan(begin_[item], begin_[item + 1] - begin_[item]);
  }
  bool has(Index component, Index item) const {
    const std::span<const Index> all = of(item);
    return std::binary_search(all.begin(), all.end(), component);
  }

 private:
  std::vector<Index> begin_, components_, sizes_;
};

struct Likeness {
  Index kept = 0, other = 0;
  double value = 0.0;  // M J
};

// Adds the Jaccard index of every pair with a common item in this mode. `order`: the places of the
// members, component by component.
void add_likeness(const std::vector<Member>& members, const std::vector<Index>& order,
                  const ByItem& other, std::vector<Likeness>& all) {
  std::vector<Index> common(static_cast<std::size_t>(other.count()), 0), met;
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    const Index k = members[order[first]].component;
    met.clear();
    for (end = first; end < order.size() && members[order[end]].component == k; ++end) {
      for (const Index l : other.of(members[order[end]].item)) {
        if (common[l]++ == 0) met.push_back(l);
      }
    }
    for (const Index l : met) {
      const Index both = std::exchange(common[l], 0);
      const Index any = static_cast<Index>(end - first) + other.size(l) - both;
      all.push_back({k, l, static_cast<double>(both) / static_cast<double>(any)});
    }
  }
}

// One entry per pair, the sum over its modes in their order.
void add_up(std::vector<Likeness>& all) {
  std::stable_sort(all.begin(), all.end(), [](const Likeness& a, const Likeness& b) {
    return std::pair(a.kept, a.other) < std::pair(b.kept, b.other);
  });
  std::size_t n = 0;
  for (const Likeness& one : all) {
    if (n > 0 && all[n - 1].kept == one.kept && all[n - 1].other == one.other) {
      all[n - 1].value += one.value;
    } else {
      all[n++] = one;
    }
  }
  all.resize(n);
}

// The partner of each kept component, -1 where there is none.
std::vector<Index> partners(std::vector<Likeness> all, Index n_kept) {
  add_up(all);
  Index n_other = 0;
  for (const Likeness& one : all) n_other = std::max(n_other, one.other + 1);
  std::stable_sort(all.begin(), all.end(),
                   [](const Likeness& a, const Likeness& b) { return a.value > b.value; });
  std::vector<Index> partner(static_cast<std::size_t>(n_kept), -1);
  std::vector<char> is_taken(static_cast<std::size_t>(n_other), 0);
  for (const Likeness& one : all) {
    if (partner[one.kept] >= 0 || is_taken[one.other] != 0) continue;
    partner[one.kept] = one.other;
    is_taken[one.other] = 1;
  }
  return partner;
}

// Places of members, component by component.
std::vector<Index> by_component(const std::vector<Member>& members) {
  std::vector<Index> order(members.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return members[a].component < members[b].component; });
  return order;
}

}  // namespace

std::vector<std::vector<double>> stability_of(const Model& kept, std::span<const Roster> others) {
  std::vector<std::vector<double>> shares;
  if (others.empty()) return shares;
  const std::vector<Membership>& modes = kept.memberships;
  std::vector<std::vector<Index>> orders;
  Index n_kept = 0;
  for (const Membership& mode : modes) {
    shares.emplace_back(mode.members.size(), 0.0);
    orders.push_back(by_component(mode.members));
    n_kept = std::max(n_kept, n_components(mode.members));
  }
  for (const Roster& roster : others) {
    std::vector<ByItem> found;
    std::vector<Likeness> likeness;
    for (std::size_t m = 0; m < modes.size(); ++m) {
      found.emplace_back(m < roster.modes().size() ? &roster.modes()[m] : nullptr,
                         modes[m].n_items);
      add_likeness(modes[m].members, orders[m], found[m], likeness);
    }
    const std::vector<Index> partner = partners(std::move(likeness), n_kept);
    for (std::size_t m = 0; m < modes.size(); ++m) {
      for (std::size_t i = 0; i < shares[m].size(); ++i) {
        const Member& member = modes[m].members[i];
        shares[m][i] += found[m].has(partner[member.component], member.item) ? 1.0 : 0.0;
      }
    }
  }
  for (std::vector<double>& mode : shares) {
    for (double& share : mode) share /= static_cast<double>(others.size());
  }
  return shares;
}

// A roster takes a small part of what the method's own result does, which its peak counts.
double roster_room(const MethodInfo& info, const Dataset& data, const Options& options) {
  constexpr double kLeast = 1e6, kMostRestarts = 64.0, kPart = 1.0 / 64.0;
  const auto others = static_cast<double>(options.integer("restarts") - 1);
  if (others < 1.0 || !info.peak_bytes) return 0.0;
  return kLeast + kPart * std::min(others, kMostRestarts) * info.peak_bytes(data, options);
}

double stability_bytes(const MethodInfo& info, const Dataset& data, const Options& options) {
  constexpr double kComparing = 1.0 / 8.0;
  const double room = roster_room(info, data, options);
  return room > 0.0 ? room + kComparing * info.peak_bytes(data, options) : 0.0;
}

}  // namespace gingham
