#include "gingham/methods/views/scaling.hpp"

#include <algorithm>

namespace gingham::methods::views {

OptionRecord scale_option(std::string initial) {
  return {.name = "scale",
          .type = OptionType::choice,
          .initial = std::move(initial),
          .words = {"none", "center", "standardize", "unit", "rows"},
          .help =
              "How each view is brought to a common scale: none, center (columns of mean 0), "
              "standardize (mean 0, variance 1), unit (centred, the view's sum of squares 1), "
              "rows (centred, each row of length 1)."};
}

Scale scale_of(const Options& options) {
  const std::vector<std::string>& words = options.record("scale").words;
  return static_cast<Scale>(std::find(words.begin(), words.end(), options.text("scale")) -
                            words.begin());
}

bool is_centered(Scale scale) { return scale != Scale::none; }

}  // namespace gingham::methods::views
