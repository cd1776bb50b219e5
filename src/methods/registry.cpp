#include "gingham/engine/registry.hpp"

#include "gingham/base/text.hpp"
#include "gingham/engine/run.hpp"

namespace gingham {

const std::vector<MethodInfo>& all_methods() {
  static const std::vector<MethodInfo> methods = list_methods();
  return methods;
}

const MethodInfo& find_method(std::string_view name) {
  std::string known;
  for (const MethodInfo& info : all_methods()) {
    if (info.name == name) return info;
    known += " " + info.name;
  }
  throw Error(ErrorCode::usage, "",
              "there is no method '" + printable(name, 60) + "'; there are" + known);
}

Result run(std::string_view method, const Dataset& data, const std::vector<Setting>& settings,
           const std::vector<Observer*>& observers) {
  const MethodInfo& info = find_method(method);
  Options options = info.make_options();
  for (const Setting& setting : settings) options.set(setting.name, setting.text);
  return run(info, data, options, observers);
}

}  // namespace gingham
