#include "report/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gingham::report {
namespace {

// The colours end at this quantile of the cells, so that a few outliers do not pale all the
// others.
constexpr double kQuantile = 0.998;
constexpr int kFarthest = 1000;  // exponent of a unit, so that its inverse is a number
// Data whose least value is above this share of the largest are not drawn from zero.
constexpr double kFarFromZero = 0.25;

// The q-quantile of values, the higher of two neighbours; requires a value.
double quantile(std::vector<double> values, double q) {
  const auto at =
      static_cast<std::ptrdiff_t>(std::ceil(q * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

}  // namespace

MeanGrid::MeanGrid(Index rows, Index columns, double unit)
    : rows_(rows),
      columns_(columns),
      inverse_(std::ldexp(1.0, -std::clamp(std::ilogb(unit), -kFarthest, kFarthest))),
      sum_(static_cast<std::size_t>(rows * columns), 0.0),
      seen_(sum_.size(), 0.0) {}

void MeanGrid::add_zeros(const Axis& rows, const Axis& columns, double weight) {
  for (Index i = 0; i < rows_; ++i) {
    for (Index j = 0; j < columns_; ++j)
      seen_[static_cast<std::size_t>(i * columns_ + j)] +=
          weight * static_cast<double>(rows.size[i]) * static_cast<double>(columns.size[j]);
  }
}

// Weights that were added and taken away again may leave rounding behind.
Grid MeanGrid::means() const {
  constexpr double kNothing = 1e-9;
  Grid grid{rows_, columns_, std::vector<double>(sum_.size())};
  for (std::size_t at = 0; at < sum_.size(); ++at) {
    grid.mean[at] = seen_[at] > kNothing ? sum_[at] / seen_[at] / inverse_
                                         : std::numeric_limits<double>::quiet_NaN();
  }
  return grid;
}

double unit_of(const Block& block) {
  const Summary& summary = block.summary();
  const double largest = std::max(std::abs(summary.min), std::abs(summary.max));
  return largest > 0.0 ? largest : 1.0;  // also where nothing is observed
}

void for_bins(Index n_bins, Executor& executor, FunctionRef<void(Index, Index)> body) {
  const Index n_parts = std::max<Index>(1, std::min<Index>(n_bins, executor.threads()));
  executor.map(n_parts,
               [&](Index part) { body(n_bins * part / n_parts, n_bins * (part + 1) / n_parts); });
}

Grid average(const Block& block, const Axis& rows, const Axis& columns, Executor& executor) {
  MeanGrid grid(rows.bins(), columns.bins(), unit_of(block));
  const bool zeros = block.is_sparse() && block.unlisted() == Unlisted::zero;
  if (zeros) grid.add_zeros(rows, columns, 1.0);
  const Matrix* dense = block.dense_matrix();
  const SparseMatrix* sparse = block.sparse_matrix();
  for_bins(rows.bins(), executor, [&](Index begin, Index end) {
    for (Index i = 0; i < rows.items(); ++i) {
      const Index bin = rows.bin[i];
      if (bin < begin || bin >= end) continue;
      if (dense != nullptr) {
        const ConstVec cells = dense->row(i);
        for (std::size_t j = 0; j < cells.size(); ++j) grid.add(bin, columns.bin[j], cells[j]);
        continue;
      }
      for (Index e = sparse->pointers()[i]; e < sparse->pointers()[i + 1]; ++e) {
        const Index column = columns.bin[sparse->columns()[e]];
        const double value = sparse->values()[e];
        zeros ? grid.replace(bin, column, value) : grid.add(bin, column, value);
      }
    }
  });
  return grid.means();
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

std::vector<std::uint8_t> levels_of(const Grid& grid, const Scale& scale) {
  std::vector<std::uint8_t> levels;
  levels.reserve(grid.mean.size());
  for (const double value : grid.mean) {
    if (std::isnan(value)) {
      levels.push_back(kMissingLevel);
      continue;
    }
    // Halves, because high - low may be larger than any number.
    const double span = 0.5 * scale.high - 0.5 * scale.low;
    const double at = span > 0.0            ? (0.5 * value - 0.5 * scale.low) / span
                      : value >= scale.high ? 1.0
                                            : 0.0;
    levels.push_back(
        static_cast<std::uint8_t>(std::lround(std::clamp(at, 0.0, 1.0) * (kLevels - 1))));
  }
  return levels;
}

}  // namespace gingham::report
