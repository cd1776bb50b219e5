#include "gingham/engine/model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gingham {

Membership membership_of(std::string mode, std::optional<Index> block, const Matrix& factor) {
  Membership membership{std::move(mode), block, factor.rows(), {}};
  for (Index k = 0; k < factor.cols(); ++k) {
    for (Index i = 0; i < factor.rows(); ++i) {
      if (factor(i, k) != 0.0) membership.members.push_back({k, i, factor(i, k)});
    }
  }
  return membership;
}

Membership membership_of(std::string mode, std::optional<Index> block,
                         const std::vector<Index>& labels) {
  Membership membership{std::move(mode), block, std::ssize(labels), {}};
  std::vector<Member>& members = membership.members;
  const Index largest = labels.empty() ? -1 : *std::max_element(labels.begin(), labels.end());
  if (largest < std::ssize(labels)) {  // straight to their places
    std::vector<Index> places(static_cast<std::size_t>(largest) + 2, 0);
    for (const Index label : labels) places[label + 1] += label >= 0 ? 1 : 0;
    places[0] = 0;
    std::partial_sum(places.begin(), places.end(), places.begin());
    members.resize(static_cast<std::size_t>(places.back()));
    for (Index i = 0; i < std::ssize(labels); ++i) {
      if (labels[i] >= 0) members[places[labels[i]]++] = {labels[i], i, 1.0};
    }
    return membership;
  }
  for (Index i = 0; i < std::ssize(labels); ++i) {
    if (labels[i] >= 0) members.push_back({labels[i], i, 1.0});
  }
  std::stable_sort(members.begin(), members.end(),
                   [](const Member& a, const Member& b) { return a.component < b.component; });
  return membership;
}

std::vector<Index> strongest(const Membership& membership) {
  // First the number of the strongest member, then its component in the same place.
  std::vector<Index> label(static_cast<std::size_t>(membership.n_items), -1);
  const std::vector<Member>& members = membership.members;
  for (std::size_t k = 0; k < members.size(); ++k) {
    Index& best = label[members[k].item];
    if (std::abs(members[k].value) > (best < 0 ? 0.0 : std::abs(members[best].value)))
      best = static_cast<Index>(k);
  }
  for (Index& best : label) best = best < 0 ? -1 : members[best].component;
  return label;
}

Index size_of(const Membership& membership, Index component) {
  Index size = 0;
  for (const Member& member : membership.members) size += member.component == component ? 1 : 0;
  return size;
}

std::vector<Index> sizes_of(const Membership& membership, Index components) {
  std::vector<Index> sizes(static_cast<std::size_t>(components), 0);
  for (const Member& member : membership.members) {
    if (member.component >= 0 && member.component < components) ++sizes[member.component];
  }
  return sizes;
}

namespace {

[[noreturn]] void refuse_array(const std::string& name) {
  throw Error(ErrorCode::input, name,
              "is missing from the result or does not fit the data; fit once more");
}

}  // namespace

const Matrix& find_matrix(const Model& model, const std::string& name, Index rows, Index cols) {
  for (const NamedArray& array : model.arrays) {
    const Matrix* found = array.name == name ? std::get_if<Matrix>(&array.values) : nullptr;
    if (found != nullptr && (rows < 0 || found->rows() == rows) &&
        (cols < 0 || found->cols() == cols))
      return *found;
  }
  refuse_array(name);
}

const std::vector<double>& find_vector(const Model& model, const std::string& name, Index size) {
  for (const NamedArray& array : model.arrays) {
    const auto* found =
        array.name == name ? std::get_if<std::vector<double>>(&array.values) : nullptr;
    if (found != nullptr && (size < 0 || std::ssize(*found) == size)) return *found;
  }
  refuse_array(name);
}

}  // namespace gingham
