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
