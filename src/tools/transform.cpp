#include "gingham/tools/transform.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gingham/base/digest.hpp"
#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/data/slices.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/reading_json.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/io/whole_file.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/output.hpp"
#include "gingham/tools/read_within.hpp"
#include "gingham/tools/transform_views.hpp"

namespace gingham {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr const char* kMarker = "transform.json";

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

const MethodInfo& method_with_transform(const std::string& name) {
  const MethodInfo& info = find_method(name);
  if (info.transform) return info;
  std::string known;
  for (const MethodInfo& other : all_methods()) {
    if (other.transform) known += " " + other.name;
  }
  throw Error(ErrorCode::usage, name, "cannot be applied to new data; methods that can:" + known);
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
void attach_unchanged(StoredResult& stored, const std::map<std::string, std::string>& moved) {
  attach_again(stored.result.options, stored.attached, moved);
  for (const std::string& change : changed_files(stored.result.options, stored.attached))
    throw Error(ErrorCode::input, "", change);
}

// Options that say how a fit is applied, as they are wanted now.
void change_settings(Options& options, const std::map<std::string, std::string>& settings) {
  for (const auto& [name, text] : settings) {
    if (options.has(name) && options.record(name).is_for_transform) {
      options.set(name, text);
      continue;
    }
    std::string known;
    for (const OptionRecord& record : options.records())
      if (record.is_for_transform) known += (known.empty() ? "" : ", ") + record.name;
    throw Error(ErrorCode::usage, "--set",
                fmt::format("'{}' is not an option that may change here; there {}",
                            printable(name, 40), known.empty() ? "is none" : "is " + known));
  }
}

void check_mode(const TransformRequest& request, const Result& fit) {
  const auto modes = fit.inputs.empty() ? 0 : std::ssize(fit.inputs[0].shape);
  if (request.mode >= 0 && request.mode < modes) return;
  throw Error(ErrorCode::usage, "--mode",
              fmt::format("there is no mode {}; the data of the fit have modes 0 to {}",
                          request.mode, modes - 1));
}

void check_sizes(const Block& block, const InputSummary& fit, Index mode) {
  const auto n_modes = std::ssize(fit.shape);
  if (block.modes() != n_modes) {
    throw Error(ErrorCode::input, block.name(),
                fmt::format("has {} modes ({}), expected {} as in the fit ({})", block.modes(),
                            shape_text(block.shape()), n_modes, shape_text(fit.shape)));
  }
  for (Index m = 0; m < n_modes; ++m) {
    if (m == mode || block.shape()[m] == fit.shape[m]) continue;
    throw Error(ErrorCode::input, block.name(),
                fmt::format("{}: {} items found, expected {} as in the fit; only {} may be others",
                            mode_name(m, n_modes), block.shape()[m], fit.shape[m],
                            mode_name(mode, n_modes)));
  }
}

// The names of the items of the other modes, where both sides have them. `ending`: of the fit's
// files of names, for one of several inputs.
void check_names(const Block& block, const std::string& result, const std::string& ending,
                 Index mode) {
  for (Index m = 0; m < block.modes(); ++m) {
    if (m == mode || block.labels(m).empty()) continue;
    const std::string name = mode_name(m, block.modes());
    const Labels fitted = read_names(result, name + ending);
    if (fitted.size() != block.labels(m).size()) continue;
    for (std::size_t i = 0; i < fitted.size(); ++i) {
      const std::string found = printable(block.labels(m)[i], 4096);
      if (found == fitted[i]) continue;
      throw Error(ErrorCode::input, block.name(),
                  fmt::format("{}: item {} is called '{}', expected '{}' as in the fit; bring them "
                              "into its order",
                              name, i + 1, printable(found, 60), printable(fitted[i], 60)));
    }
  }
}

// An array with one mode less than the fit's is one slice of the mode that is asked for.
std::vector<Block> with_all_modes(std::vector<Block> blocks, const Result& fit, Index mode) {
  if (blocks.size() != 1 || fit.inputs.size() != 1) return blocks;
  Shape expected = fit.inputs[0].shape;
  expected.erase(expected.begin() + mode);
  if (expected.size() < 2 || blocks[0].shape() != expected) return blocks;
  blocks.push_back(as_slice(blocks[0], mode));
  blocks.erase(blocks.begin());
  return blocks;
}

void check_data(const Dataset& fresh, const std::vector<Index>& places, const MethodInfo& info,
                const Result& fit, const TransformRequest& request) {
  check_kind(info, fresh);
  check_signs(info, fresh, fit.options);
  for (const Index b : places) {
    check_sizes(fresh.block(b), fit.inputs[b], request.mode);
    const std::string ending = fit.inputs.size() > 1 ? fmt::format("_{}", b) : "";
    check_names(fresh.block(b), request.result, ending, request.mode);
  }
  if (request.mode == 0) check_shared(info, fresh);
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
Json inputs_json(const Dataset& fresh, const std::vector<Index>& places) {
  Json inputs = Json::array();
  const std::vector<InputSummary> all = summaries(fresh);
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

Json story_json(const TransformRequest& request, const ReadingRecord& reading, const Dataset& fresh,
                const std::vector<Index>& places, const TransformOutcome& outcome) {
  Json json;
  json["gingham"] = kVersion;
  json["fit"] = fit_json(request.result);
  if (!request.settings.empty()) json["set"] = request.settings;
  json["mode"] = {{"number", request.mode}, {"name", outcome.mode}};
  if (!outcome.views.empty()) json["views"] = outcome.views;
  json["inputs"] = inputs_json(fresh, places);
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

void write(const std::string& output, bool replace, const Dataset& fresh,
           const TransformOutcome& outcome, Json story) {
  const auto began = Clock::now();
  Result shown;  // clusters.tsv of the new items, under their names
  shown.item_labels = item_labels(fresh);
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

Status status_of(const Terms& terms, const Options& options) {
  if (!std::isfinite(terms.objective()) || !std::isfinite(terms.gap()))
    return Status::numerical_failure;
  return terms.gap() <= options.real("tolerance") ? Status::converged : Status::iteration_limit;
}

}  // namespace

TransformOutcome transform(const TransformRequest& request) {
  const auto began = Clock::now();
  const std::string output = without_final_slash(request.output);
  check_parent(output);
  check_replaceable(output, kMarker, "a transform", request.force);
  ResultDirectory stored = read_result(request.result);
  attach_unchanged(stored.json, request.attached);
  change_settings(stored.json.result.options, request.settings);
  const Result& fit = stored.json.result;
  const MethodInfo& info = method_with_transform(fit.method);
  check_mode(request, fit);
  const double limit = memory_limit(request.memory_limit_bytes);
  const ReadingRecord reading = reading_like(stored.json.reading, request.reading);
  const std::vector<Index> places =
      places_of(request.views, info, fit.inputs, std::ssize(reading.files));
  std::vector<Block> given =
      read_blocks_within(files_of(reading), limit, rows_for(info, fit.options));
  const Dataset fresh =
      in_places(with_all_modes(std::move(given), fit, request.mode), places, fit.inputs);
  check_data(fresh, places, info, fit, request);
  check_memory(estimate_bytes(info, fresh, fit.options), limit);
  const double read_seconds = seconds_since(began);

  const auto work_began = Clock::now();
  const BlasSingleThread blas;
  ThreadPool pool(request.threads);
  Context context(pool, static_cast<std::uint64_t>(fit.options.integer("seed")), 0);
  TransformOutcome outcome;
  outcome.found = info.transform(fresh, fit.options, fit.model, request.mode, context);
  outcome.seconds = seconds_since(work_began);
  if (info.input == InputKind::views) outcome.views = places;
  outcome.n_views = std::ssize(outcome.views) > 0 ? std::ssize(fit.inputs) : 0;
  std::erase_if(outcome.found.arrays, [&](const NamedArray& array) {
    return is_of_absent_view(array.name, info, outcome.views, outcome.n_views);
  });
  outcome.method = info.name;
  outcome.mode = mode_name(request.mode, fresh.block(0).modes());
  outcome.components = fit.model.components;
  outcome.status = status_of(outcome.found.terms, fit.options);
  if (outcome.status == Status::numerical_failure) return outcome;
  Json story = story_json(request, reading, fresh, places, outcome);
  story["seconds"] = {{"read", read_seconds}, {"transform", outcome.seconds}};
  write(output, request.force, fresh, outcome, std::move(story));
  outcome.is_written = true;
  return outcome;
}

}  // namespace gingham
