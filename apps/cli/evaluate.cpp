#include "gingham/tools/evaluate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "terminal.hpp"

namespace gingham::cli {

int run_evaluate(const Arguments& arguments) {
  const std::vector<NamedValue> scores =
      evaluate(arguments.text("FOUND"), arguments.list("truth"), arguments.text("mode"));
  if (arguments.own.flag("json")) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const NamedValue& score : scores) {
      object[score.name] =
          std::isfinite(score.value) ? nlohmann::ordered_json(score.value) : nullptr;
    }
    print_line(object.dump());
    return kDone;
  }
  for (const NamedValue& score : scores)
    print_line(fmt::format("{:<20} {:.6f}", score.name, score.value));
  return kDone;
}

}  // namespace gingham::cli
