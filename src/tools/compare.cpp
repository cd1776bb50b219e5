#include "gingham/tools/compare.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "gingham/base/text.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/tools/evaluate.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/provenance.hpp"
#include "gingham/tools/read_within.hpp"
#include "gingham/tools/totals.hpp"

namespace gingham {
namespace {

constexpr const char* kMarker = "compare.json";

struct Entry {
  std::string name;  // of its folder
  const MethodInfo* info = nullptr;
  Options options = {};
  std::string given = {};  // options that are not at their defaults, as in a list of methods
  bool is_per_block = false;
  std::string refusal = {};  // why it cannot work on the data
};

std::vector<Entry> entries_of(const CompareRequest& request) {
  std::vector<Entry> entries;
  std::map<std::string, int> seen;
  std::set<std::string> unused;
  for (const auto& [name, text] : request.options) unused.insert(name);
  for (const MethodChoice& choice : request.methods) {
    const int occurrence = ++seen[choice.info->name];
    Entry entry{.name = choice.info->name, .info = choice.info};
    if (occurrence > 1) entry.name += fmt::format("_{}", occurrence);
    entry.options = choice.info->make_options();
    const auto set = [&](const std::string& name, const std::string& text) {
      entry.options.set(name, text);
      entry.given += (entry.given.empty() ? "" : ":") + name + "=" + text;
    };
    for (const auto& [name, text] : request.options) {
      if (!entry.options.has(name)) continue;
      unused.erase(name);
      const bool is_overruled =
          std::any_of(choice.settings.begin(), choice.settings.end(),
                      [&](const auto& setting) { return setting.first == name; });
      if (!is_overruled) set(name, text);
    }
    for (const auto& [name, text] : choice.settings) set(name, text);
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) throw Error(ErrorCode::usage, "--methods", "a method is needed");
  if (!unused.empty())
    throw Error(ErrorCode::usage, "--" + *unused.begin(), "none of these methods has this option");
  return entries;
}

Dataset part_of(const Dataset& data, const Entry& entry, Index block) {
  return entry.is_per_block ? Dataset(data.block(block)) : data;
}

Index n_parts(const Dataset& data, const Entry& entry) {
  return entry.is_per_block ? data.size() : 1;
}

// What a method says about data or options, not what goes wrong around it.
bool is_refusal(const Error& error) {
  return error.code() == ErrorCode::input || error.code() == ErrorCode::usage ||
         error.code() == ErrorCode::memory;
}

// Whether the method can work on the data; if not, the entry says why.
void check_entry(Entry& entry, const Dataset& data, double limit) {
  const bool takes_one =
      entry.info->input == InputKind::matrix || entry.info->input == InputKind::tensor;
  entry.is_per_block = takes_one && data.size() > 1;
  try {
    for (Index block = 0; block < n_parts(data, entry); ++block) {
      const Dataset part = part_of(data, entry, block);
      check_inputs(*entry.info, part, entry.options);
      const double beside = static_cast<double>(data.bytes() - part.bytes());
      check_memory(estimate_bytes(*entry.info, part, entry.options) + beside, limit);
    }
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    entry.refusal = error.what();
  }
}

void check_entries(std::vector<Entry>& entries, const CompareRequest& request, const Dataset& data,
                   double limit) {
  std::string refusals;
  bool one_works = false;
  for (Entry& entry : entries) {
    check_entry(entry, data, limit);
    one_works = one_works || entry.refusal.empty();
    refusals += (refusals.empty() ? "" : "; ") + entry.name + ": " + entry.refusal;
    if (!entry.is_per_block || request.truth.empty()) continue;
    if (std::ssize(request.truth) != 1 && std::ssize(request.truth) != data.size()) {
      throw Error(ErrorCode::usage, "--truth",
                  fmt::format("{} files for {} blocks; give one for each, or one for all",
                              request.truth.size(), data.size()));
    }
    if (request.truth[0].ends_with(".tsv")) {
      throw Error(ErrorCode::usage, "--truth",
                  fmt::format("{} runs on every block by itself; give a label file per block",
                              entry.info->name));
    }
  }
  if (!one_works)
    throw Error(ErrorCode::input, "", "no method can work on these data: " + refusals);
}

std::vector<NamedValue> scores_of(const std::vector<Result>& results) {
  std::vector<std::vector<NamedValue>> blocks;
  for (const Result& result : results) {
    if (result.scores.empty()) return {};
    blocks.push_back(result.scores);
  }
  return average_scores(blocks);
}

void begin_row(Table& table, const Entry& entry, const std::string& status) {
  table.add_row();
  table.set("method", entry.name, true);
  table.set("options", entry.given, true);
  table.set("status", status, true);
}

void add_row(Table& table, const Entry& entry, const std::vector<Result>& results) {
  const Totals totals = totals_of(results);
  begin_row(table, entry, std::string(status_name(totals.status)));
  for (const NamedValue& score : scores_of(results))
    table.set(score.name, score.value, !is_block_score(score.name));
  table.set("iterations", totals.iterations, true);
  table.set("objective", totals.objective, true);
  table.set("explained", totals.explained, true);
  for (const NamedValue& size : totals.sizes) table.set(size.name, size.value);
  table.set("seconds", totals.seconds, true);
  table.set("folder", entry.name);
  table.set("message", std::string());
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directory(path, error);
  if (error) throw Error(ErrorCode::output, printable(path), error.message());
}

// A result per part, each written; fewer when somebody asked to stop.
std::vector<Result> run_entry(const CompareRequest& request, const Entry& entry,
                              const Dataset& data, const std::string& folder, double read_seconds,
                              const std::vector<Observer*>& observers,
                              std::vector<std::string>& remarks) {
  if (entry.is_per_block) make_folder(folder);
  ThreadPool pool(static_cast<int>(entry.options.integer("threads")));
  std::vector<Result> results;
  for (Index block = 0; block < n_parts(data, entry); ++block) {
    if (request.begin_run)
      request.begin_run(entry.is_per_block ? fmt::format("block {}  ", block) : "");
    const Dataset part = part_of(data, entry, block);
    Session session(*entry.info, part, entry.options, pool);
    Result result = session.run(observers);
    if (result.status == Status::cancelled) break;
    result.seconds.insert(result.seconds.begin(), {"read", read_seconds});
    Finishing finishing{.reading = record_of(request.input),
                        .truth = request.truth,
                        .truth_mode = request.truth_mode,
                        .report = request.report};
    std::string directory = folder;
    if (entry.is_per_block) {
      finishing.reading = record_of(block_of(request.input, block));
      if (request.truth.size() > 1) finishing.truth = {request.truth[block]};
      directory += fmt::format("/{}", block);
    }
    write_run(directory, part, finishing, false, result, remarks);
    results.push_back(std::move(result));
  }
  return results;
}

Provenance provenance(const CompareRequest& request, const std::vector<Entry>& entries,
                      const Dataset& data) {
  Provenance record(data, request.command);
  for (const Entry& entry : entries) {
    record.set("methods." + entry.name + ".method", entry.info->name);
    record.set("methods." + entry.name + ".requested", entry.options);
  }
  record.set("truth", request.truth);
  record.set("mode", request.truth_mode);
  return record;
}

}  // namespace

CompareOutcome compare(const CompareRequest& request) {
  const auto began = std::chrono::steady_clock::now();
  const std::string output = without_final_slash(request.output);
  std::vector<Entry> entries = entries_of(request);
  check_parent(output);
  check_replaceable(output, kMarker, "a comparison", request.force);
  check_truth(request.truth);
  const double limit = memory_limit(request.memory_limit_bytes);
  const Dataset data = read_within(request.input, limit);
  check_entries(entries, request, data, limit);
  const double read_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  begin_folder(output, kMarker, provenance(request, entries, data).json());

  const BlasSingleThread blas;
  StopFlag stop_flag(request.stop);
  std::vector<Observer*> observers{&stop_flag};
  observers.insert(observers.end(), request.observers.begin(), request.observers.end());

  CompareOutcome outcome;
  outcome.is_complete = true;
  for (Entry& entry : entries) {
    std::vector<Result> results;
    try {
      if (entry.refusal.empty()) {
        results = run_entry(request, entry, data, output + "/" + entry.name, read_seconds,
                            observers, outcome.remarks);
      }
    } catch (const Error& error) {
      if (!is_refusal(error)) throw;
      entry.refusal = error.what();
    }
    if (!entry.refusal.empty()) {
      begin_row(outcome.table, entry, "refused");
      outcome.table.set("message", entry.refusal);
      outcome.remarks.push_back(entry.name + " was refused: " + entry.refusal);
      continue;
    }
    if (std::ssize(results) < n_parts(data, entry)) {
      outcome.is_complete = false;
      break;
    }
    outcome.worst = worse(outcome.worst, totals_of(results).status);
    add_row(outcome.table, entry, results);
  }
  if (outcome.table.rows() > 0) write_file_atomically(output + "/compare.tsv", outcome.table.tsv());
  return outcome;
}

}  // namespace gingham
