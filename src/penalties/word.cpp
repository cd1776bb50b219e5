#include "gingham/penalties/word.hpp"

namespace gingham {

void refuse_sum(const std::string& word, const std::string& with, const std::string& reason) {
  throw Error(ErrorCode::usage, "", word + " and " + with + " cannot be added: " + reason);
}

void require_no_ridge(const std::string& word, const EntryRule& entry) {
  if (entry.ridge > 0.0) refuse_sum(word, "ridge", "use one of the two");
}

void require_no_box(const std::string& word, const EntryRule& entry) {
  if (entry.is_boxed()) refuse_sum(word, "box", "use nonneg instead of box");
}

}  // namespace gingham
