#include "members.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/engine/item_labels.hpp"

namespace gingham::cli {
namespace {

struct Named {
  double strength;
  const std::string* name;
};

void collect(const Result& result, const Membership& membership, Index component,
             std::vector<Named>& all) {
  const Labels* labels = labels_of(result, membership);
  if (labels == nullptr) return;
  for (const Member& member : membership.members) {
    if (member.component == component)
      all.push_back({std::abs(member.value), &(*labels)[member.item]});
  }
}

std::vector<std::string> first_names(std::vector<Named> all, std::size_t most) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Named& a, const Named& b) { return a.strength > b.strength; });
  std::vector<std::string> names;
  for (const Named& one : all) {
    if (names.size() == most) break;
    if (std::find(names.begin(), names.end(), *one.name) == names.end()) names.push_back(*one.name);
  }
  return names;
}

}  // namespace

std::vector<std::string> modes_of(const Result& result) {
  std::vector<std::string> modes;
  for (const Membership& membership : result.model.memberships) {
    if (std::find(modes.begin(), modes.end(), membership.mode) == modes.end()) {
      modes.push_back(membership.mode);
    }
  }
  return modes;
}

std::vector<std::string> strongest_names(const Result& result, const std::string& mode,
                                         Index component, std::size_t most) {
  std::vector<Named> all;
  for (const Membership& membership : result.model.memberships)
    if (membership.mode == mode) collect(result, membership, component, all);
  return first_names(std::move(all), most);
}

std::vector<std::string> strongest_names(const Result& result, const Membership& membership,
                                         Index component, std::size_t most) {
  std::vector<Named> all;
  collect(result, membership, component, all);
  return first_names(std::move(all), most);
}

}  // namespace gingham::cli
