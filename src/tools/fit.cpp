#include "gingham/tools/fit.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "gingham/base/text.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/io/checkpoint.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/io/whole_file.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/tools/evaluate.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/read_within.hpp"

namespace gingham {
namespace {

namespace fs = std::filesystem;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

bool is_unfinished(Status status) {
  return status == Status::cancelled || status == Status::time_limit;
}

void check_output(const FitRequest& request, const std::string& checkpoint) {
  const std::string& output = request.output;
  std::error_code ignored;
  if (output.empty()) throw Error(ErrorCode::usage, "--output", "a directory is needed");
  const fs::path parent = fs::absolute(output).parent_path();
  if (!fs::is_directory(parent, ignored)) {
    throw Error(ErrorCode::usage, "--output",
                "the folder " + printable(parent.string()) + " does not exist; make it first");
  }
  if (access(parent.c_str(), W_OK) != 0) {
    throw Error(ErrorCode::output, printable(output),
                "the folder " + printable(parent.string()) + " cannot be written to");
  }
  if (has_checkpoint(checkpoint) && !request.force && !request.resume) {
    throw Error(ErrorCode::usage, "--output",
                printable(checkpoint) +
                    " holds an unfinished run; --resume continues it, --force starts anew");
  }
  if (fs::exists(output, ignored) && !request.force && !request.resume) {
    throw Error(
        ErrorCode::usage, "--output",
        printable(output) + " exists already; choose another name, or --force to replace it");
  }
  if (fs::exists(output, ignored) && !fs::exists(output + "/result.json", ignored) &&
      !(fs::is_directory(output, ignored) && fs::is_empty(output, ignored))) {
    throw Error(ErrorCode::usage, "--output",
                printable(output) + " is not a result; it is never replaced");
  }
}

// Scores against known labels. They come last and must not cost the user the run: what goes wrong
// is a remark.
void add_scores(const FitRequest& request, FitOutcome& outcome) {
  if (request.truth.empty()) return;
  try {
    outcome.result.scores = score_result(outcome.result, request.truth);
    outcome.result.truth = request.truth;
  } catch (const Error& error) {
    outcome.remarks.push_back(std::string("no scores: ") + error.what());
  }
}

// A page is a rendering: what goes wrong with it is a remark, and the result is written without it.
std::vector<ExtraFile> make_pages(const FitRequest& request, const Dataset& data,
                                  FitOutcome& outcome) {
  std::vector<ExtraFile> pages;
  if (!request.report) return pages;
  try {
    pages.push_back({"report.html", request.report(data, outcome.result)});
  } catch (const std::exception& error) {
    outcome.remarks.push_back(std::string("no report.html: ") + error.what());
  }
  return pages;
}

}  // namespace

FitOutcome fit(const FitRequest& asked) {
  FitRequest request = asked;
  while (request.output.size() > 1 && request.output.ends_with('/')) request.output.pop_back();
  const auto began = std::chrono::steady_clock::now();
  FitOutcome outcome;
  const MethodInfo& info = find_method(request.method);
  const std::string folder = request.output + ".checkpoint";
  check_output(request, folder);
  for (const std::string& path : request.truth) read_whole_file(path);  // refuses what is not there
  if (request.resume && !has_checkpoint(folder) && fs::exists(request.output)) {
    outcome.result = read_result(request.output).json.result;
    if (!is_unfinished(outcome.result.status)) {
      outcome.was_complete = outcome.is_written = true;
      return outcome;
    }
  }
  const double limit = memory_limit(request.memory_limit_bytes);
  const Dataset data = read_within(request.input, limit);
  check_inputs(info, data, request.options);
  check_memory(estimate_bytes(info, data, request.options), limit);
  const double read_seconds = seconds_since(began);

  const BlasSingleThread blas;
  ThreadPool pool(static_cast<int>(request.options.integer("threads")));
  Session session(info, data, request.options, pool);
  Checkpoint checkpoint(folder, request.checkpoint_seconds);
  if (request.resume) {
    std::string warning;
    if (const auto snapshot = checkpoint.load(&warning)) {
      session.restore(*snapshot);
      outcome.remarks.push_back("resumed from " + printable(folder));
    } else {
      outcome.remarks.push_back("nothing to resume: started from the beginning");
    }
    if (!warning.empty()) outcome.remarks.push_back(warning);
  }
  std::vector<Observer*> observers{&checkpoint};
  static const std::atomic<bool> never{false};
  StopFlag stop_flag(request.stop != nullptr ? *request.stop : never);
  observers.push_back(&stop_flag);
  observers.insert(observers.end(), request.observers.begin(), request.observers.end());

  outcome.result = session.run(observers);
  const bool unfinished = is_unfinished(outcome.result.status);
  if (unfinished) outcome.checkpoint = folder;
  if (!checkpoint.trouble().empty()) {
    outcome.remarks.push_back("the checkpoint could not be written: " + checkpoint.trouble());
  }
  outcome.result.seconds.insert(outcome.result.seconds.begin(), {"read", read_seconds});
  if (!outcome.result.model.arrays.empty()) {
    add_scores(request, outcome);
    write_result(request.output, outcome.result, record_of(request.input),
                 request.force || request.resume, make_pages(request, data, outcome));
    outcome.is_written = true;
  }
  if (!unfinished) checkpoint.remove();
  return outcome;
}

}  // namespace gingham
