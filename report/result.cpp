#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gingham/base/text.hpp"
#include "gingham/io/attached.hpp"
#include "gingham/tools/status_words.hpp"
#include "report/names.hpp"
#include "report/picture.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace gingham::report {
namespace {

constexpr std::size_t kMaxNotes = 30, kMaxInputs = 60, kMaxValues = 60, kMaxRestarts = 100;
constexpr std::size_t kMaxUsed = 30, kMaxPoints = 1000;

std::string what_was_read(const Result& result) {
  if (result.inputs.empty()) return "";
  std::string text = file_name(result.inputs.front().path);
  if (result.inputs.size() > 1)
    text += " and " + counted(std::ssize(result.inputs) - 1, "more input");
  return text;
}

Json components_json(const Result& result) {
  Json list = Json::array();
  for (const Component& one : result.model.components) {
    if (std::ssize(list) == kMaxComponents) break;
    Json blocks = Json::array();
    for (const double share : one.block_explained) blocks.push_back(number_json(share));
    list.push_back({{"weight", number_json(one.weight)},
                    {"explained", number_json(one.explained)},
                    {"level", number_json(one.level)},
                    {"blocks", blocks}});
  }
  return list;
}

// Evenly thinned, with the last record of each component.
std::vector<const Record*> shown_records(const std::vector<Record>& trace) {
  std::vector<const Record*> shown;
  const double stride = std::max(static_cast<double>(trace.size()) / kMaxPoints, 1.0);
  double next = 0.0;
  for (std::size_t i = 0; i < trace.size() && shown.size() < 2 * kMaxPoints; ++i) {
    const bool is_last = i + 1 == trace.size() || trace[i + 1].component != trace[i].component;
    if (static_cast<double>(i) < next && !is_last) continue;
    shown.push_back(&trace[i]);
    if (static_cast<double>(i) >= next) next += stride;
  }
  return shown;
}

Json trace_json(const Result& result) {
  Json component = Json::array(), iteration = Json::array(), objective = Json::array(),
       gap = Json::array(), moved = Json::array(), seconds = Json::array();
  for (const Record* record : shown_records(result.trace)) {
    component.push_back(record->component);
    iteration.push_back(record->iteration);
    objective.push_back(number_json(record->objective));
    gap.push_back(number_json(record->gap));
    moved.push_back(number_json(record->moved));
    seconds.push_back(number_json(record->seconds));
  }
  return {{"component", component}, {"iteration", iteration},
          {"objective", objective}, {"gap", gap},
          {"moved", moved},         {"seconds", seconds}};
}

Json restarts_json(const Result& result) {
  Json list = Json::array();
  for (std::size_t i = 0; i < result.restarts.size() && i < kMaxRestarts; ++i) {
    const RestartSummary& one = result.restarts[i];
    list.push_back({{"objective", number_json(one.objective)},
                    {"iterations", one.iterations},
                    {"status", status_words(one.status).title},
                    {"left", one.status == Status::left_race},
                    {"kept", static_cast<Index>(i) == result.best_restart}});
  }
  return list;
}

std::string used_text(const Result& result, const OptionRecord& record) {
  std::string text;
  for (const UsedValues& used : result.model.used) {
    if (used.option != record.name && used.option != record.key()) continue;
    for (std::size_t i = 0; i < used.values.size() && i < kMaxUsed; ++i)
      text += (text.empty() ? "" : ", ") + number(used.values[i]);
    if (used.values.size() > kMaxUsed) text += ", \u2026";
  }
  return text;
}

Json options_json(const Result& result) {
  Json list = Json::array();
  for (const OptionRecord& record : result.options.records()) {
    list.push_back({{"name", clean(record.name, 60)},
                    {"value", clean(result.options.canonical(record.name), 240)},
                    {"initial", clean(record.initial, 60)},
                    {"used", used_text(result, record)},
                    {"help", clean(record.help, 400)}});
  }
  return list;
}

Json inputs_json(const Result& result) {
  Json list = Json::array();
  for (std::size_t i = 0; i < result.inputs.size() && i < kMaxInputs; ++i) {
    const InputSummary& input = result.inputs[i];
    list.push_back({{"path", clean(input.path, 240)},
                    {"shape", input.shape},
                    {"nonzeros", input.nonzeros},
                    {"missing", input.missing},
                    {"digest", clean(input.digest, 80)}});
  }
  return list;
}

Json attached_json(const Result& result) {
  Json list = Json::array();
  for (const AttachedRecord& one : attached_records(result.options)) {
    list.push_back({{"option", clean(one.option, 60)},
                    {"path", clean(shown_name(result.options, one), 240)},
                    {"size", one.size_text()},
                    {"digest", clean(one.digest, 80)}});
  }
  return list;
}

Json texts(const std::vector<std::string>& all, std::size_t limit, std::size_t length) {
  Json list = Json::array();
  for (std::size_t i = 0; i < all.size() && i < limit; ++i) list.push_back(clean(all[i], length));
  return list;
}

std::vector<NamedValue> terms_of(const Result& result) {
  std::vector<NamedValue> terms{{"loss", result.terms.loss}};
  terms.insert(terms.end(), result.terms.penalties.begin(), result.terms.penalties.end());
  terms.resize(std::min(terms.size(), kMaxValues - 1));
  terms.push_back({"objective", result.terms.objective()});
  return terms;
}

double fit_seconds(const Result& result) {
  for (const NamedValue& one : result.seconds) {
    if (one.name == "fit") return one.value;
  }
  return 0.0;
}

const char* tone_name(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "good";
    case Tone::fair:
      return "fair";
    case Tone::bad:
      break;
  }
  return "bad";
}

Json status_json(const Result& result) {
  const StatusWords words = status_words(result.status);
  return {{"name", status_name(result.status)},
          {"tone", tone_name(words.tone)},
          {"title", words.title},
          {"meaning", words.meaning}};
}

// Of the shares per block, where components have them.
Json block_names(const Result& result, const Json& components) {
  Json names = Json::array();
  const auto has_shares = [](const Json& one) { return !one["blocks"].empty(); };
  if (std::none_of(components.begin(), components.end(), has_shares)) return names;
  for (const InputSummary& input : result.inputs) names.push_back(file_name(input.path));
  return names;
}

}  // namespace

Json result_json(const Dataset& data, const Result& result, const Place& place, Shared& shared) {
  const MethodInfo* info = known_method(result);
  Json json;
  json["folder"] = place.folder.empty() ? Json(nullptr) : Json(clean(place.folder, 400));
  json["name"] = clean(place.name, 120);
  json["method"] = clean(result.method, 60);
  json["title"] = clean(info != nullptr ? info->title : result.method, 300);
  json["formula"] = info != nullptr ? clean(info->formula, 2000) : "";
  json["reference"] = info != nullptr ? clean(info->reference, 1000) : "";
  json["inputs_title"] = what_was_read(result);
  json["status"] = status_json(result);
  json["objective"] = number_json(result.terms.objective());
  json["gap"] = number_json(result.terms.gap());
  json["explained"] = number_json(result.model.explained);
  json["iterations"] = result.iterations;
  json["fit_seconds"] = number_json(fit_seconds(result));
  json["notes"] = texts(result.model.notes, kMaxNotes, 400);
  json["notes_left_out"] = std::max<Index>(std::ssize(result.model.notes) - kMaxNotes, 0);
  json["n_components"] = result.model.components.size();
  json["components"] = components_json(result);
  json["block_names"] = block_names(result, json["components"]);
  json["modes"] = modes_json(result, shared);
  json["modes_left_out"] = std::ssize(result.model.memberships) - std::ssize(json["modes"]);
  json["picture"] = picture_json(data, result, shared);
  json["panels"] = panels_json(data, result);
  json["trace"] = trace_json(result);
  json["trace_length"] = result.trace.size();
  json["tolerance"] =
      result.options.has("tolerance") ? number_json(result.options.real("tolerance")) : Json("nan");
  json["restarts"] = restarts_json(result);
  json["scores"] = named_json(result.scores, kMaxValues);
  json["measures"] = named_json(result.model.measures, kMaxValues);
  json["terms"] = named_json(terms_of(result), kMaxValues);
  json["gaps"] = named_json(result.terms.gaps, kMaxValues);
  json["command"] = clean(place.command, 4000);
  json["version"] = clean(result.version, 40);
  json["seed"] = result.options.has("seed") ? result.options.canonical("seed") : "";
  json["options"] = options_json(result);
  json["inputs"] = inputs_json(result);
  json["attached"] = attached_json(result);
  json["truth"] = texts(result.truth, 10, 240);
  json["seconds"] = named_json(result.seconds, kMaxValues);
  json["peak_memory"] = human_bytes(result.peak_bytes);
  return json;
}

}  // namespace gingham::report
