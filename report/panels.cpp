#include <nlohmann/json.hpp>

#include "report/sections.hpp"

namespace gingham::report {

Json panels_json(const Dataset&, const Result&) { return Json::array(); }

}  // namespace gingham::report
