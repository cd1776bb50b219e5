#include "gingham/methods/sparse_coding/samples.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gingham/data/copy_rows.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::sparse_coding {
namespace {

// What is left of a constant sample when its mean is taken away, relative to its values.
constexpr double kConstant = 1e-12;

// Zero mean and unit norm; false, and zeros, for a constant sample.
bool normalize(Vec x) {
  const double most = max_abs(x);
  const auto n = static_cast<double>(x.size());
  if (most > 0.0) {
    // By the largest first: squares neither overflow nor vanish, and equal values stay equal.
    const double inverse = 1.0 / most;
    if (std::isfinite(inverse)) {
      scale(inverse, x);
    } else {
      for (double& value : x) value /= most;
    }
    const double mean = sum(x) / n;
    for (double& value : x) value -= mean;
    const double length = std::sqrt(sum_squares(x));
    if (length > kConstant * std::sqrt(n)) {
      scale(1.0 / length, x);
      return true;
    }
  }
  std::fill(x.begin(), x.end(), 0.0);
  return false;
}

}  // namespace

bool are_columns(const Options& options) { return options.text("samples") == "columns"; }

Samples::Samples(const Block& block, const Options& options)
    : block_(&block),
      are_columns_(are_columns(options)),
      normalize_(options.text("normalize") == "yes") {}

template <class T>
void Samples::read(Index first, Index n, Index stride, T* out, char* is_kept) const {
  const Index p = length();
  std::vector<double> values(static_cast<std::size_t>(n * p));
  if (are_columns_) {
    copy_columns(*block_, first, n, std::span<double>(values));
  } else {
    copy_rows(*block_, first, n, std::span<double>(values));
  }
  for (Index i = 0; i < n; ++i) {
    const Vec sample(values.data() + i * p, static_cast<std::size_t>(p));
    is_kept[i] = !normalize_ || normalize(sample) ? 1 : 0;
    T* const to = out + i * stride;
    for (Index t = 0; t < p; ++t) to[t] = static_cast<T>(sample[t]);
    std::fill(to + p, to + stride, T{0});
  }
}

template void Samples::read(Index, Index, Index, float*, char*) const;
template void Samples::read(Index, Index, Index, double*, char*) const;

}  // namespace gingham::methods::sparse_coding
