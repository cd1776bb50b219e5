#include "gingham/methods/views/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::views {
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

}  // namespace

OptionRecord scale_option(std::string initial) {
  return {.name = "scale",
          .type = OptionType::choice,
          .initial = std::move(initial),
          .words = {"none", "center", "standardize", "unit", "rows"},
          .help =
              "How each view is brought to a common scale: none, center (columns of mean 0), "
              "standardize (mean 0, variance 1), unit (centred, the view's sum of squares 1), "
              "rows (centred, each row of length 1)."};
}

Scale scale_of(const Options& options) {
  const std::vector<std::string>& words = options.record("scale").words;
  return static_cast<Scale>(std::find(words.begin(), words.end(), options.text("scale")) -
                            words.begin());
}

bool is_centered(Scale scale) { return scale != Scale::none; }

// Of the observed cells of each column.
struct ScaledView::Columns {
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

void ScaledView::scan_dense(const Matrix& x, Columns& found) const {
  const std::size_t d = size(x.cols());
  const Partition blocks = Partition::even(x.rows(), x.cols());
  const double share = 1.0 / static_cast<double>(x.rows());
  executor_->fold(
      blocks.count(), 4 * d * sizeof(double),
      [&](Index block, std::byte* scratch) {
        double *count = reinterpret_cast<double*>(scratch), *low = count + d, *high = low + d,
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
      [&](Index, const std::byte* scratch) {
        const double *count = reinterpret_cast<const double*>(scratch), *low = count + d,
                     *high = low + d, *mean = high + d;
        for (std::size_t j = 0; j < d; ++j) {
          found.count[j] += count[j];
          found.low[j] = std::min(found.low[j], low[j]);
          found.high[j] = std::max(found.high[j], high[j]);
          found.mean[j] += mean[j];
        }
      });
}

void ScaledView::scan_sparse(const SparseMatrix& x, Columns& found) const {
  const SparseMatrix& columns = x.transposed();
  const Partition blocks = Partition::weighted(columns.pointers());
  const double share = 1.0 / static_cast<double>(x.rows());
  executor_->map(blocks.count(), [&](Index block) {
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
      const bool has_zeros = end - begin < x.rows() && view_->unlisted() == Unlisted::zero;
      if (has_zeros) take(0.0, static_cast<double>(x.rows() - (end - begin)));
    }
  });
}

// Sums of deviations from the means, in units that neither overflow nor underflow.
void ScaledView::deviations(Columns& found) const {
  const std::size_t d = size(cols());
  if (const Matrix* x = view_->dense_matrix()) {
    const Partition blocks = Partition::even(x->rows(), x->cols());
    std::vector<double> sums(2 * d, 0.0);
    sum_blocks(*executor_, blocks.count(), Vec(sums), [&](Index block, Vec partial) {
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
  const SparseMatrix& columns = view_->sparse_matrix()->transposed();
  const Partition blocks = Partition::weighted(columns.pointers());
  executor_->map(blocks.count(), [&](Index block) {
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

ScaledView::Columns ScaledView::scan() const {
  Columns found(cols());
  if (const Matrix* x = view_->dense_matrix()) {
    scan_dense(*x, found);
  } else {
    scan_sparse(*view_->sparse_matrix(), found);
  }
  const auto n = static_cast<double>(rows());
  for (Index j = 0; j < cols(); ++j) {
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
  deviations(found);
  return found;
}

// Row lengths of (X - 1 m^T) D_c over the observed cells.
std::vector<double> ScaledView::row_lengths() const {
  std::vector<double> lengths(size(rows()));
  if (view_->dense_matrix() != nullptr) {
    const Partition blocks = Partition::even(rows(), cols());
    executor_->map(blocks.count(), [&](Index block) {
      std::vector<double> row(size(cols()));
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        fill_row(i, row);
        lengths[i] = norm2(row);
      }
    });
    return lengths;
  }
  const SparseMatrix& x = *view_->sparse_matrix();
  std::vector<double> zeros(size(cols()));  // what an unlisted zero becomes
  for (Index j = 0; j < cols(); ++j) zeros[j] = means_[j] * column_scale_[j];
  double largest = max_abs(zeros);
  for (Index k = 0; k < x.entries(); ++k) {
    const Index j = x.columns()[k];
    const double away = std::abs((x.values()[k] - means_[j]) * column_scale_[j]);
    if (away > largest) largest = away;
  }
  const double unit = std::ldexp(1.0, exponent_of(largest));
  for (double& zero : zeros) zero = zero / unit * (zero / unit);
  const bool has_zeros = view_->unlisted() == Unlisted::zero;
  const double all_zeros = sum(zeros);
  const Partition blocks = Partition::weighted(x.pointers());
  executor_->map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      const Index begin = x.pointers()[i], end = x.pointers()[i + 1];
      double squares = 0.0, rest = all_zeros;
      for (Index k = begin; k < end; ++k) {
        const Index j = x.columns()[k];
        const double away = (x.values()[k] - means_[j]) * column_scale_[j] / unit;
        squares += away == away ? away * away : 0.0;
        rest -= zeros[j];
      }
      if (rest < kCancels * all_zeros) rest = sum_unlisted(x, i, zeros);
      lengths[i] = std::sqrt(squares + (has_zeros ? rest : 0.0)) * unit;
    }
  });
  return lengths;
}

void ScaledView::scale_columns(Scale scale) {
  const Columns found = scan();
  double largest = 0.0, squares = 0.0;  // squares in units of the largest unit
  for (Index j = 0; j < cols(); ++j) {
    if (!found.is_constant(j)) largest = std::max(largest, found.unit[j]);
  }
  for (Index j = 0; j < cols(); ++j) {
    means_[j] = found.mean[j];
    if (found.is_constant(j)) {
      ++constant_columns_;
      column_scale_[j] = 0.0;
      continue;
    }
    largest_ = std::max({largest_, found.high[j], -found.low[j]});
    const double off = found.off[j] / found.count[j];
    means_[j] += off * found.unit[j];
    const double variance = std::max(found.squares[j] / found.count[j] - off * off, 0.0);
    const double share = found.unit[j] / largest;
    squares += found.count[j] * variance * share * share;
    if (scale == Scale::standardize)
      column_scale_[j] = inverse(std::sqrt(variance) * found.unit[j]);
  }
  if (scale == Scale::unit) {
    const double factor = inverse(std::sqrt(squares) * largest);
    for (double& one : column_scale_) one *= factor;
  }
}

ScaledView::ScaledView(const Block& view, Scale scale, Executor& executor)
    : view_(&view), executor_(&executor) {
  if (!view.is_matrix()) throw Error(ErrorCode::internal, view.name(), "is not a matrix");
  row_scale_.assign(size(rows()), 1.0);
  means_.assign(size(cols()), 0.0);
  column_scale_.assign(size(cols()), 1.0);
  if (is_centered(scale)) scale_columns(scale);
  row_squares_ = row_lengths();
  for (Index i = 0; i < rows(); ++i) {
    if (scale == Scale::rows) {
      const bool is_zero = row_squares_[i] <= kNoLength * largest_;
      row_scale_[i] = is_zero ? 0.0 : inverse(row_squares_[i]);
    }
    const double length = row_squares_[i] * row_scale_[i];
    row_squares_[i] = length * length;
  }
  squares_ = sum(row_squares_);
}

void ScaledView::scale_rows(ConstVec factors) {
  if (static_cast<Index>(factors.size()) != rows())
    throw Error(ErrorCode::internal, "", "row weights of a view: wrong size");
  for (std::size_t i = 0; i < factors.size(); ++i) {
    row_scale_[i] *= factors[i];
    row_squares_[i] *= factors[i] * factors[i];
  }
  squares_ = sum(row_squares_);
}

}  // namespace gingham::methods::views
