#include "gingham/tools/compare.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "gingham/base/parallel.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/tools/compare_entries.hpp"
#include "gingham/tools/evaluate.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/provenance.hpp"
#include "gingham/tools/read_within.hpp"
#include "gingham/tools/totals.hpp"

namespace gingham {
namespace {

constexpr const char* kMarker = "compare.json";

std::vector<NamedValue> scores_of(const std::vector<Result>& results) {
  std::vector<std::vector<NamedValue>> blocks;
  for (const Result& result : results) {
    if (result.scores.empty()) return {};
    blocks.push_back(result.scores);
  }
  return average_scores(blocks);
}

void begin_row(Table& table, const CompareEntry& entry, const std::string& status) {
  table.add_row();
  table.set("method", entry.method, true);
  if (entry.view) {
    table.set("view", *entry.view, true);
    if (entry.has_truth) table.set("best_view", std::string(), true);
  }
  table.set("options", entry.given, true);
  table.set("status", status, true);
}

void add_row(Table& table, const CompareEntry& entry, const std::vector<Result>& results) {
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

// The row of the view a method is best on.
struct BestView {
  Index row = -1;
  double score = 0.0;

  void offer(Index at, const Result& result) {
    for (const NamedValue& one : result.scores) {
      if (one.name != "nmi" || (row >= 0 && !(one.value > score))) continue;
      row = at;
      score = one.value;
    }
  }
};

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directory(path, error);
  if (error) throw Error(ErrorCode::output, printable(path), error.message());
}

// A result per part, each written unless `folder` is empty; fewer when somebody asked to stop.
std::vector<Result> run_entry(const CompareRequest& request, const CompareEntry& entry,
                              const Dataset& data, const std::string& folder, double read_seconds,
                              const std::vector<Observer*>& observers,
                              std::vector<std::string>& remarks) {
  if (entry.is_per_block && !folder.empty()) make_folder(folder);
  ThreadPool pool(static_cast<int>(entry.options.integer("threads")));
  std::vector<Result> results;
  for (Index block = 0; block < n_parts(data, entry); ++block) {
    if (request.begin_run)
      request.begin_run(entry.is_per_block ? fmt::format("block {}  ", block)
                        : entry.view       ? fmt::format("view {}  ", *entry.view)
                                           : "");
    const Dataset part = part_of(data, entry, block);
    Session session(*entry.info, part, entry.options, pool);
    Result result = session.run(observers);
    if (result.status == Status::cancelled) break;
    result.seconds.insert(result.seconds.begin(), {"read", read_seconds});
    Finishing finishing{.reading = record_of(recorded_files(request.input, request.data)),
                        .truth = request.truth,
                        .truth_mode = request.truth_mode,
                        .report = request.report};
    std::string directory = folder;
    if (is_part(entry)) {
      const Index number = entry.view.value_or(block);
      finishing.reading = record_of(block_of(recorded_files(request.input, request.data), number));
      finishing.truth = request.truth.of_block(number);
    }
    if (entry.is_per_block && !folder.empty()) directory += fmt::format("/{}", block);
    write_run(directory, part, finishing, false, result, remarks);
    results.push_back(std::move(result));
  }
  return results;
}

Provenance provenance(const CompareRequest& request, const std::vector<CompareEntry>& entries,
                      const Dataset& data) {
  Provenance record(data, request.command);
  for (const CompareEntry& entry : entries) {
    record.set("methods." + entry.name + ".method", entry.info->name);
    if (entry.view) record.set("methods." + entry.name + ".view", std::to_string(*entry.view));
    record.set("methods." + entry.name + ".requested", entry.options);
  }
  record.set("truth", request.truth.identity());
  record.set("mode", request.truth_mode);
  return record;
}

}  // namespace

CompareOutcome compare(const CompareRequest& request) {
  const auto began = std::chrono::steady_clock::now();
  const std::string output = without_final_slash(request.output);
  std::vector<CompareEntry> entries = entries_of(request);
  if (!output.empty()) {
    check_parent(output);
    check_replaceable(output, kMarker, "a comparison", request.force);
  }
  check_truth(request.truth);
  const double held = request.data ? static_cast<double>(request.data->bytes()) : 0.0;
  const double limit = memory_limit(request.memory_limit_bytes, held);
  for (CompareEntry& entry : entries) attach_within(entry.options, limit);
  const Index threads = entries.empty() ? 1 : entries[0].options.integer("threads");
  ThreadPool pool(static_cast<int>(threads));
  const Dataset data =
      request.data ? *request.data : read_within(request.input, limit, Rows::in_memory, &pool);
  entries = by_view(entries, data);
  check_entries(entries, request, data, limit);
  const double read_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (!output.empty()) begin_folder(output, kMarker, provenance(request, entries, data).json());

  const BlasSingleThread blas;
  StopFlag stop_flag(request.stop);
  std::vector<Observer*> observers{&stop_flag};
  observers.insert(observers.end(), request.observers.begin(), request.observers.end());

  CompareOutcome outcome;
  outcome.is_complete = true;
  std::map<std::string, BestView> best_views;  // by method
  for (CompareEntry& entry : entries) {
    std::vector<Result> results;
    try {
      if (entry.refusal.empty()) {
        const std::string folder = output.empty() ? "" : output + "/" + entry.name;
        results = run_entry(request, entry, data, folder, read_seconds, observers, outcome.remarks);
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
    for (Index block = 0; request.done && block < std::ssize(results); ++block) {
      request.done(entry.name, entry.is_per_block ? block : entry.view.value_or(-1),
                   results[block]);
    }
    if (std::ssize(results) < n_parts(data, entry)) {
      outcome.is_complete = false;
      break;
    }
    outcome.worst = worse(outcome.worst, totals_of(results).status);
    add_row(outcome.table, entry, results);
    if (entry.view) best_views[entry.method].offer(outcome.table.rows() - 1, results.front());
  }
  for (const auto& [method, best] : best_views) {
    if (best.row >= 0) outcome.table.change(best.row, "best_view", "yes");
  }
  if (!output.empty() && outcome.table.rows() > 0)
    write_file_atomically(output + "/compare.tsv", outcome.table.tsv());
  return outcome;
}

}  // namespace gingham
