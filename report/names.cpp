#include "report/names.hpp"

#include "gingham/base/text.hpp"
#include "report/text.hpp"

namespace gingham::report {
namespace {

constexpr std::size_t kMaxLabel = 60;

}  // namespace

const MethodInfo* known_method(const Result& result) {
  for (const MethodInfo& info : all_methods()) {
    if (info.name == result.method) return &info;
  }
  return nullptr;
}

Index mode_number(const Membership& membership) {
  if (membership.mode == "columns") return 1;
  if (membership.mode.starts_with("mode_"))
    return parse_integer(membership.mode.substr(5)).value_or(0);
  return 0;
}

const Labels* labels_of(const Result& result, std::optional<Index> block, Index mode,
                        Index n_items) {
  for (Index b = 0; b < std::ssize(result.item_labels); ++b) {
    if (b != block.value_or(b)) continue;
    if (mode < 0 || mode >= std::ssize(result.item_labels[b])) continue;
    const Labels& labels = result.item_labels[b][mode];
    if (static_cast<Index>(labels.size()) == n_items) return &labels;
  }
  return nullptr;
}

std::string mode_name(const Membership& membership) {
  std::string name = clean(membership.mode, kMaxLabel);
  if (name.starts_with("mode_")) name[4] = ' ';
  return membership.block ? name + " of block " + std::to_string(*membership.block) : name;
}

const Membership* membership_of_block(const Result& result, Index block, Index mode) {
  for (const Membership& membership : result.model.memberships) {
    if (mode_number(membership) == mode && membership.block.value_or(block) == block)
      return &membership;
  }
  return nullptr;
}

std::string file_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return clean(slash == std::string::npos ? path : path.substr(slash + 1), 80);
}

}  // namespace gingham::report
