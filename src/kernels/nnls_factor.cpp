#include "gingham/kernels/nnls_factor.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/lanes.hpp"

namespace gingham {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kLane = lanes::kWide<double>;
static_assert(NnlsFactor::kTile == kLane);

// Four accumulators where there is enough to add: the sums stand in each other's way otherwise.
GINGHAM_INLINE double dot_of(const double* x, const double* y, Index n) {
  double rest = 0.0;
  Index i = 0;
  if (n >= kLane) {
    V a{}, b{}, c{}, d{};
    for (; i + 4 * kLane <= n; i += 4 * kLane) {
      a += wide(x + i) * wide(y + i);
      b += wide(x + i + kLane) * wide(y + i + kLane);
      c += wide(x + i + 2 * kLane) * wide(y + i + 2 * kLane);
      d += wide(x + i + 3 * kLane) * wide(y + i + 3 * kLane);
    }
    for (; i + kLane <= n; i += kLane) a += wide(x + i) * wide(y + i);
    a = (a + b) + (c + d);
    rest = lanes::total<double>(a);
  }
  for (; i < n; ++i) rest += x[i] * y[i];
  return rest;
}

// row <- row times the inverse of the transposed factor; returns the sum of its squares.
GINGHAM_MULTIARCH double forward(const double* rows, const double* inverse, Index stride,
                                 Index size, double* row) {
  for (Index i = 0; i < size; ++i) {
    row[i] = (row[i] - dot_of(rows + i * stride, row, i)) * inverse[i];
  }
  return dot_of(row, row, size);
}

GINGHAM_MULTIARCH void backward(const double* rows, const double* inverse, Index stride, Index size,
                                double* b) {
  for (Index i = size - 1; i >= 0; --i) {
    const double* row = rows + i * stride;
    const double x = b[i] *= inverse[i];
    for (Index l = 0; l < i; ++l) b[l] -= x * row[l];
  }
}

GINGHAM_MULTIARCH void solve_lanes(const double* rows, const double* inverse, Index stride,
                                   Index size, double* b) {
  for (Index i = 0; i < size; ++i) {
    const double* row = rows + i * stride;
    V even = wide(b + i * kLane), odd{};
    Index l = 0;
    for (; l + 2 <= i; l += 2) {
      even -= row[l] * wide(b + l * kLane);
      odd -= row[l + 1] * wide(b + (l + 1) * kLane);
    }
    if (l < i) even -= row[l] * wide(b + l * kLane);
    wide(b + i * kLane) = (even + odd) * inverse[i];
  }
  for (Index i = size - 1; i >= 0; --i) {
    const double* row = rows + i * stride;
    const V x = wide(b + i * kLane) * inverse[i];
    wide(b + i * kLane) = x;
    for (Index l = 0; l < i; ++l) wide(b + l * kLane) -= row[l] * x;
  }
}

}  // namespace

NnlsFactor::NnlsFactor(Index k)
    : k_(k), rows_(static_cast<std::size_t>(k * k)), inverse_(static_cast<std::size_t>(k)) {
  variables_.reserve(static_cast<std::size_t>(k));
}

double NnlsFactor::next_row(const double* gram, Index j) {
  const Index n = size();
  const Index* variables = variables_.data();
  const double* column = gram + j * k_;
  double* row = rows_.data() + n * k_;
  for (Index i = 0; i < n; ++i) row[i] = column[variables[i]];
  return column[j] - forward(rows_.data(), inverse_.data(), k_, n, row);
}

void NnlsFactor::finish_row(Index j, double pivot) {
  const double diagonal = std::sqrt(pivot);
  rows_[size() * k_ + size()] = diagonal;
  inverse_[size()] = 1.0 / diagonal;
  variables_.push_back(j);
}

bool NnlsFactor::append(const double* gram, Index j, double share) {
  const double pivot = next_row(gram, j);
  if (!(pivot > share * gram[j * k_ + j])) return false;
  finish_row(j, pivot);
  return true;
}

void NnlsFactor::append_always(const double* gram, Index j) {
  finish_row(j, std::max(next_row(gram, j), kLeastPivot * gram[j * k_ + j]));
}

void NnlsFactor::solve(double* b) const {
  forward(rows_.data(), inverse_.data(), k_, size(), b);
  backward(rows_.data(), inverse_.data(), k_, size(), b);
}

void NnlsFactor::solve_tile(double* b) const {
  solve_lanes(rows_.data(), inverse_.data(), k_, size(), b);
}

}  // namespace gingham
