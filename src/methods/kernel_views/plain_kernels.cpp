#include "gingham/methods/kernel_views/plain_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/methods/kernel_views/kernel.hpp"

namespace gingham::methods::kernel_views {
namespace {

// 0 where no distance is positive.
Real plain_median(const Triangle& squared) {
  std::vector<double> all;
  for (Index i = 0; i < squared.n(); ++i) {
    for (Index j = 0; j < i; ++j) all.push_back(squared.at(i, j));
  }
  if (all.empty()) return 0;
  std::sort(all.begin(), all.end());
  if (all[(all.size() - 1) / 2] == 0.0)
    all.erase(all.begin(), std::upper_bound(all.begin(), all.end(), 0.0));
  return all.empty() ? 0 : std::sqrt(static_cast<Real>(all[(all.size() - 1) / 2]));
}

}  // namespace

PlainKernel plain_kernel(const Dataset& data, const Options& options, Index view) {
  const views::PlainView x(data.block(view), views::scale_of(options));
  const Index n = x.rows();
  const bool is_linear = options.text("kernel") == "linear";
  PlainKernel kernel{Triangle(n)};
  std::vector<Real> squares;
  for (Index i = 0; i < n; ++i) squares.push_back(x.inner_product(i, i));
  // The longest row: squares neither overflow nor underflow in its units.
  Real unit = std::sqrt(*std::max_element(squares.begin(), squares.end()));
  if (unit == 0) unit = 1;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      Real cell = is_linear ? x.inner_product(i, j) : x.squared_distance(i, j);
      // Rows that are the same but for rounding.
      if (!is_linear && cell <= 1e-24L * (squares[i] + squares[j])) cell = 0;
      kernel.values.at(i, j) = static_cast<double>(cell / unit / unit);
    }
  }
  if (is_linear) return kernel;
  const PenaltyValue& wanted = width_of(options, view);
  Real width = 1;
  if (wanted.kind == PenaltyValue::Kind::number) {
    width = wanted.number / unit;
  } else {
    const Real share =
        wanted.kind == PenaltyValue::Kind::percent ? static_cast<Real>(wanted.number) / 100 : 1;
    const Real median = plain_median(kernel.values);
    width = share * (median > 0 ? median : 1 / unit);
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const Real squared = kernel.values.at(i, j);
      kernel.values.at(i, j) =
          squared == 0 ? 1.0 : static_cast<double>(std::exp(-squared / width / width / 2));
    }
  }
  kernel.width = static_cast<double>(width * unit);
  return kernel;
}

void plain_normalize(Triangle& k) {
  std::vector<Real> degree(static_cast<std::size_t>(k.n()), 0);
  for (Index i = 0; i < k.n(); ++i) {
    for (Index j = 0; j < k.n(); ++j) degree[i] += std::abs(k.at(i, j));
  }
  for (Index i = 0; i < k.n(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      const Real both = std::sqrt(degree[i]) * std::sqrt(degree[j]);
      k.at(i, j) = both > 0 ? static_cast<double>(k.at(i, j) / both) : 0.0;
    }
  }
}

Real plain_residual(const Triangle& l, const Matrix& vectors, const std::vector<double>& values) {
  Real largest = 0;
  for (Index k = 0; k < vectors.cols(); ++k) {
    Real squares = 0;
    for (Index i = 0; i < l.n(); ++i) {
      Real product = 0;
      for (Index j = 0; j < l.n(); ++j) product += static_cast<Real>(l.at(i, j)) * vectors(j, k);
      squares += std::pow(product - static_cast<Real>(values[k]) * vectors(i, k), 2);
    }
    largest = std::max(largest, std::sqrt(squares));
  }
  return largest;
}

}  // namespace gingham::methods::kernel_views
