// The same matrix stored in every way there is.
#pragma once
#include <cmath>
#include <vector>

#include "gingham/data/dataset.hpp"
#include "support/arrays.hpp"

namespace gingham::test {

enum class Storage { dense, zeros_left_out, missing_left_out };
inline constexpr Storage kStorages[] = {Storage::dense, Storage::zeros_left_out,
                                        Storage::missing_left_out};

inline Block block_of(const Matrix& x, Storage storage) {
  if (storage == Storage::dense) return Block("x", x);
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      if (storage == Storage::zeros_left_out ? x(i, j) == 0.0 : std::isnan(x(i, j))) continue;
      row.push_back(static_cast<std::int32_t>(i));
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(x(i, j));
    }
  }
  return Block("x",
               SparseMatrix::from_triplets(x.rows(), x.cols(), to_array(row), to_array(column),
                                           to_array(value), Duplicates::error),
               {}, storage == Storage::zeros_left_out ? Unlisted::zero : Unlisted::missing);
}

}  // namespace gingham::test
