#include "gingham/metrics/relative_error.hpp"

#include <algorithm>
#include <cmath>

namespace gingham {
namespace {

// scale^2 * square is the sum of squares of what was added.
class SumOfSquares {
 public:
  void add(double x) {
    const double size = std::abs(x);
    if (!(size <= scale_)) {  // also where x is NaN: then everything becomes NaN
      square_ = 1.0 + square_ * (scale_ / size) * (scale_ / size);
      scale_ = size;
    } else if (scale_ > 0.0) {
      square_ += (size / scale_) * (size / scale_);
    }
  }
  double root() const { return scale_ * std::sqrt(square_); }

 private:
  double scale_ = 0.0;
  double square_ = 0.0;
};

}  // namespace

double relative_squared_error(ConstVec estimate, ConstVec truth) {
  if (estimate.size() != truth.size()) {
    throw Error(
        ErrorCode::usage, "",
        std::to_string(estimate.size()) + " values compared with " + std::to_string(truth.size()));
  }
  SumOfSquares difference, size;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (std::isnan(truth[i])) continue;
    difference.add(estimate[i] - truth[i]);
    size.add(truth[i]);
  }
  if (difference.root() == 0.0) return 0.0;
  const double ratio = difference.root() / size.root();
  return ratio * ratio;
}

}  // namespace gingham
