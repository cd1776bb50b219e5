#include "gingham/tools/path.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>

#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/provenance.hpp"
#include "gingham/tools/read_within.hpp"
#include "gingham/tools/totals.hpp"
#include "gingham/tools/variation.hpp"

namespace gingham {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarker = "path.json";
constexpr Index kMaxPoints = 100000;

// The points of all variations together, the last varying fastest.
class Grid {
 public:
  Grid(const std::vector<std::string>& specs, const Options& options) {
    for (const std::string& spec : specs) {
      axes_.push_back(parse_variation(spec, options));
      for (std::size_t a = 0; a + 1 < axes_.size(); ++a) {
        if (axes_[a].option == axes_.back().option)
          throw Error(ErrorCode::usage, "--vary", axes_[a].option + " is varied twice");
      }
      size_ *= std::ssize(axes_.back().values);
      if (size_ > kMaxPoints) {
        throw Error(ErrorCode::usage, "--vary",
                    fmt::format("these are more than {} points", kMaxPoints));
      }
    }
    if (axes_.empty()) throw Error(ErrorCode::usage, "--vary", "an option to vary is needed");
  }

  Index size() const { return size_; }
  const std::vector<Variation>& axes() const { return axes_; }
  std::vector<Index> at(Index point) const {
    std::vector<Index> digits(axes_.size());
    for (Index a = std::ssize(axes_) - 1; a >= 0; --a) {
      digits[a] = point % std::ssize(axes_[a].values);
      point /= std::ssize(axes_[a].values);
    }
    return digits;
  }
  // The last axis on which the point is not at its beginning; -1 for the first point.
  Index moved_axis(Index point) const {
    const std::vector<Index> digits = at(point);
    Index axis = std::ssize(digits) - 1;
    while (axis >= 0 && digits[axis] == 0) --axis;
    return axis;
  }
  Options options_at(Index point, Options options) const {
    const std::vector<Index> digits = at(point);
    for (std::size_t a = 0; a < axes_.size(); ++a)
      options.set(axes_[a].option, axes_[a].values[digits[a]]);
    return options;
  }
  std::string folder(Index point) const {
    return fmt::format("{:0{}}", point, std::max<std::size_t>(std::to_string(size_ - 1).size(), 2));
  }

 private:
  std::vector<Variation> axes_;
  Index size_ = 1;
};

// The model each next point begins from: the latest one whose later axes are all at their
// beginning.
class Predecessors {
 public:
  explicit Predecessors(std::size_t n_axes) : models_(n_axes) {}
  const std::optional<Model>& of(Index moved_axis) const {
    static const std::optional<Model> none;
    return moved_axis < 0 ? none : models_[moved_axis];
  }
  void done(Index moved_axis, const Model& model) {
    for (Index a = std::max<Index>(moved_axis, 0); a < std::ssize(models_); ++a) models_[a] = model;
  }

 private:
  std::vector<std::optional<Model>> models_;
};

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
  for (std::size_t i = 0; i < result.scores.size(); ++i)
    table.set(result.scores[i].name, result.scores[i].value, i < 4);
  table.set("seconds", totals.seconds, true);
  table.set("folder", is_written ? grid.folder(point) : std::string());
}

// The result of a point that an earlier run completed with the same options on the same data.
std::optional<Result> complete_result(const std::string& folder, const Options& options,
                                      const std::vector<std::string>& digests) {
  std::error_code ignored;
  if (!fs::exists(folder + "/result.json", ignored)) return std::nullopt;
  Result result;
  try {
    result = read_result(folder).json.result;
  } catch (const Error&) {
    return std::nullopt;  // damaged: made again
  }
  if (is_unfinished(result.status) || result.version != kVersion) return std::nullopt;
  for (const OptionRecord& record : options.records()) {
    if (record.may_differ_on_resume) continue;
    if (!result.options.has(record.name) ||
        result.options.canonical(record.name) != options.canonical(record.name)) {
      return std::nullopt;
    }
  }
  if (digests.size() != result.inputs.size()) return std::nullopt;
  for (std::size_t b = 0; b < digests.size(); ++b) {
    if (digests[b] != result.inputs[b].digest) return std::nullopt;
  }
  return result;
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
  record.set("truth", request.truth);
  return record;
}

}  // namespace

PathOutcome path(const PathRequest& request) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  const auto seconds_since_begin = [&] {
    return std::chrono::duration<double>(Clock::now() - began).count();
  };
  const MethodInfo& info = *request.info;
  const std::string output = without_final_slash(request.output);
  Options base = info.make_options();
  const Grid grid(request.vary, base);
  std::optional<double> time_limit;
  for (const auto& [name, text] : request.options) {
    for (const Variation& axis : grid.axes()) {
      if (axis.option == name)
        throw Error(ErrorCode::usage, "--" + name, "is given, but it is also varied");
    }
    Options checked = base;
    checked.set(name, text);
    if (name == "time-limit") {
      time_limit = checked.real(name);
    } else {
      base = std::move(checked);
    }
  }
  check_parent(output);
  check_replaceable(output, kMarker, "a path", request.force || request.resume);
  check_truth(request.truth);
  const double limit = memory_limit(request.memory_limit_bytes);
  const Dataset data = read_within(request.input, limit);
  for (Index point = 0; point < grid.size(); ++point) {
    const Options options = grid.options_at(point, base);
    check_inputs(info, data, options);
    check_memory(estimate_bytes(info, data, options), limit);
  }
  const double read_seconds = seconds_since_begin();

  PathOutcome outcome;
  outcome.n_points = grid.size();
  const Provenance record = provenance(request, grid, base, data);
  const bool goes_on = request.resume && fs::exists(output + "/" + kMarker);
  if (goes_on) {
    if (const auto differs = record.difference(output + "/" + kMarker)) {
      throw Error(ErrorCode::usage, "--resume",
                  fmt::format("the path in {} was begun with another {}; use the same, or start "
                              "anew with --force",
                              printable(output), *differs));
    }
  } else {
    if (request.resume) outcome.remarks.push_back("nothing to resume: started from the beginning");
    begin_folder(output, kMarker, record.json());
  }

  const BlasSingleThread blas;
  ThreadPool pool(static_cast<int>(base.integer("threads")));
  static const std::atomic<bool> never{false};
  StopFlag stop_flag(request.stop != nullptr ? *request.stop : never);
  Callback clock([&](const Event&) {
    return time_limit && seconds_since_begin() >= *time_limit ? Verdict::out_of_time
                                                              : Verdict::go_on;
  });
  std::vector<Observer*> observers{&stop_flag, &clock};
  observers.insert(observers.end(), request.observers.begin(), request.observers.end());
  const Finishing finishing{
      .reading = record_of(request.input), .truth = request.truth, .report = request.report};

  std::vector<std::string> digests;
  for (const Block& block : data.blocks()) digests.push_back(block.digest());
  Predecessors predecessors(grid.axes().size());
  outcome.is_complete = true;
  for (Index point = 0; point < grid.size(); ++point) {
    const std::string folder = output + "/" + grid.folder(point);
    const Options options = grid.options_at(point, base);
    const Index moved_axis = grid.moved_axis(point);
    std::optional<Result> result;
    if (goes_on) result = complete_result(folder, options, digests);
    bool is_written = result.has_value();
    if (result) {
      ++outcome.n_kept;
    } else {
      if (request.begin_point) request.begin_point(point, grid.size());
      Session session(info, data, options, pool);
      if (const std::optional<Model>& earlier = predecessors.of(moved_axis);
          earlier && !request.cold) {
        session.begin_from(*earlier);
      }
      result = session.run(observers);
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
  }
  if (outcome.table.rows() > 0) write_file_atomically(output + "/path.tsv", outcome.table.tsv());
  return outcome;
}

}  // namespace gingham
