#include "gingham/operators/preparation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A row shorter than this share of the largest value is rounding of the means.
constexpr double kNoLength = 1e-13;
constexpr int kLowestExponent = -1000;  // 2^-e of a unit 2^e stays finite

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

// 1 / x, and 0 for what has no finite inverse: a column or row without deviations is out.
double inverse(double x) {
  const double result = x > 0.0 ? 1.0 / x : 0.0;
  return std::isfinite(result) ? result : 0.0;
}

// Sum of `values` over the columns that row i does not list.
double sum_unlisted(const SparseMatrix& x, Index i, const std::vector<double>& values) {
  double total = 0.0;
  Index j = 0;
  for (Index k = x.pointers()[i]; k < x.pointers()[i + 1]; ++k) {
    for (; j < x.columns()[k]; ++j) total += values[j];
    ++j;
  }
  for (; j < x.cols(); ++j) total += values[j];
  return total;
}

int exponent_of(double x) { return x > 0.0 ? std::max(std::ilogb(x), kLowestExponent) : 0; }

// Of the observed cells of each column.
struct Columns {
  explicit Columns(Index n)
      : count(size(n), 0.0),
        low(size(n), kInfinity),
        high(size(n), -kInfinity),
        mean(size(n), 0.0),
        unit(size(n), 1.0),
        off(size(n), 0.0),
        squares(size(n), 0.0) {}

  std::vector<double> count, low, high, mean;
  std::vector<double> unit;          // a power of two near the largest |x - mean|
  std::vector<double> off, squares;  // sums of (x - mean) / unit and of its square

  bool is_constant(Index j) const { return !(low[j] < high[j]); }
};

void scan(const Matrix& x, Columns& found, Executor& executor) {
  const std::size_t d = size(x.cols());
  const Partition blocks = Partition::even(x.rows(), x.cols(), 4 * x.cols());
  const double share = 1.0 / static_cast<double>(x.rows());
  reduce(
      executor, blocks.count(), 4 * d * sizeof(double),
      [&](Index block, std::byte* area) {
        double *count = reinterpret_cast<double*>(area), *low = count + d, *high = low + d,
               *mean = high + d;
        std::fill_n(low, d, kInfinity);
        std::fill_n(high, d, -kInfinity);
        for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
          const double* row = x.row(i).data();
          for (std::size_t j = 0; j < d; ++j) {
            const bool observed = row[j] == row[j];
            count[j] += observed ? 1.0 : 0.0;
            low[j] = row[j] < low[j] ? row[j] : low[j];
            high[j] = row[j] > high[j] ? row[j] : high[j];
            mean[j] += observed ? row[j] * share : 0.0;
          }
        }
      },
      [&](std::byte* left, const std::byte* right) {
        double *count = reinterpret_cast<double*>(left), *low = count + d, *high = low + d,
               *mean = high + d;
        const double* from = reinterpret_cast<const double*>(right);
        for (std::size_t j = 0; j < d; ++j) {
          count[j] += from[j];
          low[j] = std::min(low[j], from[d + j]);
          high[j] = std::max(high[j], from[2 * d + j]);
          mean[j] += from[3 * d + j];
        }
      },
      [&](const std::byte* area) {
        const double* all = reinterpret_cast<const double*>(area);
        for (std::vector<double>* to : {&found.count, &found.low, &found.high, &found.mean}) {
          std::copy_n(all, d, to->begin());
          all += d;
        }
      });
}

void scan(const SparseMatrix& x, Unlisted unlisted, Columns& found, Executor& executor) {
  const SparseMatrix& columns = x.transposed();
  const Partition blocks = Partition::weighted(columns.pointers());
  const double share = 1.0 / static_cast<double>(x.rows());
  executor.map(blocks.count(), [&](Index block) {
    for (Index j = blocks.begin(block); j < blocks.end(block); ++j) {
      const Index begin = columns.pointers()[j], end = columns.pointers()[j + 1];
      const auto take = [&](double value, double times) {
        found.count[j] += times;
        found.low[j] = std::min(found.low[j], value);
        found.high[j] = std::max(found.high[j], value);
        found.mean[j] += value * share;
      };
      for (Index k = begin; k < end; ++k) {
        if (!std::isnan(columns.values()[k])) take(columns.values()[k], 1.0);
      }
      const bool has_zeros = end - begin < x.rows() && unlisted == Unlisted::zero;
      if (has_zeros) take(0.0, static_cast<double>(x.rows() - (end - begin)));
    }
  });
}

// Sums of deviations from the means, in units that neither overflow nor underflow.
void deviations(const Block& matrix, Columns& found, Executor& executor) {
  const std::size_t d = found.mean.size();
  if (const Matrix* x = matrix.dense_matrix()) {
    const Partition blocks = Partition::even(x->rows(), x->cols(), 2 * x->cols());
    std::vector<double> sums(2 * d, 0.0);
    sum_blocks(executor, blocks.count(), Vec(sums), [&](Index block, Vec partial) {
      double *off = partial.data(), *squares = off + d;
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        const double* row = x->row(i).data();
        for (std::size_t j = 0; j < d; ++j) {
          const double away = (row[j] - found.mean[j]) / found.unit[j];
          off[j] += away == away ? away : 0.0;
          squares[j] += away == away ? away * away : 0.0;
        }
      }
    });
    std::copy_n(sums.begin(), d, found.off.begin());
    std::copy_n(sums.begin() + static_cast<Index>(d), d, found.squares.begin());
    return;
  }
  const SparseMatrix& columns = matrix.sparse_matrix()->transposed();
  const Partition blocks = Partition::weighted(columns.pointers());
  executor.map(blocks.count(), [&](Index block) {
    for (Index j = blocks.begin(block); j < blocks.end(block); ++j) {
      const auto take = [&](double value, double times) {
        const double away = (value - found.mean[j]) / found.unit[j];
        found.off[j] += times * away;
        found.squares[j] += times * away * away;
      };
      double listed = 0.0;
      for (Index k = columns.pointers()[j]; k < columns.pointers()[j + 1]; ++k) {
        if (std::isnan(columns.values()[k])) continue;
        take(columns.values()[k], 1.0);
        listed += 1.0;
      }
      take(0.0, found.count[j] - listed);
    }
  });
}

Columns scan(const Block& block, Executor& executor) {
  const Index cols = block.shape()[1];
  Columns found(cols);
  if (const Matrix* x = block.dense_matrix()) {
    scan(*x, found, executor);
  } else {
    scan(*block.sparse_matrix(), block.unlisted(), found, executor);
  }
  const auto n = static_cast<double>(block.shape()[0]);
  for (Index j = 0; j < cols; ++j) {
    if (found.count[j] == 0.0) {
      found.mean[j] = 0.0;
    } else if (found.is_constant(j)) {
      found.mean[j] = found.low[j];  // deviations are exactly zero
    } else {
      found.mean[j] = std::clamp(found.mean[j] * (n / found.count[j]), found.low[j], found.high[j]);
      found.unit[j] = std::ldexp(
          1.0, exponent_of(std::max(found.high[j] - found.mean[j], found.mean[j] - found.low[j])));
    }
  }
  deviations(block, found, executor);
  return found;
}

// Row lengths of (X - 1 m^T) D_c over the observed cells, each from its own row and what was learnt
// of the columns alone.
std::vector<double> row_lengths(const Matrix& x, const Preparation& found, Executor& executor) {
  std::vector<double> lengths(size(x.rows()));
  const Partition blocks = Partition::even(x.rows(), x.cols());
  executor.map(blocks.count(), [&](Index block) {
    std::vector<double> row(size(x.cols()));
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      for (Index j = 0; j < x.cols(); ++j) {
        const double away = (x(i, j) - found.means[j]) * found.column_scale[j];
        row[j] = away == away ? away : 0.0;
      }
      lengths[i] = norm2(row);
    }
  });
  return lengths;
}

std::vector<double> row_lengths(const SparseMatrix& x, Unlisted unlisted, const Preparation& found,
                                Executor& executor) {
  std::vector<double> lengths(size(x.rows()));
  std::vector<double> zeros(size(x.cols()));  // squares of what an unlisted zero becomes
  for (Index j = 0; j < x.cols(); ++j) zeros[j] = found.means[j] * found.column_scale[j];
  const double unit = std::ldexp(1.0, exponent_of(max_abs(zeros)));
  for (double& zero : zeros) zero = zero / unit * (zero / unit);
  const double all_zeros = unlisted == Unlisted::zero ? sum(zeros) : 0.0;
  const Partition blocks = Partition::weighted(x.pointers());
  executor.map(blocks.count(), [&](Index block) {
    std::vector<double> row;  // its listed cells
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      row.clear();
      double rest = all_zeros;
      for (Index k = x.pointers()[i]; k < x.pointers()[i + 1]; ++k) {
        const Index j = x.columns()[k];
        const double away = (x.values()[k] - found.means[j]) * found.column_scale[j];
        row.push_back(away == away ? away : 0.0);
        rest -= zeros[j];
      }
      if (all_zeros == 0.0) {
        rest = 0.0;
      } else if (has_cancelled(rest, all_zeros)) {
        rest = sum_unlisted(x, i, zeros);
      }
      lengths[i] = std::hypot(norm2(row), std::sqrt(rest) * unit);
    }
  });
  return lengths;
}

std::vector<double> row_lengths(const Block& x, const Preparation& found, Executor& executor) {
  if (const Matrix* dense = x.dense_matrix()) return row_lengths(*dense, found, executor);
  return row_lengths(*x.sparse_matrix(), x.unlisted(), found, executor);
}

// Means and column scales; returns the largest |x| of columns that are not constant.
double learn_columns(const Block& x, Scale scale, Preparation& learnt, Executor& executor) {
  const Columns found = scan(x, executor);
  double largest_unit = 0.0, largest = 0.0, squares = 0.0;  // squares in units of the largest unit
  for (Index j = 0; j < x.shape()[1]; ++j) {
    if (!found.is_constant(j)) largest_unit = std::max(largest_unit, found.unit[j]);
  }
  for (Index j = 0; j < x.shape()[1]; ++j) {
    learnt.means[j] = found.mean[j];
    if (found.is_constant(j)) {
      ++learnt.constant_columns;
      learnt.column_scale[j] = 0.0;
      continue;
    }
    largest = std::max({largest, found.high[j], -found.low[j]});
    const double off = found.off[j] / found.count[j];
    learnt.means[j] += off * found.unit[j];
    const double variance = std::max(found.squares[j] / found.count[j] - off * off, 0.0);
    const double share = found.unit[j] / largest_unit;
    squares += found.count[j] * variance * share * share;
    if (scale == Scale::standardize)
      learnt.column_scale[j] = inverse(std::sqrt(variance) * found.unit[j]);
  }
  if (scale == Scale::unit) {
    const double factor = inverse(std::sqrt(squares) * largest_unit);
    for (double& one : learnt.column_scale) one *= factor;
  }
  return largest;
}

// Row scales and sums of squares; rows up to the length `none` are zero where they are scaled.
void learn_rows(const Block& x, bool has_unit_rows, double none, Preparation& learnt,
                Executor& executor) {
  learnt.row_squares = row_lengths(x, learnt, executor);
  for (std::size_t i = 0; i < learnt.row_squares.size(); ++i) {
    double& length = learnt.row_squares[i];
    if (has_unit_rows) learnt.row_scale[i] = length <= none ? 0.0 : inverse(length);
    length *= learnt.row_scale[i];
    length *= length;
  }
  learnt.squares = sum(learnt.row_squares);
}

}  // namespace

Preparation unprepared(const Block& x) {
  Preparation none;
  none.row_scale.assign(size(x.shape()[0]), 1.0);
  none.means.assign(size(x.shape()[1]), 0.0);
  none.column_scale.assign(size(x.shape()[1]), 1.0);
  return none;
}

Preparation prepare(const Block& x, Scale scale, Executor& executor) {
  Preparation learnt = unprepared(x);
  learnt.is_none = scale == Scale::none;
  const double largest = learnt.is_none ? 0.0 : learn_columns(x, scale, learnt, executor);
  learn_rows(x, scale == Scale::rows, kNoLength * largest, learnt, executor);
  return learnt;
}

Preparation prepare_new(const Block& x, std::vector<double> means, std::vector<double> column_scale,
                        bool has_unit_rows, Executor& executor) {
  Preparation learnt = unprepared(x);
  learnt.is_none = false;
  learnt.is_of_new_rows = true;
  learnt.means = std::move(means);
  learnt.column_scale = std::move(column_scale);
  if (std::ssize(learnt.means) != x.shape()[1] || std::ssize(learnt.column_scale) != x.shape()[1])
    throw Error(ErrorCode::internal, x.name(), "the columns do not fit those that were learnt");
  learn_rows(x, has_unit_rows, 0.0, learnt, executor);
  return learnt;
}

void Preparation::scale_rows(ConstVec factors) {
  if (factors.size() != row_scale.size())
    throw Error(ErrorCode::internal, "", "row weights of a matrix: wrong size");
  is_none = false;
  for (std::size_t i = 0; i < factors.size(); ++i) row_scale[i] *= factors[i];
  for (std::size_t i = 0; i < row_squares.size(); ++i) row_squares[i] *= factors[i] * factors[i];
  squares = sum(row_squares);
}

}  // namespace gingham
