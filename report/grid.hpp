// A matrix, or a slice of an array, as cells: the mean of the observed values of each pair of bins,
// and the scale that colours follow.
#pragma once
#include <cstdint>
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/dataset.hpp"
#include "report/axis.hpp"

namespace gingham::report {

struct Grid {
  Index rows = 0, columns = 0;
  std::vector<double> mean;  // row by row; NaN where no cell is observed
};

// Weighted means per cell. Values are added relative to a power of two near `unit`: sums stay
// finite on any scale. Rows may be filled at the same time.
class MeanGrid {
 public:
  MeanGrid(Index rows, Index columns, double unit);
  // A value seen with this weight; a NaN is not seen.
  void add(Index row, Index column, double value, double weight = 1.0) {
    if (value != value) return;
    const auto at = static_cast<std::size_t>(row * columns_ + column);
    sum_[at] += weight * (value * inverse_);
    seen_[at] += weight;
  }
  // Zeros that nobody lists: this much weight in every pair of bins, by their sizes. What is listed
  // is then added with `replace`.
  void add_zeros(const Axis& rows, const Axis& columns, double weight);
  void replace(Index row, Index column, double value, double weight = 1.0) {
    const auto at = static_cast<std::size_t>(row * columns_ + column);
    if (value != value) {
      seen_[at] -= weight;
    } else {
      sum_[at] += weight * (value * inverse_);
    }
  }
  Grid means() const;

 private:
  Index rows_, columns_;
  double inverse_;  // a power of two
  std::vector<double> sum_, seen_;
};

// The largest |value| of a block, for sums; 1 where there is none.
double unit_of(const Block& block);

// body(begin, end) for ranges of bins that together are all, one range per thread. Where cells of a
// bin are taken in one order, it does not matter how the bins are cut.
void for_bins(Index n_bins, Executor& executor, FunctionRef<void(Index, Index)> body);

// One pass over what is stored; a sparse block is not made dense. Requires a matrix.
Grid average(const Block& block, const Axis& rows, const Axis& columns, Executor& executor);

// Colours from low to high: from pale to dark for data without negative values, from one colour
// over pale at 0 to another for signed ones. What lies beyond has the colour of the end.
struct Scale {
  bool is_diverging = false;
  double low = 0.0, high = 1.0;
  bool has_below = false, has_above = false;  // some cells lie beyond
  bool has_missing = false;
};

// One scale for all cells of several grids.
Scale scale_of(const std::vector<const Grid*>& grids);

inline constexpr std::uint8_t kMissingLevel = 255;
inline constexpr int kLevels = 255;  // levels 0 ... 254 go from low to high

std::vector<std::uint8_t> levels_of(const Grid& grid, const Scale& scale);

}  // namespace gingham::report
