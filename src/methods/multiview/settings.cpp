#include "gingham/methods/multiview/settings.hpp"

#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::multiview {

double weight_of(const Options& options, std::size_t view) {
  if (!options.given("weights")) return 1.0;
  const std::vector<PenaltyValue>& given = options.penalties("weights");
  const std::size_t at = given.size() == 1 ? 0 : view;
  if (at >= given.size()) throw Error(ErrorCode::input, "weights", "are fewer than the views");
  return given[at].number;
}

Palm palm_of(const Options& options) {
  return {.gamma = options.real("gamma"), .is_literal = options.text("palm") == "literal"};
}

bool has_one_sign(const Options& options) {
  const std::string& asked = options.text("sign");
  if (asked != "auto") return asked == "one";
  const bool is_literal = options.text("solver") == "palm" && palm_of(options).is_literal;
  return views::is_centered(views::scale_of(options)) && !is_literal;
}

}  // namespace gingham::methods::multiview
