// From files to a result directory: read, check memory, run with checkpoints, write.
#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "gingham/engine/observer.hpp"
#include "gingham/engine/registry.hpp"
#include "gingham/io/read_dataset.hpp"
#include "gingham/tools/output.hpp"

namespace gingham {

struct FitRequest {
  std::string method;
  DataFiles input;
  Options options;
  std::string output;
  Truth truth;  // known labels; adds scores to the result
  bool force = false;
  bool resume = false;
  double memory_limit_bytes = 0.0;  // 0: four fifths of what is free
  double checkpoint_seconds = 5.0;
  std::vector<Observer*> observers;
  // Makes report.html from the data and the result, if given.
  ReportMaker report = {};
  const std::atomic<bool>* stop = nullptr;  // set from outside to end the run
};

struct FitOutcome {
  Result result;
  bool is_written = false;    // false when the run was stopped before it had anything to show
  bool was_complete = false;  // --resume found the finished result; nothing was done
  std::vector<std::string> remarks;  // for the user, a sentence each
  std::string checkpoint;  // where an unfinished run can be resumed from; empty when finished
};

// Throws Error: usage and input before anything is touched, output when the result cannot be
// written.
FitOutcome fit(const FitRequest& request);

}  // namespace gingham
