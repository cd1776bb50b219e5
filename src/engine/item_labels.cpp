#include "gingham/engine/item_labels.hpp"

#include "gingham/base/text.hpp"

namespace gingham {

Index mode_number(std::string_view mode) {
  if (mode == "columns") return 1;
  return mode.starts_with("mode_") ? parse_integer(mode.substr(5)).value_or(0) : 0;
}

const Labels* labels_of(const Result& result, std::optional<Index> block, Index mode,
                        Index n_items) {
  for (Index b = 0; b < std::ssize(result.item_labels); ++b) {
    if (b != block.value_or(b)) continue;
    if (mode < 0 || mode >= std::ssize(result.item_labels[b])) continue;
    const Labels& labels = result.item_labels[b][mode];
    if (std::ssize(labels) == n_items) return &labels;
  }
  return nullptr;
}

const Labels* labels_of(const Result& result, const Membership& membership) {
  return labels_of(result, membership.block, mode_number(membership.mode), membership.n_items);
}

}  // namespace gingham
