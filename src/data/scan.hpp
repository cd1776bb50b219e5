// One pass over values in pieces: how many are missing or zero, the least, the largest and the sum
// of the others. The result does not depend on how the values are cut into pieces. For use inside
// data.
#pragma once
#include <array>
#include <limits>
#include <span>

#include "gingham/base/index.hpp"

namespace gingham {

class Scan {
 public:
  Scan() {
    low_.fill(std::numeric_limits<double>::infinity());
    high_.fill(-std::numeric_limits<double>::infinity());
  }

  void add(std::span<const double> values);

  Index count() const { return static_cast<Index>(count_); }
  Index missing() const;
  Index zeros() const;
  double min() const;  // infinity where nothing was seen
  double max() const;  // -infinity then
  double sum() const;

 private:
  // Value number k goes to accumulator k % kLanes: independent ones, so that the compiler can use
  // vectors.
  static constexpr std::size_t kLanes = 8;
  void look(std::size_t lane, double x);

  std::size_t count_ = 0;
  std::array<double, kLanes> low_, high_, sum_{};
  std::array<Index, kLanes> missing_{}, zeros_{};
};

}  // namespace gingham
