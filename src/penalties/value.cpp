#include "gingham/penalties/value.hpp"

#include "gingham/base/text.hpp"

namespace gingham {

double PenaltyValue::resolve(double maximum) const {
  if (kind == Kind::word)
    throw Error(ErrorCode::internal, "", "the word '" + word + "' has no number");
  return kind == Kind::percent ? number / 100.0 * maximum : number;
}

std::string PenaltyValue::text() const {
  if (kind == Kind::word) return word;
  return kind == Kind::percent ? to_text(number) + "%" : to_text(number);
}

}  // namespace gingham
