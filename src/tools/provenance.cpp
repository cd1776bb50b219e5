#include "gingham/tools/provenance.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/io/whole_file.hpp"

namespace gingham {
namespace {

using Json = nlohmann::ordered_json;

Json::json_pointer place(std::string key) {
  std::replace(key.begin(), key.end(), '.', '/');
  return Json::json_pointer("/" + key);
}

}  // namespace

Provenance::Provenance(const Dataset& data, const std::string& command) {
  std::vector<std::string> names, digests;
  for (const Block& block : data.blocks()) {
    names.push_back(printable(block.name(), 4096));
    digests.push_back(block.digest());
  }
  add("gingham", {kVersion}, false, true);
  add("command", {printable(command, 100000)}, false, false);
  add("inputs", names, true, false);
  add("digests", digests, true, true);
}

void Provenance::set(const std::string& key, const Options& options,
                     const std::vector<std::string>& except) {
  for (const OptionRecord& record : options.records()) {
    if (std::find(except.begin(), except.end(), record.name) != except.end()) continue;
    if (record.may_differ_on_resume || !options.given(record.name)) continue;
    const bool is_file = options.is_file(record.name);
    const std::string place = key + "." + record.key();
    add(place, {options.canonical(record.name)}, false, !is_file);
    if (is_file) set(place + "_digest", options.digest(record.name));
  }
  for (const std::string& name : options.file_names()) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) continue;
    set(key + "." + name.substr(0, dot) + "_" + name.substr(dot + 1) + "_digest",
        options.digest(name));
  }
}

std::string Provenance::json() const {
  Json json;
  for (const Field& field : fields_)
    json[place(field.key)] = field.is_list ? Json(field.values) : Json(field.values.front());
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<std::string> Provenance::difference(const std::string& file) const {
  try {
    const Json saved = Json::parse(read_whole_file(file));
    const Json now = Json::parse(json());
    for (const Field& field : fields_) {
      const Json::json_pointer at = place(field.key);
      if (field.must_agree && (!saved.contains(at) || saved.at(at) != now.at(at))) return field.key;
    }
    return std::nullopt;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::input, printable(file), std::string("is damaged: ") + error.what());
  }
}

}  // namespace gingham
