// What one or several results come to together.
#pragma once
#include <span>
#include <vector>

#include "gingham/engine/result.hpp"

namespace gingham {

struct Totals {
  Status status = Status::converged;  // the worst
  Index iterations = 0;
  double objective = 0.0;
  double gap = 0.0;        // the largest; NaN where the last was not measured
  double explained = 0.0;  // Model::explained, averaged over the results; NaN where one is
  double seconds = 0.0;    // of the fits
  // Members per mode and component, blocks and results together: component_0_rows, ...
  std::vector<NamedValue> sizes = {};
};

Totals totals_of(std::span<const Result> results);

}  // namespace gingham
