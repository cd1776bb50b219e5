#include "gingham/tools/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/text.hpp"

namespace gingham {

void Comparison::number(const std::string& what, double reported, double recomputed, double floor) {
  ++result.n_checked;
  const bool both_nan = std::isnan(reported) && std::isnan(recomputed);
  const bool both_finite = std::isfinite(reported) && std::isfinite(recomputed);
  const double allowed =
      relative_ * std::max(std::abs(reported), std::abs(recomputed)) + std::max(floor, 0.0);
  if (both_nan || reported == recomputed ||
      (both_finite && std::abs(reported - recomputed) <= allowed))
    return;
  result.differences.push_back(fmt::format("{} is reported as {}, recomputed as {}", what,
                                           to_text(reported), to_text(recomputed)));
}

void Comparison::truth(bool holds, const std::string& complaint) {
  ++result.n_checked;
  if (!holds) result.differences.push_back(complaint);
}

void Comparison::named(const std::string& kind, const std::vector<NamedValue>& said,
                       const std::vector<NamedValue>& found, double floor) {
  truth(said.size() == found.size(), "the number of " + kind + " differs");
  for (std::size_t i = 0; i < said.size() && i < found.size(); ++i) {
    truth(said[i].name == found[i].name,
          fmt::format("{} '{}' found where '{}' was expected", kind, said[i].name, found[i].name));
    number(kind + " " + said[i].name, said[i].value, found[i].value, floor);
  }
}

void Comparison::members(const Membership& said, const Membership& found) {
  const std::string key = said.key();
  truth(key == found.key() && said.n_items == found.n_items,
        "memberships of " + key + " do not match");
  if (said.members.size() != found.members.size()) {
    truth(false, fmt::format("{}: {} members are reported, {} recomputed", key, said.members.size(),
                             found.members.size()));
    return;
  }
  for (std::size_t i = 0; i < said.members.size(); ++i) {
    const Member &a = said.members[i], &b = found.members[i];
    truth(a.component == b.component && a.item == b.item,
          fmt::format("{}: member {} of component {} is not among the recomputed ones", key, a.item,
                      a.component));
    number(fmt::format("{}: value of item {} in component {}", key, a.item, a.component), a.value,
           b.value);
  }
}

std::span<const double> values_of(const NamedArray& array) {
  if (const auto* matrix = std::get_if<Matrix>(&array.values)) return matrix->values();
  if (const auto* vector = std::get_if<std::vector<double>>(&array.values)) return *vector;
  return std::get<SparseMatrix>(array.values).values();
}

std::string place_in(const NamedArray& array, std::size_t at) {
  if (const auto* sparse = std::get_if<SparseMatrix>(&array.values)) {
    const auto& pointers = sparse->pointers();
    Index row = 0;
    while (row + 1 < sparse->rows() && pointers[row + 1] <= static_cast<Index>(at)) ++row;
    return fmt::format("{} [{}, {}]", array.name, row, sparse->columns()[at]);
  }
  const auto* matrix = std::get_if<Matrix>(&array.values);
  if (matrix == nullptr) return fmt::format("{} [{}]", array.name, at);
  const auto width = static_cast<std::size_t>(matrix->cols());
  return fmt::format("{} [{}, {}]", array.name, at / width, at % width);
}

}  // namespace gingham
