#include "gingham/methods/plain/scaled.hpp"

#include <algorithm>
#include <cmath>

namespace gingham::methods::plain {

Scaling::Scaling(const Block& block, const std::string& scale)
    : mean(plain::zeros(block.shape()[1])),
      factor(mean.size(), 1),
      zeros(mean),
      by_rows(scale == "rows") {
  const bool has_zeros = block.is_sparse() && block.unlisted() == Unlisted::zero;
  if (has_zeros) zeros.assign(zeros.size(), static_cast<Real>(block.shape()[0]));
  Reals count(mean), low(mean.size(), INFINITY), high(mean.size(), -INFINITY), squares(mean);
  for_each_entry(block, [&](std::span<const Index> at, double x) {
    const Index j = at[1];
    if (has_zeros) zeros[j] -= 1;
    if (std::isnan(x)) return;
    count[j] += 1;
    mean[j] += x;
    low[j] = std::min<Real>(low[j], x);
    high[j] = std::max<Real>(high[j], x);
  });
  if (scale == "none") {
    mean.assign(mean.size(), 0);
    return;
  }
  for (std::size_t j = 0; j < mean.size(); ++j) {
    count[j] += zeros[j];
    if (zeros[j] > 0) low[j] = std::min<Real>(low[j], 0);
    if (zeros[j] > 0) high[j] = std::max<Real>(high[j], 0);
    mean[j] = low[j] < high[j] ? mean[j] / count[j] : count[j] > 0 ? low[j] : Real{NAN};
    if (low[j] < high[j]) largest = std::max({largest, high[j], -low[j]});
    if (zeros[j] > 0) squares[j] = zeros[j] * mean[j] * mean[j];
  }
  for_each_entry(block, [&](std::span<const Index> at, double x) {
    if (!std::isnan(x)) squares[at[1]] += (x - mean[at[1]]) * (x - mean[at[1]]);
  });
  Real all = 0;
  for (const Real one : squares) all += one;
  for (std::size_t j = 0; j < mean.size(); ++j) {
    if (scale == "standardize")
      factor[j] = squares[j] > 0 ? 1 / std::sqrt(squares[j] / count[j]) : 0;
    if (scale == "unit") factor[j] = all > 0 ? 1 / std::sqrt(all) : 0;
    if (!(low[j] < high[j])) factor[j] = count[j] > 0 ? Real{0} : Real{NAN};
  }
}

void ScaledCells::for_each(Visit visit) const {
  const Index d = shape()[1];
  Reals values = zeros(d);
  for_each_row(block_, [&](Index i, ConstVec row) {
    Real squares = 0;
    for (Index j = 0; j < d; ++j) {
      const bool is_observed = !std::isnan(row[j]);
      values[j] = is_observed ? (row[j] - scaling_.mean[j]) * scaling_.factor[j] : 0;
      squares += values[j] * values[j];
    }
    const Real length = std::sqrt(squares);
    const bool is_mean = length <= 1e-13L * scaling_.largest;  // but for rounding
    for (Index j = 0; j < d; ++j) {
      const Index at[] = {i, j};
      const Real x = !scaling_.by_rows ? values[j] : is_mean ? 0 : values[j] / length;
      if (!std::isnan(row[j])) visit(at, x, rho_[i]);
    }
  });
}

}  // namespace gingham::methods::plain
