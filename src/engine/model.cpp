#include "gingham/engine/model.hpp"

#include <algorithm>
#include <cmath>

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
  Membership membership{std::move(mode), block, static_cast<Index>(labels.size()), {}};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) membership.members.push_back({labels[i], static_cast<Index>(i), 1.0});
  }
  std::stable_sort(membership.members.begin(), membership.members.end(),
                   [](const Member& a, const Member& b) { return a.component < b.component; });
  return membership;
}

std::vector<Index> strongest(const Membership& membership) {
  std::vector<Index> label(static_cast<std::size_t>(membership.n_items), -1);
  std::vector<double> best(label.size(), 0.0);
  for (const Member& member : membership.members) {
    if (std::abs(member.value) > best[member.item]) {
      best[member.item] = std::abs(member.value);
      label[member.item] = member.component;
    }
  }
  return label;
}

Index size_of(const Membership& membership, Index component) {
  Index size = 0;
  for (const Member& member : membership.members) size += member.component == component ? 1 : 0;
  return size;
}

}  // namespace gingham
