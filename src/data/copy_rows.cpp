#include "gingham/data/copy_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gingham {
namespace {

void check(const Block& block, Index mode, Index first, Index count, std::size_t room) {
  if (!block.is_matrix()) throw Error(ErrorCode::internal, block.name(), "is not a matrix");
  const Index items = block.shape()[mode], length = block.shape()[1 - mode];
  if (first >= 0 && count >= 0 && first <= items - count &&
      static_cast<Index>(room) == checked_mul(count, length, "rows"))
    return;
  throw Error(ErrorCode::internal, block.name(),
              fmt::format("asked for {} {} from {} on, into {} values", count,
                          mode == 0 ? "rows" : "columns", first, room));
}

template <class T>
T converted(double value, const Block& block) {
  if constexpr (std::is_same_v<T, float>) {
    if (std::abs(value) > static_cast<double>(std::numeric_limits<float>::max())) {
      throw Error(
          ErrorCode::input, block.name(),
          fmt::format("found the value {}; expected none beyond what a float holds", value));
    }
  }
  return static_cast<T>(value);
}

template <class T>
T unlisted(const Block& block) {
  return block.unlisted() == Unlisted::missing ? std::numeric_limits<T>::quiet_NaN() : T{0};
}

template <class T>
void rows_into(const Block& block, Index first, Index count, std::span<T> out) {
  check(block, 0, first, count, out.size());
  if (const RowSource* source = block.row_source()) return source->read_rows(first, count, out);
  const Index cols = block.shape()[1];
  if (const Matrix* dense = block.dense_matrix()) {
    const double* from = dense->data() + first * cols;
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = converted<T>(from[k], block);
    return;
  }
  const SparseMatrix& sparse = *block.sparse_matrix();
  std::fill(out.begin(), out.end(), unlisted<T>(block));
  for (Index i = 0; i < count; ++i) {
    T* row = out.data() + i * cols;
    for (Index k = sparse.pointers()[first + i]; k < sparse.pointers()[first + i + 1]; ++k)
      row[sparse.columns()[k]] = converted<T>(sparse.values()[k], block);
  }
}

template <class T>
void columns_into(const Block& block, Index first, Index count, std::span<T> out) {
  if (block.row_source() != nullptr)
    throw Error(ErrorCode::internal, block.name(), "is read by rows and has no columns to copy");
  check(block, 1, first, count, out.size());
  const Index rows = block.shape()[0];
  if (const Matrix* dense = block.dense_matrix()) {
    for (Index i = 0; i < rows; ++i) {
      const std::span<const double> row = dense->row(i);
      for (Index j = 0; j < count; ++j) out[j * rows + i] = converted<T>(row[first + j], block);
    }
    return;
  }
  const SparseMatrix& sparse = *block.sparse_matrix();
  std::fill(out.begin(), out.end(), unlisted<T>(block));
  const std::int32_t* columns = sparse.columns().data();
  for (Index i = 0; i < rows; ++i) {
    const std::int32_t* end = columns + sparse.pointers()[i + 1];
    const std::int32_t* at = std::lower_bound(columns + sparse.pointers()[i], end, first);
    for (; at != end && *at < first + count; ++at)
      out[(*at - first) * rows + i] = converted<T>(sparse.values()[at - columns], block);
  }
}

}  // namespace

void copy_rows(const Block& block, Index first, Index count, std::span<double> out) {
  rows_into(block, first, count, out);
}
void copy_rows(const Block& block, Index first, Index count, std::span<float> out) {
  rows_into(block, first, count, out);
}
void copy_columns(const Block& block, Index first, Index count, std::span<double> out) {
  columns_into(block, first, count, out);
}
void copy_columns(const Block& block, Index first, Index count, std::span<float> out) {
  columns_into(block, first, count, out);
}

}  // namespace gingham
