#include "gingham/data/sparse_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "gingham/data/ordered_entries.hpp"

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

void check_size(Index rows, Index cols) {
  if (rows < 0 || cols < 0 || rows > kMaxSparseModeSize || cols > kMaxSparseModeSize) {
    throw Error(ErrorCode::input, "",
                fmt::format("sparse matrix: {} x {} is not between 0 and {} rows and columns", rows,
                            cols, kMaxSparseModeSize));
  }
}

// The compressed rows of entries, and whether some are at the same place.
struct Compressed {
  Array<Index> pointers;
  Array<std::int32_t> columns;
  Array<double> values;
  bool is_repeated = false;
};

// Rows cut into ranges, one for each thread, that hold about as many entries.
std::vector<Index> ranges_of_rows(std::span<const Index> pointers, Index n_ranges) {
  std::vector<Index> bounds{0};
  for (Index range = 1; range < n_ranges; ++range) {
    const Index target = pointers.back() / n_ranges * range;
    const auto row = std::lower_bound(pointers.begin(), pointers.end(), target);
    bounds.push_back(std::max<Index>(bounds.back(), row - pointers.begin()));
  }
  bounds.push_back(std::ssize(pointers) - 1);
  return bounds;
}

// Every thread looks at all entries and takes those of its rows, which come in the order given.
Compressed compress(Index rows, std::span<const std::int32_t> row_of,
                    std::span<const std::int32_t> column_of, std::span<const double> value_of,
                    Executor* executor) {
  const Index n_entries = std::ssize(row_of);
  Compressed made{count_pointers(row_of, rows), Array<std::int32_t>(n_entries),
                  Array<double>(n_entries)};
  const std::span<const Index> starts = std::as_const(made.pointers).span();
  std::vector<Index> fill(starts.begin(), starts.end());
  std::int32_t* const columns = made.columns.data();
  double* const values = made.values.data();
  constexpr Index kMostRanges = 32;
  const std::vector<Index> bounds = ranges_of_rows(
      starts, executor != nullptr ? std::min<Index>(executor->threads(), kMostRanges) : 1);
  const Index n_ranges = std::ssize(bounds) - 1;
  std::vector<char> is_repeated(static_cast<std::size_t>(n_ranges), 0);
  const auto take_range = [&](Index range) {
    const auto begin = static_cast<std::uint32_t>(bounds[range]);
    const auto n_rows = static_cast<std::uint32_t>(bounds[range + 1]) - begin;
    for (std::size_t k = 0; k < row_of.size(); ++k) {
      if (static_cast<std::uint32_t>(row_of[k]) - begin >= n_rows) continue;
      const Index place = fill[row_of[k]]++;
      columns[place] = column_of[k];
      values[place] = value_of[k];
    }
    std::vector<std::pair<std::int32_t, double>> scratch;
    for (Index i = bounds[range]; i < bounds[range + 1]; ++i) {
      const auto size = static_cast<std::size_t>(starts[i + 1] - starts[i]);
      const std::span<std::int32_t> own(columns + starts[i], size);
      sort_row(own, {values + starts[i], size}, scratch);
      if (std::adjacent_find(own.begin(), own.end()) != own.end()) is_repeated[range] = 1;
    }
  };
  if (n_ranges > 1) {
    executor->map(n_ranges, take_range);
  } else {
    take_range(0);
  }
  made.is_repeated = std::find(is_repeated.begin(), is_repeated.end(), 1) != is_repeated.end();
  return made;
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

// Of the lowest row with two entries at one place.
[[noreturn]] void report_duplicate(std::span<const std::int32_t> row,
                                   std::span<const std::int32_t> column, const Compressed& made) {
  const std::span<const Index> starts = made.pointers.span();
  const std::span<const std::int32_t> sorted = made.columns.span();
  Index i = 0, at = 1;
  while (at < std::ssize(sorted)) {
    while (starts[i + 1] < at) ++i;  // the row of entry at - 1
    if (at < starts[i + 1] && sorted[at] == sorted[at - 1]) break;
    ++at;
  }
  const std::int32_t j = sorted[at];
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

Compressed compressed(Index rows, Index cols, Array<std::int32_t> row, Array<std::int32_t> column,
                      Array<double> value, Duplicates duplicates, Executor* executor) {
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
  Compressed made = compress(rows, row_of, column_of, std::as_const(value).span(), executor);
  if (!made.is_repeated) return made;
  if (duplicates == Duplicates::error) report_duplicate(row_of, column_of, made);
  sum_duplicates(made.pointers, made.columns, made.values);
  return made;
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
  Compressed made = compressed(rows, cols, std::move(row), std::move(column), std::move(value),
                               duplicates, nullptr);
  return SparseMatrix(Trusted{}, rows, cols, std::move(made.pointers), std::move(made.columns),
                      std::move(made.values));
}

SparseMatrix matrix_of_entries(Index rows, Index cols, Array<std::int32_t> row,
                               Array<std::int32_t> column, Array<double> value,
                               Duplicates duplicates, Executor* executor) {
  Compressed made = compressed(rows, cols, std::move(row), std::move(column), std::move(value),
                               duplicates, executor);
  return {rows, cols, std::move(made.pointers), std::move(made.columns), std::move(made.values)};
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
