#include "report/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/text.hpp"

namespace gingham::report {

Json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json named_json(const std::vector<NamedValue>& values, std::size_t limit) {
  Json list = Json::array();
  for (std::size_t i = 0; i < values.size() && i < limit; ++i)
    list.push_back({{"name", clean(values[i].name, 60)}, {"value", number_json(values[i].value)}});
  return list;
}

}  // namespace gingham::report
