#include "gingham/operators/unfolded.hpp"

#include <algorithm>

#include "gingham/kernels/products.hpp"
#include "gingham/kernels/vector_ops.hpp"

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

Unfolded::Unfolded(const Observed& data, Index mode) : values_(data.values()), mode_(mode) {
  for (Index m = 0; m < data.n_modes(); ++m)
    (m < mode ? left_ : m == mode ? items_ : right_) *= data.size(m);
  if (const SparseTensor* tensor = values_.sparse_tensor()) sparse_ = by_fibre(*tensor, mode);
}

// Of a dense array: the matrices of items x right, one after the other.
template <class Visit>
void Unfolded::for_each_slab(Visit&& visit) const {
  const double* cells = values_.dense_tensor()->data();
  for (Index l = 0; l < left_; ++l) {
    visit(Matrix(items_, right_,
                 Array<double>::borrow(cells + l * items_ * right_, items_ * right_, nullptr)),
          static_cast<std::size_t>(l * right_), static_cast<std::size_t>(right_));
  }
}

void Unfolded::multiply(ConstVec x, Vec y, Executor& executor) const {
  if (sparse_) return gingham::multiply(*sparse_, x, y, executor);
  if (values_.is_matrix())
    return mode_ == 0 ? gingham::multiply(values_, x, y, executor)
                      : gingham::multiply_transposed(values_, x, y, executor);
  std::fill(y.begin(), y.end(), 0.0);
  std::vector<double> part(y.size());
  for_each_slab([&](const Matrix& slab, std::size_t from, std::size_t n) {
    gingham::multiply(slab, x.subspan(from, n), part, executor);
    axpy(1.0, part, y);
  });
}

void Unfolded::multiply_transposed(ConstVec x, Vec y, Executor& executor) const {
  if (sparse_) return gingham::multiply_transposed(*sparse_, x, y, executor);
  if (values_.is_matrix())
    return mode_ == 0 ? gingham::multiply_transposed(values_, x, y, executor)
                      : gingham::multiply(values_, x, y, executor);
  for_each_slab([&](const Matrix& slab, std::size_t from, std::size_t n) {
    gingham::multiply_transposed(slab, x, y.subspan(from, n), executor);
  });
}

LinearOperator Unfolded::products(Executor& executor) const {
  return {rows(), cols(), [&, this](ConstVec x, Vec y) { multiply(x, y, executor); },
          [&, this](ConstVec x, Vec y) { multiply_transposed(x, y, executor); }};
}

double Unfolded::bytes(const Block& block, Index n_vectors) {
  const auto listed = static_cast<double>(block.summary().listed);
  const Index smallest = *std::min_element(block.shape().begin(), block.shape().end());
  const double vectors = 16.0 * (2.0 * static_cast<double>(n_vectors) + 24.0);
  if (block.is_sparse()) return (72.0 + vectors) * listed;
  return vectors * listed / static_cast<double>(smallest);
}

}  // namespace gingham
