// How inputs were read, as result.json and transform.json record it.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "gingham/io/result_json.hpp"

namespace gingham {

nlohmann::ordered_json reading_json(const ReadingRecord& reading);

}  // namespace gingham
