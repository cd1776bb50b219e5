// A matrix block as pixels: the mean of the observed cells of each pair of bins, and the colours
// for them.
#pragma once
#include <vector>

#include "gingham/data/dataset.hpp"
#include "report/axis.hpp"
#include "report/png.hpp"

namespace gingham::report {

struct Grid {
  Index rows = 0, columns = 0;
  std::vector<double> mean;  // row by row; NaN where no cell is observed
};

// One pass over what is stored; a sparse block is not made dense. Items left out of an axis do not
// count. Requires a matrix.
Grid average(const Block& block, const Axis& rows, const Axis& columns);

// Colours from low to high: from pale to dark for data without negative values, from one colour
// over pale at 0 to another for signed ones. What lies beyond has the colour of the end.
struct Scale {
  bool is_diverging = false;
  double low = 0.0, high = 1.0;
  bool has_below = false, has_above = false;  // some pixels lie beyond
  bool has_missing = false;
};

// One scale for all pixels of several grids.
Scale scale_of(const std::vector<const Grid*>& grids);

inline constexpr std::uint8_t kMissingPixel = 255;
inline constexpr int kLevels = 255;  // pixels 0 ... 254 go from low to high

std::vector<std::uint8_t> pixels_of(const Grid& grid, const Scale& scale);
const Palette& palette_of(const Scale& scale);

}  // namespace gingham::report
