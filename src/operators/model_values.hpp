// A model at listed cells, for several points of a line through its factors at once.
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/operators/cell_list.hpp"
#include "gingham/operators/factor_view.hpp"

namespace gingham {

class ModelValues {
 public:
  // The factors now + s direction, weights as well, for each s of `places`. The cells, by item of
  // the first mode, outlive this.
  ModelValues(const CellList& cells, const FactorView& now, const FactorView& direction,
              const std::vector<double>& places);

  // The sum over the cells of M(a) M(b) for all pairs of places.
  Matrix squares(Executor& executor) const;

 private:
  std::vector<double> table(ConstVec x, ConstVec g, const std::vector<double>& places) const;

  const CellList& cells_;
  Index n_components_, n_points_;
  Index stride_;                             // points, padded
  std::vector<std::vector<double>> tables_;  // per mode: item, component, point
  std::vector<double> weights_;              // component, point
};

}  // namespace gingham
