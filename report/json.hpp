// The page's data as JSON: page/data.ts says what there is.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "gingham/engine/terms.hpp"

namespace gingham::report {

using Json = nlohmann::ordered_json;

// A number, or the word for one that is not finite: nan, inf, -inf.
Json number_json(double value);
// [{name, value}, ...], at most `limit` of them.
Json named_json(const std::vector<NamedValue>& values, std::size_t limit);

}  // namespace gingham::report
