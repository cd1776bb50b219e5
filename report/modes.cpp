// Who belongs to what: the strongest members of every component in every mode, as many as there is
// room for.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "gingham/engine/item_labels.hpp"
#include "report/names.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace gingham::report {
namespace {

// Largest cap such that all lists cut to it have at most `room` entries together; at least 1.
Index cap_for(const std::vector<std::vector<Index>>& sizes, Index room) {
  Index low = 1, high = room + 1;
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    Index total = 0;
    for (const std::vector<Index>& mode : sizes) {
      for (const Index size : mode) total += std::min(size, middle);
    }
    (total <= room ? low : high) = middle;
  }
  return low;
}

double strength(const Member& member) {
  return std::isnan(member.value) ? 0.0 : std::abs(member.value);
}

// Places in `members` from begin to end, the strongest first, lower items first on ties.
std::vector<std::size_t> strongest_first(std::span<const Member> members, std::size_t begin,
                                         std::size_t end, std::size_t most) {
  std::vector<std::size_t> places(end - begin);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = begin + i;
  const std::size_t kept = std::min(most, places.size());
  std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(kept),
                    places.end(), [&](std::size_t a, std::size_t b) {
                      const double x = strength(members[a]), y = strength(members[b]);
                      return x != y ? x > y : members[a].item < members[b].item;
                    });
  places.resize(kept);
  return places;
}

bool has_input(const Result& result, const Membership& membership) {
  return membership.block && *membership.block < std::ssize(result.inputs);
}

// "rows of E11.csv", or "rows of block 0" where several inputs are called the same.
std::string mode_title(const Result& result, const Membership& membership) {
  if (!has_input(result, membership)) return mode_name(membership);
  const std::string name = file_name(result.inputs[*membership.block].path);
  const auto same =
      std::count_if(result.inputs.begin(), result.inputs.end(),
                    [&](const InputSummary& input) { return file_name(input.path) == name; });
  return same == 1 ? clean(membership.mode) + " of " + name : mode_name(membership);
}

Json mode_json(const Result& result, std::size_t number, const std::vector<Index>& sizes, Index cap,
               Shared& shared) {
  const Membership& membership = result.model.memberships[number];
  const std::vector<Member>& members = membership.members;
  std::vector<Index> component, item;
  Json value = Json::array(), stability = Json::array();
  const std::vector<double>* shares =
      number < result.stability.size() && result.stability[number].size() == members.size()
          ? &result.stability[number]
          : nullptr;
  std::size_t at = 0;
  for (Index k = 0; k < std::ssize(sizes); ++k) {
    const auto end = at + static_cast<std::size_t>(sizes[k]);
    for (const std::size_t place :
         strongest_first(members, at, end, static_cast<std::size_t>(cap))) {
      component.push_back(k);
      item.push_back(members[place].item);
      value.push_back(number_json(members[place].value));
      if (shares != nullptr) stability.push_back(number_json((*shares)[place]));
    }
    at = end;
  }
  const auto names = shared.names(labels_of(result, membership), item);
  return {{"key", clean(membership.key())},
          {"title", mode_title(result, membership)},
          {"block", has_input(result, membership)
                        ? Json(file_name(result.inputs[*membership.block].path))
                        : Json(nullptr)},
          {"n", membership.n_items},
          {"labels", names ? Json(*names) : Json(nullptr)},
          {"sizes", sizes},
          {"component", component},
          {"item", item},
          {"value", value},
          {"stability", shares != nullptr ? stability : Json(nullptr)},
          {"left_out", members.size() - item.size()}};
}

}  // namespace

Json modes_json(const Result& result, Shared& shared) {
  constexpr std::size_t kMaxModes = 60;
  const std::vector<Membership>& all = result.model.memberships;
  const Index shown = std::min<Index>(std::ssize(result.model.components), kMaxComponents);
  std::vector<std::vector<Index>> sizes;
  for (std::size_t i = 0; i < all.size() && i < kMaxModes; ++i)
    sizes.push_back(sizes_of(all[i], shown));
  const Index cap = cap_for(sizes, kMaxMembers / std::max<Index>(shared.n_results(), 1));
  Json list = Json::array();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    list.push_back(mode_json(result, i, sizes[i], cap, shared));
  return list;
}

}  // namespace gingham::report
