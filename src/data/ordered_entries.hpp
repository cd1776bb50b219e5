// Sparse blocks from entries in any order, on several threads.
//
// Matrix: every thread takes the entries of a range of rows. Tensor: a place (i_0, i_1, ...) is one
// number, the bits of i_0 highest; the entries are sorted by it with a stable radix sort: per digit
// every block of entries counts its digits, and then moves its entries behind those of the blocks
// before it. Neither result depends on how the work is cut.
#pragma once
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/sparse_matrix.hpp"
#include "gingham/data/sparse_tensor.hpp"

namespace gingham {

// What SparseMatrix::from_triplets and SparseTensor::from_coordinates give, the same bits and the
// same errors; on the calling thread where there is no executor.
SparseMatrix matrix_of_entries(Index rows, Index cols, Array<std::int32_t> row,
                               Array<std::int32_t> column, Array<double> value,
                               Duplicates duplicates, Executor* executor);
SparseTensor tensor_of_entries(Shape shape, std::vector<Array<std::int32_t>> coordinates,
                               Array<double> values, Duplicates duplicates, Executor* executor);

}  // namespace gingham
