#include "gingham/data/sparse_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace gingham {
namespace {

// pointers[i] = number of keys below i, for i = 0 ... n.
Array<Index> count_pointers(std::span<const std::int32_t> keys, Index n) {
  Array<Index> pointers(n + 1);
  Index* counts = pointers.data();
  for (const std::int32_t key : keys) ++counts[key + 1];
  for (Index i = 0; i < n; ++i) counts[i + 1] += counts[i];
  return pointers;
}

// Orders the entries of one row by column; equal columns keep their order.
void sort_row(std::span<std::int32_t> columns, std::span<double> values,
              std::vector<std::pair<std::int32_t, double>>& scratch) {
  if (std::is_sorted(columns.begin(), columns.end())) return;
  scratch.clear();
  for (std::size_t k = 0; k < columns.size(); ++k) scratch.emplace_back(columns[k], values[k]);
  std::stable_sort(scratch.begin(), scratch.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < columns.size(); ++k) {
    columns[k] = scratch[k].first;
    values[k] = scratch[k].second;
  }
}

[[noreturn]] void report_duplicate(std::span<const std::int32_t> row,
                                   std::span<const std::int32_t> column, Index i, std::int32_t j) {
  Index first = -1;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] != i || column[k] != j) continue;
    if (first >= 0) {
      throw DuplicateEntry(first, static_cast<Index>(k),
                           fmt::format("row {}, column {}", i + 1, j + 1));
    }
    first = static_cast<Index>(k);
  }
  throw Error(ErrorCode::internal, "", "duplicate entry lost");
}

void check_size(Index rows, Index cols) {
  if (rows < 0 || cols < 0 || rows > kMaxSparseModeSize || cols > kMaxSparseModeSize) {
    throw Error(ErrorCode::input, "",
                fmt::format("sparse matrix: {} x {} is not between 0 and {} rows and columns", rows,
                            cols, kMaxSparseModeSize));
  }
}

// Adds up runs of equal columns within each row; sorted input, in place.
void sum_duplicates(Array<Index>& pointers, Array<std::int32_t>& columns, Array<double>& values) {
  Index* starts = pointers.data();
  std::int32_t* column = columns.data();
  double* value = values.data();
  Index write = 0;
  for (Index i = 0; i + 1 < pointers.size(); ++i) {
    const Index begin = starts[i];
    const Index end = starts[i + 1];
    starts[i] = write;
    for (Index k = begin; k < end; ++k) {
      if (write > starts[i] && column[write - 1] == column[k]) {
        value[write - 1] += value[k];
      } else {
        column[write] = column[k];
        value[write++] = value[k];
      }
    }
  }
  starts[pointers.size() - 1] = write;
  Array<std::int32_t> kept_columns(write);
  Array<double> kept_values(write);
  std::copy_n(column, write, kept_columns.data());
  std::copy_n(value, write, kept_values.data());
  columns = std::move(kept_columns);
  values = std::move(kept_values);
}

}  // namespace

struct SparseMatrix::Lazy {
  std::once_flag once;
  std::unique_ptr<SparseMatrix> transposed;
};

DuplicateEntry::~DuplicateEntry() = default;

SparseMatrix::SparseMatrix(Trusted, Index rows, Index cols, Array<Index> pointers,
                           Array<std::int32_t> columns, Array<double> values)
    : rows_(rows),
      cols_(cols),
      pointers_(std::move(pointers)),
      columns_(std::move(columns)),
      values_(std::move(values)),
      lazy_(std::make_shared<Lazy>()) {}

SparseMatrix::SparseMatrix(Index rows, Index cols, Array<Index> pointers,
                           Array<std::int32_t> columns, Array<double> values)
    : SparseMatrix(Trusted{}, rows, cols, std::move(pointers), std::move(columns),
                   std::move(values)) {
  const auto refuse = [](const std::string& message) {
    throw Error(ErrorCode::input, "", "sparse matrix: " + message);
  };
  check_size(rows, cols);
  if (pointers_.size() != rows + 1) {
    refuse(
        fmt::format("{} row pointers for {} rows, expected {}", pointers_.size(), rows, rows + 1));
  }
  if (columns_.size() != values_.size()) {
    refuse(fmt::format("{} column indices but {} values", columns_.size(), values_.size()));
  }
  const std::span<const Index> starts = std::as_const(pointers_).span();
  const std::span<const std::int32_t> column = std::as_const(columns_).span();
  if (starts[0] != 0 || starts[rows] != columns_.size()) {
    refuse(fmt::format("row pointers run from {} to {}, expected 0 to {}", starts[0], starts[rows],
                       columns_.size()));
  }
  for (Index i = 0; i < rows; ++i) {
    if (starts[i + 1] < starts[i])
      refuse(fmt::format("row pointer {} is below the one before", i + 1));
  }
  for (Index i = 0; i < rows; ++i) {
    std::int32_t before = -1;
    for (Index k = starts[i]; k < starts[i + 1]; ++k) {
      if (column[k] < 0 || column[k] >= cols) {
        refuse(fmt::format("row {} has column index {}, expected 0 to {}", i, column[k], cols - 1));
      }
      if (column[k] <= before) {
        refuse(fmt::format("row {}: column indices do not rise at {}", i, column[k]));
      }
      before = column[k];
    }
  }
}

SparseMatrix SparseMatrix::from_triplets(Index rows, Index cols, Array<std::int32_t> row,
                                         Array<std::int32_t> column, Array<double> value,
                                         Duplicates duplicates) {
  check_size(rows, cols);
  if (row.size() != value.size() || column.size() != value.size()) {
    throw Error(ErrorCode::input, "",
                fmt::format("sparse matrix: {} row indices and {} column indices for {} values",
                            row.size(), column.size(), value.size()));
  }
  const std::span<const std::int32_t> row_of = std::as_const(row).span();
  const std::span<const std::int32_t> column_of = std::as_const(column).span();
  for (std::size_t k = 0; k < row_of.size(); ++k) {
    if (row_of[k] < 0 || row_of[k] >= rows || column_of[k] < 0 || column_of[k] >= cols) {
      throw Error(ErrorCode::input, "",
                  fmt::format("entry {} is at row {}, column {}, outside of {} x {}", k + 1,
                              Index{row_of[k]} + 1, Index{column_of[k]} + 1, rows, cols));
    }
  }
  Array<Index> pointers = count_pointers(row_of, rows);
  Array<std::int32_t> sorted_columns(column.size());
  Array<double> sorted_values(value.size());
  std::vector<Index> fill(std::as_const(pointers).span().begin(),
                          std::as_const(pointers).span().end());
  for (std::size_t k = 0; k < row_of.size(); ++k) {
    const Index place = fill[row_of[k]]++;
    sorted_columns.data()[place] = column_of[k];
    sorted_values.data()[place] = std::as_const(value).data()[k];
  }
  std::vector<std::pair<std::int32_t, double>> scratch;
  bool repeated = false;
  for (Index i = 0; i < rows; ++i) {
    const Index begin = pointers.data()[i];
    const auto size = static_cast<std::size_t>(pointers.data()[i + 1] - begin);
    const std::span<std::int32_t> own(sorted_columns.data() + begin, size);
    sort_row(own, {sorted_values.data() + begin, size}, scratch);
    const auto twin = std::adjacent_find(own.begin(), own.end());
    if (twin == own.end()) continue;
    if (duplicates == Duplicates::error) report_duplicate(row_of, column_of, i, *twin);
    repeated = true;
  }
  if (repeated) sum_duplicates(pointers, sorted_columns, sorted_values);
  return SparseMatrix(Trusted{}, rows, cols, std::move(pointers), std::move(sorted_columns),
                      std::move(sorted_values));
}

SparseMatrix SparseMatrix::from_dense(const Matrix& x) {
  Array<Index> pointers(x.rows() + 1);
  GrowingArray<std::int32_t> columns;
  GrowingArray<double> values;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      if (x(i, j) == 0.0) continue;
      columns.push_back(static_cast<std::int32_t>(j));
      values.push_back(x(i, j));
    }
    pointers.data()[i + 1] = static_cast<Index>(values.size());
  }
  return SparseMatrix(x.rows(), x.cols(), std::move(pointers), columns.finish(), values.finish());
}

const SparseMatrix& SparseMatrix::transposed() const {
  std::call_once(lazy_->once, [this] {
    const std::span<const Index> starts = pointers();
    Array<Index> pointers = count_pointers(columns(), cols_);
    Array<std::int32_t> rows_of(entries());
    Array<double> values_of(entries());
    std::vector<Index> fill(std::as_const(pointers).span().begin(),
                            std::as_const(pointers).span().end());
    std::int32_t* row_out = rows_of.data();
    double* value_out = values_of.data();
    for (Index i = 0; i < rows_; ++i) {
      for (Index k = starts[i]; k < starts[i + 1]; ++k) {
        const Index place = fill[columns()[k]]++;
        row_out[place] = static_cast<std::int32_t>(i);
        value_out[place] = values()[k];
      }
    }
    lazy_->transposed.reset(new SparseMatrix(Trusted{}, cols_, rows_, std::move(pointers),
                                             std::move(rows_of), std::move(values_of)));
  });
  return *lazy_->transposed;
}

}  // namespace gingham
