#include "gingham/tools/transform.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gingham/base/digest.hpp"
#include "gingham/base/parallel.hpp"
#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/reading_json.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/io/whole_file.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/output.hpp"
#include "gingham/tools/read_within.hpp"

namespace gingham {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr const char* kMarker = "transform.json";

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The files that were typed, read as those of the fit where nothing else was asked for.
ReadingRecord reading_like(const ReadingRecord& fit, ReadingRecord asked) {
  if (asked.unlisted.empty()) asked.unlisted = fit.unlisted;
  if (asked.duplicates.empty()) asked.duplicates = fit.duplicates;
  if (asked.labels.empty()) asked.labels = fit.labels;
  if (asked.index_base < 0) asked.index_base = fit.index_base;
  return asked;
}

// The files of the fit's options must be those of the fit.
void attach_unchanged(StoredResult& stored, const std::string& directory,
                      const std::map<std::string, std::string>& moved) {
  attach_again(stored.result.options, stored.attached, directory, moved);
  for (const std::string& change : changed_files(stored.result.options, stored.attached))
    throw Error(ErrorCode::input, "", change);
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json named(const std::vector<NamedValue>& values) {
  Json object = Json::object();
  for (const NamedValue& one : values) object[one.name] = number(one.value);
  return object;
}

// What the new items were made with: the place of the result, its digest and its own words.
Json fit_json(const std::string& directory) {
  const std::string text = read_whole_file(directory + "/result.json");
  Digest digest;
  digest.add_bytes(text.data(), text.size());
  const Json result = Json::parse(text);
  Json json;
  json["directory"] = printable(directory, 4096);
  json["digest"] = digest.hex();
  for (const char* key : {"gingham", "method", "parameters", "attached", "seed", "inputs"})
    if (result.contains(key)) json[key] = result[key];
  return json;
}

// In the order they were given.
Json inputs_json(const TransformOutcome& outcome) {
  Json inputs = Json::array();
  const std::vector<InputSummary> all = summaries(outcome.fresh);
  std::vector<Index> places = outcome.views;
  for (Index b = 0; outcome.views.empty() && b < std::ssize(all); ++b) places.push_back(b);
  for (const Index b : places) {
    const InputSummary& input = all[b];
    inputs.push_back({{"path", input.path},
                      {"shape", input.shape},
                      {"nonzeros", input.nonzeros},
                      {"missing", input.missing},
                      {"digest", input.digest}});
  }
  return inputs;
}

Json sizes_json(const TransformOutcome& outcome) {
  std::vector<Json> sizes(outcome.components.size(), Json::object());
  for (const Membership& membership : outcome.found.memberships) {
    const std::vector<Index> all = sizes_of(membership, std::ssize(sizes));
    for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k][membership.key()] = all[k];
  }
  Json components = Json::array();
  for (Json& size : sizes) components.push_back({{"size", std::move(size)}});
  return components;
}

Json story_json(const TransformRequest& request, const ReadingRecord& reading,
                const TransformOutcome& outcome) {
  Json json;
  json["gingham"] = kVersion;
  json["fit"] = fit_json(request.result);
  if (!request.settings.empty()) json["set"] = request.settings;
  json["mode"] = {{"number", request.mode}, {"name", outcome.mode}};
  if (!outcome.views.empty()) json["views"] = outcome.views;
  json["inputs"] = inputs_json(outcome);
  json["reading"] = reading_json(reading);
  json["status"] = status_name(outcome.status);
  const Terms& terms = outcome.found.terms;
  json["objective"] = number(terms.objective());
  json["terms"] = {{"loss", number(terms.loss)}};
  json["terms"].update(named(terms.penalties));
  json["gaps"] = named(terms.gaps);
  json["components"] = sizes_json(outcome);
  json["notes"] = outcome.found.notes;
  json["arrays"] = Json::array();
  for (const NamedArray& array : outcome.found.arrays) {
    const ArrayRecord record = record_of(array);
    json["arrays"].push_back(
        {{"name", record.name}, {"shape", record.shape}, {"file", record.file()}});
  }
  json["labels"] = Json::array();
  for (const Membership& membership : outcome.found.memberships)
    json["labels"].push_back(membership.key());
  return json;
}

void write(const std::string& output, bool replace, const TransformOutcome& outcome, Json story) {
  const auto began = Clock::now();
  Result shown;  // clusters.tsv of the new items, under their names
  shown.item_labels = item_labels(outcome.fresh);
  shown.model.components = outcome.components;
  shown.model.memberships = outcome.found.memberships;
  AtomicDirectory files(output, replace, kMarker);
  write_clusters(files, shown);
  for (const Membership& membership : shown.model.memberships)
    write_labels(files, "labels/" + membership.key() + ".txt", membership);
  for (const NamedArray& array : outcome.found.arrays) write_array(files, "", array);
  story["seconds"]["write"] = seconds_since(began);
  files.write(kMarker, story.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  files.commit();
}

}  // namespace

TransformOutcome transform(const TransformRequest& request) {
  const auto began = Clock::now();
  const std::string output = without_final_slash(request.output);
  check_parent(output);
  check_replaceable(output, kMarker, "a transform", request.force);
  ResultDirectory stored = read_result(request.result);
  attach_unchanged(stored.json, request.result, request.attached);
  const Result& fit = stored.json.result;
  const ReadingRecord reading = reading_like(stored.json.reading, request.reading);
  ThreadPool pool(request.threads);
  const ApplyRequest asked{.mode = request.mode,
                           .views = request.views,
                           .settings = request.settings,
                           .executor = &pool,
                           .memory_limit_bytes = memory_limit(request.memory_limit_bytes)};
  const ApplyPlan plan = plan_apply(fit, asked, std::ssize(reading.files));
  std::vector<Block> given = read_blocks_within(files_of(reading), asked.memory_limit_bytes,
                                                rows_for(*plan.info, plan.options), &pool);

  TransformOutcome outcome{apply_fit(fit, std::move(given), asked)};
  const double read_seconds = seconds_since(began) - outcome.seconds;
  outcome.method = fit.method;
  outcome.components = fit.model.components;
  if (outcome.status == Status::numerical_failure) return outcome;
  Json story = story_json(request, reading, outcome);
  story["seconds"] = {{"read", read_seconds}, {"transform", outcome.seconds}};
  write(output, request.force, outcome, std::move(story));
  outcome.is_written = true;
  return outcome;
}

}  // namespace gingham
