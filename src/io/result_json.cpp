#include "gingham/io/result_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gingham/base/text.hpp"
#include "gingham/engine/registry.hpp"
#include "gingham/io/reading_json.hpp"

namespace gingham {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN; null stands for it.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

double to_number(const Json& value) { return value.is_null() ? std::nan("") : value.get<double>(); }

Json named(const std::vector<NamedValue>& values) {
  Json object = Json::object();
  for (const NamedValue& one : values) object[one.name] = number(one.value);
  return object;
}

std::vector<NamedValue> to_named(const Json& object) {
  std::vector<NamedValue> values;
  for (const auto& [name, value] : object.items()) values.push_back({name, to_number(value)});
  return values;
}

// The numbers that were used for a penalty: one number where they are all alike.
Json used_numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  const bool all_same = std::count(list.begin(), list.end(), list[0]) == std::ssize(list);
  return all_same && !values.empty() ? list[0] : list;
}

// Penalties of modes, percentages replaced by the numbers they came to.
std::string with_numbers(const Result& result, const OptionRecord& record) {
  for (const UsedValues& used : result.model.used) {
    if (used.option == record.name)
      return to_text(result.options.mode_penalties(record.name), used.values);
  }
  return result.options.canonical(record.name);
}

Json parameter(const Result& result, const OptionRecord& record) {
  const Options& options = result.options;
  if (!options.given(record.name)) return nullptr;
  switch (record.type) {
    case OptionType::flag:
      return options.flag(record.name);
    case OptionType::integer:
      return options.integer(record.name);
    case OptionType::real:
      return number(options.real(record.name));
    case OptionType::choice:
    case OptionType::text:
      return options.text(record.name);
    case OptionType::lines:
    case OptionType::matrix:
      return options.canonical(record.name);
    case OptionType::mode_penalties:
      return with_numbers(result, record);
    case OptionType::penalties:
      break;
  }
  for (const UsedValues& used : result.model.used) {
    if (used.option == record.name) return used_numbers(used.values);
  }
  return options.canonical(record.name);
}

Json phases(const std::vector<NamedValue>& seconds) {
  Json object = Json::object();
  Json parts = Json::object();
  for (const NamedValue& one : seconds) {
    const std::size_t dot = one.name.find('.');
    (dot == std::string::npos ? object[one.name] : parts[one.name.substr(dot + 1)]) =
        number(one.value);
  }
  object["phases"] = std::move(parts);
  return object;
}

Json optional_number(const std::optional<Index>& value) { return value ? Json(*value) : Json(); }

std::optional<Index> to_optional(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<Index>());
}

Json to_json(const AttachedRecord& one) {
  Json json = {{"path", one.path}, {"digest", one.digest}};
  if (one.shape.empty()) {
    json["lines"] = one.n_lines;
  } else {
    json["shape"] = one.shape;
  }
  return json;
}

AttachedRecord attached_from(const Options& options, const std::string& key, const Json& json) {
  const std::string option = key.substr(0, key.find('.'));
  const bool is_known = options.has(option);
  const OptionType type = is_known ? options.record(option).type : OptionType::text;
  const bool is_lines = type == OptionType::lines || type == OptionType::mode_penalties;
  if (!is_lines && type != OptionType::matrix)
    throw Error(ErrorCode::usage, "--" + printable(key, 60), "takes no file");
  AttachedRecord one{.option = options.record(option).name + key.substr(option.size()),
                     .path = json.at("path").get<std::string>(),
                     .digest = json.at("digest").get<std::string>()};
  if (is_lines) one.n_lines = json.at("lines").get<Index>();
  if (type == OptionType::matrix) one.shape = json.at("shape").get<Shape>();
  return one;
}

template <class T>
std::vector<T> list(const Json& json) {
  return json.get<std::vector<T>>();
}

}  // namespace

std::string to_json(const Result& result, const ReadingRecord& reading, double write_seconds) {
  Json json;
  json["gingham"] = result.version;
  json["method"] = result.method;
  json["parameters"] = Json::object();
  json["requested"] = Json::object();
  for (const OptionRecord& record : result.options.records()) {
    json["parameters"][record.key()] = parameter(result, record);
    const bool is_from_memory =
        result.options.is_file(record.name) && result.options.path(record.name).empty();
    if (result.options.given(record.name) && !is_from_memory) {
      json["requested"][record.key()] = result.options.canonical(record.name);
    }
  }
  json["maxima"] = Json::object();
  for (const UsedValues& used : result.model.used) {
    const auto is_known = [](double one) { return std::isfinite(one); };
    if (!std::any_of(used.maxima.begin(), used.maxima.end(), is_known)) continue;
    Json& list = json["maxima"][result.options.record(used.option).key()] = Json::array();
    for (const double one : used.maxima) list.push_back(number(one));
  }
  json["attached"] = Json::object();
  for (const AttachedRecord& one : attached_records(result.options)) {
    const std::string option = one.option.substr(0, one.option.find('.'));
    json["attached"][result.options.record(option).key() + one.option.substr(option.size())] =
        to_json(one);
  }
  json["seed"] = result.options.integer("seed");
  json["inputs"] = Json::array();
  for (const InputSummary& input : result.inputs) {
    json["inputs"].push_back({{"path", input.path},
                              {"shape", input.shape},
                              {"nonzeros", input.nonzeros},
                              {"missing", input.missing},
                              {"digest", input.digest}});
  }
  json["reading"] = reading_json(reading);
  json["status"] = status_name(result.status);
  json["objective"] = number(result.terms.objective());
  std::vector<NamedValue> terms{{"loss", result.terms.loss}};
  terms.insert(terms.end(), result.terms.penalties.begin(), result.terms.penalties.end());
  json["terms"] = named(terms);
  json["gaps"] = named(result.terms.gaps);
  json["iterations"] = result.iterations;
  json["explained"] = number(result.model.explained);
  json["components"] = Json::array();
  std::vector<std::vector<Index>> sizes;
  for (const Membership& membership : result.model.memberships)
    sizes.push_back(sizes_of(membership, std::ssize(result.model.components)));
  for (std::size_t k = 0; k < result.model.components.size(); ++k) {
    const Component& component = result.model.components[k];
    Json size = Json::object();
    for (std::size_t i = 0; i < sizes.size(); ++i)
      size[result.model.memberships[i].key()] = sizes[i][k];
    Json one = {{"weight", number(component.weight)},
                {"size", size},
                {"explained", number(component.explained)}};
    if (!std::isnan(component.level)) one["level"] = number(component.level);
    for (const double share : component.block_explained)
      one["explained_blocks"].push_back(number(share));
    json["components"].push_back(std::move(one));
  }
  json["restarts"] = Json::array();
  for (const RestartSummary& restart : result.restarts) {
    json["restarts"].push_back({{"objective", number(restart.objective)},
                                {"status", status_name(restart.status)},
                                {"iterations", restart.iterations}});
    if (restart.round > 0) json["restarts"].back()["round"] = restart.round;
  }
  json["best_restart"] = result.best_restart;
  if (result.is_warm) json["warm_start"] = true;
  json["measures"] = named(result.model.measures);
  json["notes"] = result.model.notes;
  json["arrays"] = Json::array();
  for (const NamedArray& array : result.model.arrays) {
    const ArrayRecord record = record_of(array);
    json["arrays"].push_back(
        {{"name", record.name}, {"shape", record.shape}, {"file", record.file()}});
  }
  json["labels"] = Json::array();
  for (const Membership& membership : result.model.memberships)
    json["labels"].push_back(membership.key());
  if (!result.truth.empty() || !result.scores.empty()) {
    json["truth"] = result.truth;
    json["truth_mode"] = result.truth_mode;
    json["scores"] = named(result.scores);
  }
  std::vector<NamedValue> seconds = result.seconds;
  seconds.push_back({"write", write_seconds});
  json["seconds"] = phases(seconds);
  json["peak_bytes"] = number(result.peak_bytes);
  json["trace"] = Json::array();
  for (const Record& record : result.trace) {
    json["trace"].push_back({{"component", record.component},
                             {"iteration", record.iteration},
                             {"objective", number(record.objective)},
                             {"gap", number(record.gap)},
                             {"moved", number(record.moved)},
                             {"seconds", number(record.seconds)}});
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

StoredResult from_json(const std::string& text, const std::string& where) {
  try {
    const Json json = Json::parse(text);
    StoredResult stored;
    Result& result = stored.result;
    result.version = json.at("gingham").get<std::string>();
    result.method = json.at("method").get<std::string>();
    const MethodInfo& info = find_method(result.method);
    result.options = info.make_options();
    for (const auto& [key, value] : json.at("requested").items()) {
      result.options.set(key, value.get<std::string>());
    }
    const Json attached = json.value("attached", Json::object());
    for (const auto& [key, one] : attached.items()) {
      stored.attached.push_back(attached_from(result.options, key, one));
    }
    for (const Json& input : json.at("inputs")) {
      result.inputs.push_back({input.at("path").get<std::string>(), list<Index>(input.at("shape")),
                               input.at("nonzeros").get<Index>(), input.at("missing").get<Index>(),
                               input.at("digest").get<std::string>()});
    }
    const Json& reading = json.at("reading");
    stored.reading = {reading.at("unlisted").get<std::string>(),
                      reading.at("duplicates").get<std::string>(),
                      reading.at("labels").get<std::string>(),
                      reading.at("index_base").get<Index>(),
                      list<Index>(reading.at("shape")),
                      list<std::string>(reading.at("files")),
                      to_optional(reading.at("series_mode")),
                      to_optional(reading.at("slice")),
                      list<std::string>(reading.value("names", Json::array()))};
    result.status = status_from_name(json.at("status").get<std::string>());
    stored.objective = to_number(json.at("objective"));
    for (const NamedValue& term : to_named(json.at("terms"))) {
      if (term.name == "loss") {
        result.terms.loss = term.value;
      } else {
        result.terms.penalties.push_back(term);
      }
    }
    result.terms.gaps = to_named(json.at("gaps"));
    result.iterations = json.at("iterations").get<Index>();
    result.model.explained = to_number(json.at("explained"));
    stored.size_keys = list<std::string>(json.at("labels"));
    for (const Json& component : json.at("components")) {
      result.model.components.push_back(
          {to_number(component.at("weight")), to_number(component.at("explained"))});
      if (component.contains("level"))
        result.model.components.back().level = to_number(component.at("level"));
      for (const Json& share : component.value("explained_blocks", Json::array()))
        result.model.components.back().block_explained.push_back(to_number(share));
      std::vector<Index> sizes;
      for (const std::string& key : stored.size_keys)
        sizes.push_back(component.at("size").at(key).get<Index>());
      stored.sizes.push_back(std::move(sizes));
    }
    for (const Json& restart : json.at("restarts")) {
      result.restarts.push_back({to_number(restart.at("objective")),
                                 status_from_name(restart.at("status").get<std::string>()),
                                 restart.at("iterations").get<Index>(),
                                 restart.value("round", Index{0})});
    }
    result.best_restart = json.at("best_restart").get<Index>();
    result.is_warm = json.value("warm_start", false);
    result.model.measures = to_named(json.at("measures"));
    result.model.notes = list<std::string>(json.at("notes"));
    for (const Json& array : json.at("arrays")) {
      ArrayRecord record{array.at("name").get<std::string>(), list<Index>(array.at("shape")),
                         false};
      record.is_sparse = array.at("file").get<std::string>().ends_with(".npz");
      stored.arrays.push_back(std::move(record));
    }
    for (const Json& record : json.at("trace")) {
      result.trace.push_back({record.at("component").get<Index>(),
                              record.at("iteration").get<Index>(),
                              to_number(record.at("objective")), to_number(record.at("gap")),
                              to_number(record.at("moved")), to_number(record.at("seconds"))});
    }
    if (json.contains("truth")) {
      result.truth = list<std::string>(json.at("truth"));
      result.truth_mode = json.at("truth_mode").get<std::string>();
      result.scores = to_named(json.at("scores"));
    }
    result.peak_bytes = to_number(json.at("peak_bytes"));
    for (const auto& [name, value] : json.at("seconds").items()) {
      if (!value.is_object()) result.seconds.push_back({name, to_number(value)});
    }
    if (json.at("seconds").contains("phases")) {
      for (const NamedValue& phase : to_named(json.at("seconds").at("phases")))
        result.seconds.push_back({"fit." + phase.name, phase.value});
    }
    for (const OptionRecord& record : result.options.records()) {
      const Json& value = json.at("parameters").at(record.key());
      UsedValues used{record.name, {}, {}};
      if (json.contains("maxima") && json.at("maxima").contains(record.key())) {
        for (const Json& one : json.at("maxima").at(record.key()))
          used.maxima.push_back(to_number(one));
      }
      if (record.type == OptionType::mode_penalties && value.is_string()) {
        Options numbers = result.options;
        numbers.set(record.name, value.get<std::string>());
        for (const ModePenalty& one : numbers.mode_penalties(record.name)) {
          const std::vector<double> own = one.penalty.numbers();
          used.values.insert(used.values.end(), own.begin(), own.end());
        }
        if (!used.values.empty()) result.model.used.push_back(std::move(used));
        continue;
      }
      if (record.type != OptionType::penalties) continue;
      if (value.is_array()) {
        for (const Json& one : value) used.values.push_back(to_number(one));
      } else if (value.is_number()) {
        used.values.assign(result.model.components.size(), value.get<double>());
      } else if (value.is_null() && result.options.given(record.name)) {
        used.values.assign(result.model.components.size(), to_number(value));  // out of range
      } else {
        continue;  // as it was typed
      }
      result.model.used.push_back(std::move(used));
    }
    for (const OptionRecord& record : result.options.records()) {
      const bool is_file = record.type == OptionType::lines || record.type == OptionType::matrix;
      if (!is_file && json.at("parameters").at(record.key()) != parameter(result, record))
        stored.changed_parameters.push_back(record.key());
    }
    if (json.at("seed") != result.options.integer("seed"))
      stored.changed_parameters.push_back("seed");
    return stored;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::input, where, std::string("is not a result: ") + error.what());
  }
}

ArrayRecord record_of(const NamedArray& array) {
  if (const auto* matrix = std::get_if<Matrix>(&array.values)) {
    return {array.name, {matrix->rows(), matrix->cols()}, false};
  }
  if (const auto* vector = std::get_if<std::vector<double>>(&array.values)) {
    return {array.name, {static_cast<Index>(vector->size())}, false};
  }
  const auto& sparse = std::get<SparseMatrix>(array.values);
  return {array.name, {sparse.rows(), sparse.cols()}, true};
}

Json reading_json(const ReadingRecord& reading) {
  return {{"unlisted", reading.unlisted},
          {"index_base", reading.index_base},
          {"duplicates", reading.duplicates},
          {"labels", reading.labels},
          {"shape", reading.shape},
          {"files", reading.files},
          {"series_mode", optional_number(reading.series_mode)},
          {"slice", optional_number(reading.slice)},
          {"names", reading.names}};
}

ReadingRecord record_of(const DataFiles& input) {
  const ReadOptions& options = input.options;
  static constexpr const char* kLabels[] = {"automatic", "none", "rows", "columns", "both"};
  return {options.unlisted == Unlisted::zero ? "zero" : "missing",
          options.duplicates == Duplicates::sum ? "sum" : "error",
          kLabels[static_cast<std::size_t>(options.labels)],
          options.index_base,
          options.shape,
          input.files,
          input.series_mode,
          input.slice,
          input.names};
}

DataFiles files_of(const ReadingRecord& record) {
  DataFiles input{.files = record.files,
                  .names = record.names,
                  .series_mode = record.series_mode,
                  .slice = record.slice};
  ReadOptions& options = input.options;
  options.unlisted = record.unlisted == "missing" ? Unlisted::missing : Unlisted::zero;
  options.duplicates = record.duplicates == "sum" ? Duplicates::sum : Duplicates::error;
  options.index_base = record.index_base;
  options.shape = record.shape;
  if (record.labels == "none") options.labels = LabelMode::none;
  if (record.labels == "rows") options.labels = LabelMode::rows;
  if (record.labels == "columns") options.labels = LabelMode::columns;
  if (record.labels == "both") options.labels = LabelMode::both;
  return input;
}

}  // namespace gingham
