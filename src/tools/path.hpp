// A method at every point of a grid of option values: data read once, each run begun from its
// neighbour's model, a result (and its directory) per point and one table of them all.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gingham/engine/observer.hpp"
#include "gingham/engine/registry.hpp"
#include "gingham/io/attached.hpp"
#include "gingham/io/read_dataset.hpp"
#include "gingham/tools/output.hpp"
#include "gingham/tools/table.hpp"

namespace gingham {

struct PathRequest {
  const MethodInfo* info = nullptr;
  DataFiles input = {};
  std::optional<Dataset> data = {};                 // `input` was read already, or is empty
  std::map<std::string, std::string> options = {};  // those given; a time limit is for all points
  MemoryContents contents = {};                     // further options
  std::vector<std::string> vary = {};  // see parse_variation; of several the last varies fastest
  std::string output = {};             // empty: nothing is written
  Truth truth = {};
  bool force = false;
  bool resume = false;              // keep the points that are complete
  bool cold = false;                // every run begins anew
  double memory_limit_bytes = 0.0;  // 0: four fifths of what is free
  std::string command = {};         // as typed, for the record
  std::vector<Observer*> observers = {};
  std::function<void(Index point, Index n_points)> begin_point = {};  // before each run
  std::function<void(Index point, const Result& result)> done = {};   // after each, kept ones too
  ReportMaker report = {};
  const std::atomic<bool>* stop = nullptr;
};

struct PathOutcome {
  Table table;                       // a row per point that is complete
  Index n_points = 0;                // of the whole grid
  Index n_kept = 0;                  // found complete by `resume`
  Status worst = Status::converged;  // of the complete points
  bool is_complete = false;          // false: stopped before all points were done
  std::vector<std::string> remarks;  // for the user, a sentence each
};

// Hands each result to `done` with the content of its options attached, of a kept one the arrays as
// stored. Writes output/path.json at once, output/<point>/ as each is done, and output/path.tsv at
// the end; a run that was stopped leaves the points before it and a table of these. A point begins
// from the model of the point before it along the fastest option, the first of a row from the first
// of the row before. Throws Error: usage and input before anything is touched.
PathOutcome path(const PathRequest& request);

}  // namespace gingham
