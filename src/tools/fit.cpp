#include "gingham/tools/fit.hpp"

#include <chrono>
#include <filesystem>
#include <optional>

#include "gingham/base/parallel.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/io/checkpoint.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/output.hpp"
#include "gingham/tools/read_within.hpp"
#include "gingham/tools/totals.hpp"

namespace gingham {
namespace {

namespace fs = std::filesystem;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

FitOutcome fit(const FitRequest& asked) {
  FitRequest request = asked;
  request.output = without_final_slash(request.output);
  const auto began = std::chrono::steady_clock::now();
  FitOutcome outcome;
  const MethodInfo& info = find_method(request.method);
  const std::string folder = request.output + ".checkpoint";
  check_parent(request.output);
  if (has_checkpoint(folder) && !request.force && !request.resume) {
    throw Error(
        ErrorCode::usage, "--output",
        printable(folder) + " holds an unfinished run; --resume continues it, --force starts anew");
  }
  check_replaceable(request.output, "result.json", "a result", request.force || request.resume);
  check_truth(request.truth);
  if (request.resume && !has_checkpoint(folder) && fs::exists(request.output)) {
    outcome.result = read_result(request.output).json.result;
    if (!is_unfinished(outcome.result.status)) {
      outcome.was_complete = outcome.is_written = true;
      return outcome;
    }
  }
  const double limit = memory_limit(request.memory_limit_bytes);
  attach_within(request.options, limit);
  ThreadPool pool(static_cast<int>(request.options.integer("threads")));
  const Dataset data = read_within(request.input, limit, rows_for(info, request.options), &pool);
  check_inputs(info, data, request.options);
  if (const auto remark = race_within(info, data, request.options, limit))
    outcome.remarks.push_back(*remark);
  check_memory(estimate_bytes(info, data, request.options), limit);
  const double read_seconds = seconds_since(began);

  const BlasSingleThread blas;
  std::optional<Session> session(std::in_place, info, data, request.options, pool);
  Checkpoint checkpoint(folder, request.checkpoint_seconds);
  if (request.resume) {
    std::string warning;
    if (checkpoint.restore(*session, &warning)) {
      outcome.remarks.push_back("resumed from " + printable(folder));
    } else {
      outcome.remarks.push_back("nothing to resume: started from the beginning");
    }
    if (!warning.empty()) outcome.remarks.push_back(warning);
  }
  std::vector<Observer*> observers{&checkpoint};
  StopFlag stop_flag(request.stop);
  observers.push_back(&stop_flag);
  observers.insert(observers.end(), request.observers.begin(), request.observers.end());

  outcome.result = session->run(observers);
  session.reset();  // room for writing
  const bool unfinished = is_unfinished(outcome.result.status);
  if (unfinished) outcome.checkpoint = folder;
  if (!checkpoint.trouble().empty()) {
    outcome.remarks.push_back("the checkpoint could not be written: " + checkpoint.trouble());
  }
  outcome.result.seconds.insert(outcome.result.seconds.begin(), {"read", read_seconds});
  outcome.is_written = write_run(
      request.output, data,
      {.reading = record_of(request.input), .truth = request.truth, .report = request.report},
      request.force || request.resume, outcome.result, outcome.remarks);
  if (!unfinished) checkpoint.remove();
  return outcome;
}

}  // namespace gingham
