// What a run hands over. Text, JSON, pages and Python objects are renderings of this one object.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "gingham/data/dataset.hpp"
#include "gingham/engine/model.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/engine/status.hpp"
#include "gingham/engine/terms.hpp"

namespace gingham {

struct Record {
  Index component = 0;
  Index iteration = 0;  // within the component, from 1
  double objective = 0.0;
  double gap = 0.0;      // the largest; NaN: not measured
  double moved = 0.0;    // by this iteration, relative to the data's norm; NaN: not measured
  double seconds = 0.0;  // since the fit began, all restarts and resumed parts together

  template <class Archive>
  void state(Archive& ar) {
    ar("component", component)("iteration", iteration)("objective", objective)("gap", gap)(
        "moved", moved)("seconds", seconds);
  }
};

struct RestartSummary {
  double objective = 0.0;  // exact where it came to an end, else that of its last iteration
  Status status = Status::numerical_failure;
  Index iterations = 0;
  Index round = 0;  // of the race that it left at the end of; 0: of none

  template <class Archive>
  void state(Archive& ar) {
    ar("objective", objective)("status", status)("iterations", iterations)("round", round);
  }
};

// Whether a restart is kept in place of an earlier one. Restarts that end in the same place differ
// by rounding; then the first is kept, whatever the storage of the data.
inline bool is_lower(double objective, double earlier) {
  constexpr double kSame = 1e-10;
  return objective < earlier - kSame * std::abs(earlier);
}

struct InputSummary {
  std::string path;
  Shape shape;
  Index nonzeros = 0;
  Index missing = 0;
  std::string digest;
};

// What a result says of its data: a summary and the items' labels per mode, for each block.
std::vector<InputSummary> summaries(const Dataset& data);
std::vector<std::vector<Labels>> item_labels(const Dataset& data);

struct GINGHAM_API Result {
  std::string version;
  std::string method;
  Options options;
  std::vector<InputSummary> inputs;
  std::vector<std::vector<Labels>> item_labels;  // of each input, per mode

  Status status = Status::numerical_failure;
  Terms terms;           // exact, of the whole model
  Index iterations = 0;  // of the restart that was kept
  std::vector<Record> trace;
  std::vector<RestartSummary> restarts;
  Index best_restart = 0;
  bool is_warm = false;  // began from the model of another run
  Model model;
  // Per membership, per member: how often it comes back in the other restarts (stability.hpp).
  // Empty where there are no two to compare.
  std::vector<std::vector<double>> stability;
  std::vector<std::string> truth;   // files of known labels, if any were given
  std::string truth_mode;           // the mode they belong to; empty: the first
  std::vector<NamedValue> scores;   // against them
  std::vector<NamedValue> seconds;  // read, fit, evaluate, write; then per phase
  double peak_bytes = 0.0;          // the estimate that was checked before starting

  // Throws Error{usage} when there is no such array.
  const Matrix& matrix(std::string_view name) const;
  const std::vector<double>& vector(std::string_view name) const;
  // The strongest component per item of a mode, named as its label file: "rows", "columns_2".
  std::vector<Index> labels(std::string_view key) const;
  const Membership& membership(std::string_view key) const;
};

}  // namespace gingham
