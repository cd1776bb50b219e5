#include "report/names.hpp"

#include "gingham/engine/item_labels.hpp"
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

std::string mode_name(const Membership& membership) {
  std::string name = clean(membership.mode, kMaxLabel);
  if (name.starts_with("mode_")) name[4] = ' ';
  return membership.block ? name + " of block " + std::to_string(*membership.block) : name;
}

const Membership* membership_of_block(const Result& result, Index block, Index mode) {
  for (const Membership& membership : result.model.memberships) {
    if (mode_number(membership.mode) == mode && membership.block.value_or(block) == block)
      return &membership;
  }
  return nullptr;
}

int threads_of(const Result& result) {
  return result.options.has("threads") ? static_cast<int>(result.options.integer("threads")) : 0;
}

std::string file_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return clean(slash == std::string::npos ? path : path.substr(slash + 1), 80);
}

}  // namespace gingham::report
