#include "gingham/engine/registry.hpp"

#include <algorithm>

namespace gingham {

std::vector<OptionRecord> MethodInfo::all_options() const {
  std::vector<OptionRecord> merged = common_options();
  for (OptionRecord& record : merged) {
    if (record.name == "precision" && traits.accepts_float) record.words = {"double", "float"};
  }
  for (const OptionRecord& own : options) {
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const OptionRecord& common) {
      return common.name == own.name;
    });
    if (same == merged.end()) {
      merged.push_back(own);
    } else {
      *same = own;
    }
  }
  return merged;
}

}  // namespace gingham
