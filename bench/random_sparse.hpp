#pragma once
#include <algorithm>

#include "gingham/base/rng.hpp"
#include "gingham/data/sparse_matrix.hpp"

namespace gingham::bench {

// Uniform values at `per_row` random places of each row; value(i, j, x) may change what is drawn.
template <class Value>
SparseMatrix random_sparse(Index rows, Index columns, Index per_row, Rng rng, Value&& value) {
  Array<Index> pointers(rows + 1);
  GrowingArray<std::int32_t> column;
  GrowingArray<double> values;
  for (Index i = 0; i < rows; ++i) {
    std::vector<Index> places = rng.sample(columns, std::min(per_row, columns));
    std::sort(places.begin(), places.end());
    for (const Index j : places) {
      column.push_back(static_cast<std::int32_t>(j));
      values.push_back(value(i, j, rng.uniform()));
    }
    pointers.data()[i + 1] = values.size();
  }
  return SparseMatrix(rows, columns, std::move(pointers), column.finish(), values.finish());
}

}  // namespace gingham::bench
