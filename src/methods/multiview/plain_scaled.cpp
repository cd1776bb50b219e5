#include "gingham/methods/multiview/plain_scaled.hpp"

#include <algorithm>
#include <cmath>

namespace gingham::methods::multiview {
namespace {

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

PlainScaled::PlainScaled(const Block& block, const std::string& scale, const Reals& rho)
    : Cells(block.shape()),
      block_(block),
      rho_(rho),
      d_(block.shape()[1]),
      mean_(size(d_), 0),
      factor_(size(d_), 1) {
  if (scale == "none") return;
  Reals count(size(d_), 0), low(size(d_), INFINITY), high(size(d_), -INFINITY);
  for_each_row(block_, [&](Index, ConstVec row) {
    for (Index j = 0; j < d_; ++j) {
      if (std::isnan(row[j])) continue;
      count[j] += 1;
      mean_[j] += row[j];
      low[j] = std::min<Real>(low[j], row[j]);
      high[j] = std::max<Real>(high[j], row[j]);
    }
  });
  for (Index j = 0; j < d_; ++j) {
    mean_[j] = low[j] < high[j] ? mean_[j] / count[j] : count[j] > 0 ? low[j] : Real{NAN};
    if (low[j] < high[j]) largest_ = std::max({largest_, high[j], -low[j]});
  }
  Reals squares(size(d_), 0);
  for_each_row(block_, [&](Index, ConstVec row) {
    for (Index j = 0; j < d_; ++j) {
      if (!std::isnan(row[j])) squares[j] += (row[j] - mean_[j]) * (row[j] - mean_[j]);
    }
  });
  Real all = 0;
  for (const Real one : squares) all += one;
  for (Index j = 0; j < d_; ++j) {
    if (scale == "standardize")
      factor_[j] = squares[j] > 0 ? 1 / std::sqrt(squares[j] / count[j]) : 0;
    if (scale == "unit") factor_[j] = all > 0 ? 1 / std::sqrt(all) : 0;
    if (!(low[j] < high[j])) factor_[j] = count[j] > 0 ? Real{0} : Real{NAN};
  }
  by_rows_ = scale == "rows";
}

void PlainScaled::for_each(Visit visit) const {
  Reals values(size(d_));
  for_each_row(block_, [&](Index i, ConstVec row) {
    Real squares = 0;
    for (Index j = 0; j < d_; ++j) {
      values[j] = std::isnan(row[j]) ? 0 : (row[j] - mean_[j]) * factor_[j];
      squares += values[j] * values[j];
    }
    const Real length = std::sqrt(squares);
    const bool is_mean = length <= 1e-13L * largest_;  // but for rounding
    for (Index j = 0; j < d_; ++j) {
      const Index at[] = {i, j};
      const Real x = !by_rows_ ? values[j] : is_mean ? 0 : values[j] / length;
      if (!std::isnan(row[j])) visit(at, x, rho_[i]);
    }
  });
}

}  // namespace gingham::methods::multiview
