#include "report/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gingham::report {
namespace {

// The colours end at this quantile of the pixels, so that a few outliers do not pale all the
// others.
constexpr double kQuantile = 0.998;
// Data whose least value is above this share of the largest are not drawn from zero.
constexpr double kFarFromZero = 0.25;

// The q-quantile of values, the higher of two neighbours; requires a value.
double quantile(std::vector<double> values, double q) {
  const auto at =
      static_cast<std::ptrdiff_t>(std::ceil(q * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

Palette gradient(const std::vector<Colour>& anchors) {
  Palette palette{};
  const int steps = static_cast<int>(anchors.size()) - 1;
  for (int level = 0; level < kLevels; ++level) {
    const double at = static_cast<double>(level) * steps / (kLevels - 1);
    const int left = std::min(static_cast<int>(at), steps - 1);
    const auto mix = [&](std::uint8_t a, std::uint8_t b) {
      return static_cast<std::uint8_t>(std::lround(a + (at - left) * (b - a)));
    };
    const Colour &a = anchors[static_cast<std::size_t>(left)],
                 &b = anchors[static_cast<std::size_t>(left) + 1];
    palette[static_cast<std::size_t>(level)] = {mix(a.red, b.red), mix(a.green, b.green),
                                                mix(a.blue, b.blue)};
  }
  palette[kMissingPixel] = {238, 216, 140};
  return palette;
}

}  // namespace

Grid average(const Block& block, const Axis& rows, const Axis& columns) {
  Grid grid{rows.bins(), columns.bins(), {}};
  const std::size_t n = static_cast<std::size_t>(grid.rows * grid.columns);
  std::vector<double> sum(n, 0.0), observed(n, 0.0);
  // Sums are of values relative to the largest: they stay finite on any scale.
  const Summary& summary = block.summary();
  const double largest = std::max(std::abs(summary.min), std::abs(summary.max));
  const double unit = largest > 0.0 ? largest : 1.0;  // also where nothing is observed
  const auto add = [&](Index i, Index j, double value, double when_observed, double when_missing) {
    if (rows.bin[i] < 0 || columns.bin[j] < 0) return;
    const auto at = static_cast<std::size_t>(Index{rows.bin[i]} * grid.columns + columns.bin[j]);
    if (std::isnan(value)) {
      observed[at] += when_missing;
    } else {
      sum[at] += value / unit;
      observed[at] += when_observed;
    }
  };
  if (const Matrix* dense = block.dense_matrix()) {
    for (Index i = 0; i < dense->rows(); ++i) {
      const ConstVec row = dense->row(i);
      for (Index j = 0; j < dense->cols(); ++j) add(i, j, row[j], 1.0, 0.0);
    }
  } else {
    const SparseMatrix& sparse = *block.sparse_matrix();
    const bool zeros = block.unlisted() == Unlisted::zero;
    for (std::size_t at = 0; zeros && at < n; ++at) {
      const auto width = static_cast<std::size_t>(grid.columns);
      observed[at] = static_cast<double>(rows.size[at / width]) *
                     static_cast<double>(columns.size[at % width]);
    }
    for (Index i = 0; i < sparse.rows(); ++i) {
      for (Index k = sparse.pointers()[i]; k < sparse.pointers()[i + 1]; ++k) {
        add(i, sparse.columns()[k], sparse.values()[k], zeros ? 0.0 : 1.0, zeros ? -1.0 : 0.0);
      }
    }
  }
  grid.mean.resize(n);
  for (std::size_t at = 0; at < n; ++at) {
    grid.mean[at] = observed[at] > 0.0 ? sum[at] / observed[at] * unit
                                       : std::numeric_limits<double>::quiet_NaN();
  }
  return grid;
}

Scale scale_of(const std::vector<const Grid*>& grids) {
  Scale scale;
  std::vector<double> values, sizes;
  double least = 0.0, largest = 0.0;
  for (const Grid* grid : grids) {
    for (const double value : grid->mean) {
      if (std::isnan(value)) {
        scale.has_missing = true;
        continue;
      }
      least = values.empty() ? value : std::min(least, value);
      largest = values.empty() ? value : std::max(largest, value);
      values.push_back(value);
      if (value != 0.0) sizes.push_back(std::abs(value));
    }
  }
  if (sizes.empty()) return scale;  // nothing observed, or all zero
  scale.is_diverging = least < 0.0;
  scale.high = quantile(sizes, kQuantile);
  if (scale.is_diverging) {
    scale.low = -scale.high;
  } else if (least > kFarFromZero * largest && least < scale.high) {
    scale.low = quantile(values, 1.0 - kQuantile);
    if (!(scale.low < scale.high)) scale.low = least;
  }
  scale.has_below = least < scale.low;
  scale.has_above = largest > scale.high;
  return scale;
}

std::vector<std::uint8_t> pixels_of(const Grid& grid, const Scale& scale) {
  std::vector<std::uint8_t> pixels;
  pixels.reserve(grid.mean.size());
  for (const double value : grid.mean) {
    if (std::isnan(value)) {
      pixels.push_back(kMissingPixel);
      continue;
    }
    // Halves, because high - low may be larger than any number.
    const double span = 0.5 * scale.high - 0.5 * scale.low;
    const double at = span > 0.0            ? (0.5 * value - 0.5 * scale.low) / span
                      : value >= scale.high ? 1.0
                                            : 0.0;
    pixels.push_back(
        static_cast<std::uint8_t>(std::lround(std::clamp(at, 0.0, 1.0) * (kLevels - 1))));
  }
  return pixels;
}

const Palette& palette_of(const Scale& scale) {
  static const Palette sequential =
      gradient({{248, 250, 252}, {204, 224, 238}, {118, 172, 210}, {34, 104, 168}, {10, 40, 88}});
  static const Palette diverging = gradient({{16, 58, 122},
                                             {74, 138, 196},
                                             {176, 208, 230},
                                             {249, 249, 247},
                                             {243, 196, 170},
                                             {214, 102, 74},
                                             {136, 22, 36}});
  return scale.is_diverging ? diverging : sequential;
}

}  // namespace gingham::report
