// Small random arrays of two to five modes in every kind of storage.
#pragma once
#include <cmath>

#include "gingham/base/rng.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham::testing {

inline Shape random_shape(Rng& rng, Index most = 7) {
  Shape shape;
  const Index n_modes = 2 + rng.below(4);
  for (Index n = 0; n < n_modes; ++n) shape.push_back(1 + rng.below(n_modes > 3 ? 4 : most));
  return shape;
}

// A few planted blocks and noise of a kind: 0 plain, 1 rounded (ties and zeros), 2 mostly zero, 3
// huge, 4 tiny.
inline Tensor random_tensor(const Shape& shape, int kind, bool is_signed, Rng& rng) {
  Tensor x(shape);
  std::vector<std::vector<double>> a(shape.size());
  for (int k = 0; k < 2; ++k) {
    for (std::size_t n = 0; n < shape.size(); ++n) {
      a[n].assign(static_cast<std::size_t>(shape[n]), 0.0);
      for (double& value : a[n]) {
        value = rng.uniform() < 0.5 ? 0.0 : is_signed ? rng.normal() : rng.uniform();
      }
    }
    std::vector<Index> at(shape.size(), 0);
    for (double& cell : x.values()) {
      double product = 3.0;
      for (std::size_t n = 0; n < shape.size(); ++n) product *= a[n][at[n]];
      cell += product;
      for (std::size_t n = shape.size(); n-- > 0;) {
        if (++at[n] < shape[n]) break;
        at[n] = 0;
      }
    }
  }
  for (double& cell : x.values()) {
    cell += 0.3 * rng.normal();
    if (kind == 1) cell = std::round(cell);
    if (kind == 2) cell = rng.uniform() < 0.7 ? 0.0 : std::abs(cell);
    if (kind == 3) cell *= 1e8;
    if (kind == 4) cell *= 1e-8;
  }
  return x;
}

// The listed entries of a dense array: what is not zero (a NaN is not), or every cell.
inline SparseTensor to_sparse(const Tensor& x, bool keep_zeros = false) {
  std::vector<std::vector<std::int32_t>> index(x.shape().size());
  std::vector<double> values;
  std::vector<Index> at(x.shape().size(), 0);
  for (const double cell : x.values()) {
    if (keep_zeros || cell != 0.0) {
      values.push_back(cell);
      for (std::size_t n = 0; n < at.size(); ++n) {
        index[n].push_back(static_cast<std::int32_t>(at[n]));
      }
    }
    for (std::size_t n = at.size(); n-- > 0;) {
      if (++at[n] < x.shape()[static_cast<Index>(n)]) break;
      at[n] = 0;
    }
  }
  std::vector<Array<std::int32_t>> coordinates;
  for (const auto& one : index) {
    coordinates.emplace_back(static_cast<Index>(one.size()));
    std::copy(one.begin(), one.end(), coordinates.back().data());
  }
  Array<double> stored(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), stored.data());
  return SparseTensor::from_coordinates(x.shape(), std::move(coordinates), std::move(stored),
                                        Duplicates::error);
}

// A matrix block where there are two modes and `as_matrix` says so.
inline Block dense_block(const Tensor& x, bool as_matrix = false) {
  if (!as_matrix || x.modes() != 2) return Block("X", x);
  Matrix matrix(x.shape()[0], x.shape()[1]);
  std::copy(x.values().begin(), x.values().end(), matrix.values().begin());
  return Block("X", matrix);
}

inline Block sparse_block(const Tensor& x, Unlisted unlisted, bool as_matrix = false,
                          bool keep_zeros = false) {
  if (as_matrix && x.modes() == 2) {
    Matrix matrix(x.shape()[0], x.shape()[1]);
    std::copy(x.values().begin(), x.values().end(), matrix.values().begin());
    return Block("X", SparseMatrix::from_dense(matrix), {}, unlisted);
  }
  return Block("X", to_sparse(x, keep_zeros), {}, unlisted);
}

}  // namespace gingham::testing
