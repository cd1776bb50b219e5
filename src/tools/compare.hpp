// Several methods on the same data: a result (and its directory) each and one table of them all.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gingham/engine/observer.hpp"
#include "gingham/io/read_dataset.hpp"
#include "gingham/tools/method_list.hpp"
#include "gingham/tools/output.hpp"
#include "gingham/tools/table.hpp"

namespace gingham {

struct CompareRequest {
  std::vector<MethodChoice> methods = {};
  DataFiles input = {};
  std::optional<Dataset> data = {};                 // `input` was read already, or is empty
  std::map<std::string, std::string> options = {};  // for every method that has them
  Truth truth = {};
  std::string truth_mode = {};
  std::string output = {};  // empty: nothing is written
  bool force = false;
  double memory_limit_bytes = 0.0;  // 0: four fifths of what is free
  std::string command = {};         // as typed, for the record
  std::vector<Observer*> observers = {};
  std::function<void(const std::string& name)> begin_run = {};  // before each run
  // After each method: its results, under the name of its folder; with the number of the block or
  // view that a result is of, -1 where it is of all the data. Of a method that was stopped those
  // that are complete.
  std::function<void(const std::string& name, Index block_or_view, const Result& result)> done = {};
  ReportMaker report = {};
  const std::atomic<bool>* stop = nullptr;
};

struct CompareOutcome {
  Table table;                       // a row per method that is done or was refused
  Status worst = Status::converged;  // of the runs
  bool is_complete = false;          // false: stopped before all methods were done
  std::vector<std::string> remarks;  // for the user, a sentence each
};

// Writes output/compare.json at once, output/<method>/ as each is done (a method that occurs again
// has a number after its name), and output/compare.tsv at the end. A method that takes one matrix
// runs on every block of a series by itself, into output/<method>/<block>/; its scores are those of
// the blocks and their averages, as for a method that takes the series whole. Where one of the
// methods is of views, none of a series, and all inputs have as many rows, the inputs are views: a
// method that takes one matrix has a row and a folder output/<method>_view<n>/ for each view, and
// with scores the view of the best nmi says so, the lowest on ties. A method that cannot work on
// the data has a row that says why. Throws Error{input} when that is so for all of them; usage and
// input errors come before anything is touched.
CompareOutcome compare(const CompareRequest& request);

}  // namespace gingham
