#include "gingham/operators/unfolded.hpp"

#include <algorithm>

#include "gingham/kernels/products.hpp"

namespace gingham {
namespace {

// The number of each entry's fibre. Cells may be more than 64 bits can count; equal fibres stay
// equal, and two different ones that meet by wrapping around only blur a start.
std::vector<Index> fibres(const SparseTensor& tensor, Index mode) {
  std::vector<Index> fibre(static_cast<std::size_t>(tensor.entries()), 0);
  for (Index m = 0; m < tensor.modes(); ++m) {
    if (m == mode) continue;
    for (std::size_t e = 0; e < fibre.size(); ++e) {
      fibre[e] = static_cast<Index>(static_cast<std::uint64_t>(fibre[e]) *
                                        static_cast<std::uint64_t>(tensor.shape()[m]) +
                                    static_cast<std::uint64_t>(tensor.coordinates(m)[e]));
    }
  }
  return fibre;
}

SparseMatrix by_fibre(const SparseTensor& tensor, Index mode) {
  std::vector<Index> fibre = fibres(tensor, mode);
  Index n_long = 0, n_columns = 1;
  for (Index m = 0; m < tensor.modes(); ++m) {
    if (m == mode || tensor.shape()[m] == 1) continue;
    ++n_long;
    n_columns = tensor.shape()[m];
  }
  if (n_long > 1) {
    std::vector<Index> known = fibre;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    n_columns = std::max<Index>(1, std::ssize(known));
    if (n_columns > kMaxSparseModeSize)
      throw Error(ErrorCode::memory, "--start",
                  "svd: more than 2147483647 fibres have a value; use another start");
    for (Index& one : fibre)
      one = std::lower_bound(known.begin(), known.end(), one) - known.begin();
  }
  Array<std::int32_t> row(tensor.entries()), column(tensor.entries());
  Array<double> value(tensor.entries());
  std::copy_n(tensor.coordinates(mode).data(), tensor.entries(), row.data());
  std::copy_n(tensor.values().data(), tensor.entries(), value.data());
  std::transform(fibre.begin(), fibre.end(), column.data(),
                 [](Index at) { return static_cast<std::int32_t>(at); });
  return SparseMatrix::from_triplets(tensor.shape()[mode], n_columns, std::move(row),
                                     std::move(column), std::move(value), Duplicates::sum);
}

}  // namespace

Unfolded::Unfolded(const Observed& data, Index mode)
    : values_(data.values()), size_(data.largest_magnitude()) {
  for (Index m = 0; m < data.n_modes(); ++m)
    (m < mode ? left_ : m == mode ? items_ : right_) *= data.size(m);
  if (const SparseTensor* tensor = values_.sparse_tensor()) sparse_ = by_fibre(*tensor, mode);
  if (const SparseMatrix* matrix = values_.sparse_matrix())
    sparse_ = mode == 0 ? *matrix : matrix->transposed();
}

// Of a dense array: its cells are `left` matrices of items x right, one after the other.
Piece Unfolded::piece(Index row, Index n_rows, Index column, Index n_cols, double* room) const {
  const double* cells =
      values_.is_matrix() ? values_.dense_matrix()->data() : values_.dense_tensor()->data();
  for (Index i = 0; i < n_rows; ++i) {
    for (Index j = 0; j < n_cols;) {
      const Index l = (column + j) / right_, r = (column + j) % right_;
      const Index n = std::min(n_cols - j, right_ - r);
      std::copy_n(cells + (l * items_ + row + i) * right_ + r, n, room + i * n_cols + j);
      j += n;
    }
  }
  return {room, n_cols};
}

SquaredOperator Unfolded::products(bool with_columns, Executor& executor) const {
  const auto cells = [this](Index row, Index n_rows, Index column, Index n_cols, double* room) {
    return piece(row, n_rows, column, n_cols, room);
  };
  const bool is_wide = cols() > rows();
  SquaredOperator a{rows(), cols(), size_,
                    [=, this, &executor](const Matrix& x, double factor, Matrix& y) {
                      if (!sparse_)
                        return multiply_squared({rows(), cols(), cells}, x, factor, y, executor);
                      multiply_squared(is_wide ? sparse_->transposed() : *sparse_, x, factor, y,
                                       executor);
                    },
                    nullptr};
  if (is_wide && !with_columns) return a;
  a.across = [=, this, &executor](const Matrix& x, Matrix& y) {
    if (!sparse_) return multiply_across({rows(), cols(), cells}, x, y, executor);
    is_wide ? multiply_transposed(*sparse_, x, y, executor) : multiply(*sparse_, x, y, executor);
  };
  return a;
}

// Fibres of a sparse array as they are numbered, sorted and taken by rows and by columns; vectors
// of the shorter side, of which the longest mode bounds the length.
double Unfolded::bytes(const Block& block, Index n_vectors) {
  constexpr double kPerListed = 88.0, kVectorsPerPanel = 16.0;
  const Index longest = *std::max_element(block.shape().begin(), block.shape().end());
  const double vectors = 8.0 * kVectorsPerPanel * (1.25 * static_cast<double>(n_vectors) + 8.0) *
                         static_cast<double>(longest);
  if (!block.is_sparse()) return vectors;
  return kPerListed * static_cast<double>(block.summary().listed) + vectors;
}

}  // namespace gingham
