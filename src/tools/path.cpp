#include "gingham/tools/path.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>

#include "gingham/base/parallel.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/tools/evaluate.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/grid.hpp"
#include "gingham/tools/provenance.hpp"
#include "gingham/tools/read_within.hpp"
#include "gingham/tools/totals.hpp"

namespace gingham {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarker = "path.json";

std::string numbers_text(const std::vector<double>& values) {
  std::string text;
  bool all_same = true;
  for (const double value : values) {
    all_same = all_same && value == values.front();
    text += (text.empty() ? "" : ",") + to_text(value);
  }
  return all_same && !values.empty() ? to_text(values.front()) : text;
}

void add_row(Table& table, const Grid& grid, Index point, const Result& result, bool is_written) {
  constexpr std::size_t kFewSizes = 6;
  const Totals totals = totals_of(std::span(&result, 1));
  table.add_row();
  table.set("point", point, true);
  for (const Variation& axis : grid.axes()) {
    table.set(result.options.record(axis.option).key(), result.options.canonical(axis.option),
              true);
  }
  for (const UsedValues& used : result.model.used) {
    if (used.values.empty()) continue;
    table.set(result.options.record(used.option).key() + "_used", numbers_text(used.values));
  }
  table.set("status", std::string(status_name(result.status)), true);
  table.set("iterations", result.iterations, true);
  table.set("objective", totals.objective, true);
  table.set("loss", result.terms.loss);
  for (const NamedValue& penalty : result.terms.penalties)
    table.set("penalty_" + penalty.name, penalty.value);
  for (const NamedValue& measure : result.model.measures)
    table.set(measure.name, measure.value, true);
  table.set("gap", totals.gap);
  table.set("explained", totals.explained, true);
  for (const NamedValue& size : totals.sizes)
    table.set(size.name, size.value, totals.sizes.size() <= kFewSizes);
  for (const NamedValue& score : result.scores)
    table.set(score.name, score.value, !is_block_score(score.name));
  table.set("seconds", totals.seconds, true);
  table.set("folder", is_written ? grid.folder(point) : std::string());
}

// Options::identity of a result whose files of lines are not read again.
std::string identity(const StoredResult& stored, const OptionRecord& record) {
  for (const AttachedRecord& one : stored.attached) {
    if (one.option == record.name) return one.digest;
  }
  return stored.result.options.canonical(record.name);
}

// Content that is the same in both, given to the one that has only its digest.
void attach_like(const Options& from, Options& options) {
  for (const std::string& name : from.file_names()) {
    if (!from.is_attached(name)) continue;
    if (const Matrix* matrix = from.matrix(name)) {
      options.attach_matrix(name, *matrix);
    } else {
      options.attach(name, from.lines(name));
    }
  }
}

// The result of a point that an earlier run of this path completed; its record vouches for the
// data.
std::optional<Result> complete_result(const std::string& folder, const Options& options) {
  std::error_code ignored;
  if (!fs::exists(folder + "/result.json", ignored)) return std::nullopt;
  StoredResult stored;
  try {
    stored = read_result(folder).json;
  } catch (const Error&) {
    return std::nullopt;  // damaged: made again
  }
  const Result& result = stored.result;
  if (is_unfinished(result.status)) return std::nullopt;
  for (const OptionRecord& record : options.records()) {
    if (record.may_differ_on_resume) continue;
    if (!result.options.has(record.name) ||
        identity(stored, record) != options.identity(record.name)) {
      return std::nullopt;
    }
  }
  attach_like(options, stored.result.options);
  return std::move(stored.result);
}

Provenance provenance(const PathRequest& request, const Grid& grid, const Options& options,
                      const Dataset& data) {
  Provenance record(data, request.command);
  record.set("method", request.info->name);
  std::vector<std::string> varied;
  for (const Variation& axis : grid.axes()) {
    record.set("vary." + axis.option, axis.values);
    varied.push_back(axis.option);
  }
  record.set("starts", request.cold ? "cold" : "warm");
  record.set("requested", options, varied);
  record.set("truth", request.truth.identity());
  return record;
}

// The options that all points share. A time limit is for the whole path and not among them.
Options shared_options(const PathRequest& request, const Grid& grid,
                       std::optional<double>& time_limit) {
  Options shared = request.info->make_options();
  for (const auto& [name, text] : request.options) {
    if (grid.varies(name))
      throw Error(ErrorCode::usage, "--" + name, "is given, but it is also varied");
    Options changed = shared;
    changed.set(name, text);
    if (name == "time-limit") {
      time_limit = changed.real(name);
    } else {
      shared = std::move(changed);
    }
  }
  attach_contents(shared, request.contents);
  return shared;
}

// Streamed only where every point takes it.
Rows rows_for_all(const PathRequest& request, const Grid& grid, const Options& shared) {
  for (Index point = 0; point < grid.size(); ++point) {
    const Rows rows = rows_for(*request.info, grid.options_at(point, shared));
    if (rows == Rows::in_memory) return rows;
  }
  return Rows::may_be_streamed;
}

// Where the restarts of one point do not fit into memory together, those of no point race.
Dataset read_and_check(const PathRequest& request, const Grid& grid, Options& shared,
                       std::vector<std::string>& remarks, Executor& executor) {
  const double held = request.data ? static_cast<double>(request.data->bytes()) : 0.0;
  const double limit = memory_limit(request.memory_limit_bytes, held);
  Dataset data = request.data ? *request.data
                              : read_within(request.input, limit,
                                            rows_for_all(request, grid, shared), &executor);
  for (Index point = 0; point < grid.size(); ++point) {
    Options options = grid.options_at(point, shared);
    check_inputs(*request.info, data, options);
    if (const auto remark = race_within(*request.info, data, options, limit)) {
      if (shared.text("race") == "yes") remarks.push_back(*remark);
      shared.set("race", "no");
    }
    check_memory(estimate_bytes(*request.info, data, options), limit);
  }
  return data;
}

// Makes the folder, or finds that an earlier run of the same path left it: then it returns true.
bool open_folder(const std::string& output, const PathRequest& request, const Provenance& record,
                 std::vector<std::string>& remarks) {
  const std::string marker = output + "/" + kMarker;
  if (!request.resume || !fs::exists(marker)) {
    if (request.resume) remarks.push_back("nothing to resume: started from the beginning");
    begin_folder(output, kMarker, record.json());
    return false;
  }
  if (const auto differs = record.difference(marker)) {
    throw Error(ErrorCode::usage, "--resume",
                fmt::format("the path in {} was begun with another {}; use the same, or start "
                            "anew with --force",
                            printable(output), *differs));
  }
  return true;
}

}  // namespace

PathOutcome path(const PathRequest& request) {
  const auto began = std::chrono::steady_clock::now();
  const auto seconds_since_begin = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  const MethodInfo& info = *request.info;
  const std::string output = without_final_slash(request.output);
  const Grid grid(request.vary, info.make_options());
  std::optional<double> time_limit;
  Options shared = shared_options(request, grid, time_limit);
  if (!output.empty()) {
    check_parent(output);
    check_replaceable(output, kMarker, "a path", request.force || request.resume);
  } else if (request.resume) {
    throw Error(ErrorCode::usage, "--resume", "without an output there is nothing to go on from");
  }
  check_truth(request.truth);
  attach_within(shared, memory_limit(request.memory_limit_bytes));
  ThreadPool pool(static_cast<int>(shared.integer("threads")));
  PathOutcome outcome;
  const Dataset data = read_and_check(request, grid, shared, outcome.remarks, pool);
  const double read_seconds = seconds_since_begin();
  outcome.n_points = grid.size();
  const bool goes_on =
      !output.empty() &&
      open_folder(output, request, provenance(request, grid, shared, data), outcome.remarks);

  const BlasSingleThread blas;
  StopFlag stop_flag(request.stop);
  Callback clock([&](const Event&) {
    return time_limit && seconds_since_begin() >= *time_limit ? Verdict::out_of_time
                                                              : Verdict::go_on;
  });
  std::vector<Observer*> observers{&stop_flag, &clock};
  observers.insert(observers.end(), request.observers.begin(), request.observers.end());
  const Finishing finishing{.reading = record_of(recorded_files(request.input, request.data)),
                            .truth = request.truth,
                            .report = request.report};

  Predecessors predecessors(grid);
  Derivation derivation;
  outcome.is_complete = true;
  for (Index point = 0; point < grid.size(); ++point) {
    const std::string folder = output.empty() ? "" : output + "/" + grid.folder(point);
    const Options options = grid.options_at(point, shared);
    const Index moved_axis = grid.moved_axis(point);
    std::optional<Result> result;
    if (goes_on) result = complete_result(folder, options);
    bool is_written = result.has_value();
    if (result) {
      ++outcome.n_kept;
    } else {
      if (request.begin_point) request.begin_point(point, grid.size());
      std::optional<Session> session(std::in_place, info, data, options, pool, derivation);
      const std::optional<Model>& earlier = predecessors.of(moved_axis);
      if (earlier && !request.cold) session->begin_from(*earlier);
      result = session->run(observers);
      session.reset();  // room for writing
      if (is_unfinished(result->status)) {
        outcome.is_complete = false;
        break;
      }
      result->seconds.insert(result->seconds.begin(), {"read", read_seconds});
      is_written = write_run(folder, data, finishing, goes_on, *result, outcome.remarks);
    }
    outcome.worst = worse(outcome.worst, result->status);
    if (result->status != Status::numerical_failure) predecessors.done(moved_axis, result->model);
    add_row(outcome.table, grid, point, *result, is_written);
    if (request.done) request.done(point, *result);
  }
  if (!output.empty() && outcome.table.rows() > 0)
    write_file_atomically(output + "/path.tsv", outcome.table.tsv());
  return outcome;
}

}  // namespace gingham
