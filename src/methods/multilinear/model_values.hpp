// A model at the cells of a pattern, for several points of a line through the factors at once.
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/data/sparse_tensor.hpp"
#include "gingham/methods/multilinear/factors.hpp"

namespace gingham::methods::multilinear {

class ModelValues {
 public:
  // The factors now + s direction for each s of `places`. The pattern outlives this.
  ModelValues(const SparseTensor& pattern, const Factors& now, const Factors& direction,
              const std::vector<double>& places);

  // The sum over the cells of M(a) M(b) for all pairs of places.
  Matrix squares(Executor& executor) const;

 private:
  std::vector<double> table(ConstVec x, ConstVec g, const std::vector<double>& places) const;

  const SparseTensor& pattern_;
  Index n_components_, n_points_;
  Index stride_;                             // points, padded
  std::vector<std::vector<double>> tables_;  // per mode: item, component, point
  std::vector<double> weights_;              // component, point
};

}  // namespace gingham::methods::multilinear
