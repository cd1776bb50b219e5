#include "gingham/kernels/kmeans_points.hpp"

#include <cmath>

#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/kmeans_distances.hpp"

namespace gingham {
namespace {

constexpr Index kSampleRows = 64;  // enough for a shift: it only has to be near the points
// A coordinate this many times larger than the scale still has a square in single precision.
constexpr double kLargestCoordinate = 0x1.0p40;
constexpr double kSmallestMaximum =
    0x1.0p-20;  // below this the copy would lose digits to underflow

// The mean of the sample, rounded to the largest power of two that is at most the sample's spread.
double shift_of(const Matrix& points, Index column) {
  const Index count = std::min(points.rows(), kSampleRows);
  double low = points(0, column), high = low, mean = 0.0;
  for (Index s = 0; s < count; ++s) {
    const double x = points(points.rows() / count * s, column);
    low = std::min(low, x);
    high = std::max(high, x);
    mean += x / static_cast<double>(count);
  }
  const double spread = high - low;
  if (!(spread > 0.0) || !std::isfinite(spread)) return low;
  const double grid = std::ldexp(1.0, std::max(std::ilogb(spread), -1022));
  const double steps = mean / grid;
  return std::abs(steps) < 0x1.0p52 ? std::nearbyint(steps) * grid : mean;
}

double largest_of(const Matrix& points, const std::vector<double>& shift, Index begin, Index end,
                  Index step) {
  double largest = 0.0;
  for (Index i = begin; i < end; i += step) {
    const auto x = points.row(i);
    for (Index j = 0; j < points.cols(); ++j) {
      const double size = std::abs(x[j] - shift[j]);
      if (!std::isfinite(size)) {
        throw Error(ErrorCode::input, "",
                    "k-means needs finite values; row " + std::to_string(i) + ", column " +
                        std::to_string(j) + " is not");
      }
      largest = std::max(largest, size);
    }
  }
  return largest;
}

double scale_for(double largest) {
  return largest > 0.0 ? std::ldexp(1.0, -std::clamp(std::ilogb(largest), -1000, 1000)) : 1.0;
}

// One row of the copy; returns the largest magnitude in it (NaN stays NaN) and the squared norm.
GINGHAM_MULTIARCH
void copy_row(const double* x, const double* shift, Index d, double scale, float* out,
              double* largest, double* square) {
  constexpr Index kParts = 8;
  double big[kParts] = {}, sum[kParts] = {};
  Index j = 0;
  for (; j + kParts <= d; j += kParts) {
    for (Index p = 0; p < kParts; ++p) {
      const double value = (x[j + p] - shift[j + p]) * scale;
      const double size = std::abs(value);
      big[p] = size <= big[p] ? big[p] : size;
      const auto rounded = static_cast<float>(size < kLargestCoordinate ? value : 0.0);
      out[j + p] = rounded;
      sum[p] += static_cast<double>(rounded) * static_cast<double>(rounded);
    }
  }
  for (; j < d; ++j) {
    const double value = (x[j] - shift[j]) * scale;
    const double size = std::abs(value);
    big[0] = size <= big[0] ? big[0] : size;
    out[j] = static_cast<float>(size < kLargestCoordinate ? value : 0.0);
    sum[0] += static_cast<double>(out[j]) * static_cast<double>(out[j]);
  }
  *largest = 0.0;
  *square = 0.0;
  for (Index p = 0; p < kParts; ++p) {
    *largest = big[p] <= *largest ? *largest : big[p];
    *square += sum[p];
  }
}

}  // namespace

std::shared_ptr<const KMeansPoints> kmeans_prepare(const Matrix& points, Executor& executor) {
  auto made = std::make_shared<KMeansPoints>();
  const Index n = points.rows(), d = points.cols();
  made->source = points.data();
  made->rows = n;
  made->cols = d;
  for (Index j = 0; n > 0 && j < d; ++j) made->shift.push_back(shift_of(points, j));
  const Partition blocks = Partition::even(n, std::max<Index>(d, 1));
  std::vector<double> largest(static_cast<std::size_t>(std::max<Index>(blocks.count(), 1)), 0.0);
  const auto measure = [&] {  // everything, and refuses what is not finite
    executor.map(blocks.count(), [&](Index b) {
      largest[b] = largest_of(points, made->shift, blocks.begin(b), blocks.end(b), 1);
    });
    made->scale = scale_for(*std::max_element(largest.begin(), largest.end()));
  };
  if (d <= KMeansPoints::kFewDimensions) {
    measure();
    return made;
  }
  made->stride = (d + kmeans::kLanes - 1) / kmeans::kLanes * kmeans::kLanes;
  made->copy = Array<float>(checked_mul(n, made->stride, "k-means copy"));
  made->norms.resize(static_cast<std::size_t>(n));
  // The scale is guessed from a few rows; only where the guess is far off are all rows looked at
  // first.
  if (n > 0) {
    made->scale =
        scale_for(largest_of(points, made->shift, 0, n, std::max<Index>(1, n / kSampleRows)));
  }
  float* copy = made->copy.data();
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::fill(largest.begin(), largest.end(), 0.0);
    executor.map(blocks.count(), [&](Index b) {
      for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
        double size = 0.0, square = 0.0;
        copy_row(points.row(i).data(), made->shift.data(), d, made->scale, copy + i * made->stride,
                 &size, &square);
        made->norms[i] = std::sqrt(square);
        largest[b] = size <= largest[b] ? largest[b] : size;  // NaN comes through
      }
    });
    const auto fits = [](double size) { return size == 0.0 || size < kLargestCoordinate; };
    const double most = *std::max_element(largest.begin(), largest.end());
    const bool all_fit = std::all_of(largest.begin(), largest.end(), fits);
    if (all_fit && (most == 0.0 || most > kSmallestMaximum)) break;
    measure();
  }
  return made;
}

}  // namespace gingham
