// Products of a matrix with vectors: which blocks there are, and in which order they are added.
#include "gingham/kernels/products.hpp"

#include <algorithm>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/cut_items.hpp"
#include "gingham/kernels/dense_kernels.hpp"
#include "gingham/kernels/sparse_kernels.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

// Stripes of columns are cut at multiples of this, a cache line.
constexpr Index kStripeUnit = 8;
// Rows that sweep() uses twice while they are in L2.
constexpr Index kSweepBytes = Index{1} << 17;

void check(ConstVec x, Index wanted, const char* what) {
  if (static_cast<Index>(x.size()) != wanted) {
    throw Error(ErrorCode::internal, "",
                std::string("product: ") + what + " has " + std::to_string(x.size()) +
                    " entries, expected " + std::to_string(wanted));
  }
}

const SparseMatrix& matrix_of(const Block& block) {
  if (!block.is_matrix()) {
    throw Error(ErrorCode::internal, block.name(), "a product needs a matrix, not a tensor");
  }
  return *block.sparse_matrix();
}

// Blocks of columns at multiples of kStripeUnit.
struct Stripes {
  Partition units;
  Index cols;
  Stripes(Index n_cols, Index work_per_column)
      : units(Partition::even((n_cols + kStripeUnit - 1) / kStripeUnit,
                              kStripeUnit * work_per_column)),
        cols(n_cols) {}
  Index count() const { return units.count(); }
  Index begin(Index block) const { return units.begin(block) * kStripeUnit; }
  Index end(Index block) const { return std::min(units.end(block) * kStripeUnit, cols); }
};

// Reading every cell in order is worth this many times as much as picking single ones.
constexpr Index kDenseOverListed = 16;

struct Nonzeros {
  std::vector<Index> places;
  std::vector<double> values;
  explicit Nonzeros(ConstVec x) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] == 0.0) continue;
      places.push_back(static_cast<Index>(j));
      values.push_back(x[j]);
    }
  }
  Index count() const { return static_cast<Index>(places.size()); }
};

// A block of rows gives a partial sum as long as a row: worth it when there are more rows than
// columns.
bool by_rows(const Matrix& a) { return a.rows() > a.cols(); }

}  // namespace

void multiply(const Matrix& a, ConstVec x, Vec y, Executor& executor) {
  check(x, a.cols(), "x");
  check(y, a.rows(), "y");
  const Partition rows = Partition::even(a.rows(), a.cols());
  const Nonzeros few(x);
  if (few.count() * kDenseOverListed <= a.cols()) {
    executor.map(rows.count(), [&](Index block) {
      const Index from = rows.begin(block);
      dense::listed_dots(a.data() + from * a.cols(), a.cols(), rows.end(block) - from,
                         few.places.data(), few.values.data(), few.count(), y.data() + from);
    });
    return;
  }
  const Stripes stripes(a.cols(), a.rows());
  if (rows.count() == 1 && stripes.count() > 1) {  // few, long rows
    std::fill(y.begin(), y.end(), 0.0);
    sum_blocks(executor, stripes.count(), y, [&](Index block, Vec partial) {
      const Index from = stripes.begin(block);
      dense::row_dots(a.data() + from, a.cols(), a.rows(), stripes.end(block) - from,
                      x.data() + from, partial.data());
    });
    return;
  }
  executor.map(rows.count(), [&](Index block) {
    const Index from = rows.begin(block);
    dense::row_dots(a.data() + from * a.cols(), a.cols(), rows.end(block) - from, a.cols(),
                    x.data(), y.data() + from);
  });
}

void multiply_transposed(const Matrix& a, ConstVec x, Vec y, Executor& executor) {
  check(x, a.rows(), "x");
  check(y, a.cols(), "y");
  std::fill(y.begin(), y.end(), 0.0);
  if (by_rows(a)) {
    const Partition rows = Partition::even(a.rows(), a.cols(), a.cols());
    sum_blocks(executor, rows.count(), y, [&](Index block, Vec partial) {
      const Index from = rows.begin(block);
      dense::add_rows(a.data() + from * a.cols(), a.cols(), rows.end(block) - from, a.cols(),
                      x.data() + from, partial.data());
    });
    return;
  }
  const Stripes stripes(a.cols(), a.rows());
  executor.map(stripes.count(), [&](Index block) {
    const Index from = stripes.begin(block);
    dense::add_rows(a.data() + from, a.cols(), a.rows(), stripes.end(block) - from, x.data(),
                    y.data() + from);
  });
}

void sweep(const Matrix& a, ConstVec v, MakeU make_u, Vec av, Vec atu, Executor& executor) {
  check(v, a.cols(), "v");
  check(av, a.rows(), "av");
  check(atu, a.cols(), "atu");
  std::fill(atu.begin(), atu.end(), 0.0);
  const Partition rows = Partition::even(a.rows(), 2 * a.cols(), a.cols());
  constexpr Index kMostRows = 64;
  const Index at_once =
      std::clamp<Index>(kSweepBytes / (8 * std::max<Index>(a.cols(), 1)) / 8 * 8, 8, kMostRows);
  sum_blocks(executor, rows.count(), atu, [&](Index block, Vec partial) {
    double u[kMostRows];
    for (Index from = rows.begin(block); from < rows.end(block); from += at_once) {
      const Index count = std::min(at_once, rows.end(block) - from);
      const double* part = a.data() + from * a.cols();
      dense::row_dots(part, a.cols(), count, a.cols(), v.data(), av.data() + from);
      make_u(from, from + count, av.subspan(from, count), Vec(u, count));
      dense::add_rows(part, a.cols(), count, a.cols(), u, partial.data());
    }
  });
}

void multiply(const SparseMatrix& a, ConstVec x, Vec y, Executor& executor) {
  check(x, a.cols(), "x");
  check(y, a.rows(), "y");
  const auto run = [&](const Index* pointers, Index begin, Index end, double* out) {
    sparse::row_dots(a, pointers, begin, end, x.data(), out);
  };
  CutItems(a.pointers(), 1).map(1, y.data(), run, executor);
}

void multiply_transposed(const SparseMatrix& a, ConstVec x, Vec y, Executor& executor) {
  multiply(a.transposed(), x, y, executor);
}

void multiply(const Block& a, ConstVec x, Vec y, Executor& executor) {
  if (const Matrix* dense = a.dense_matrix()) return multiply(*dense, x, y, executor);
  multiply(matrix_of(a), x, y, executor);
}

void multiply_transposed(const Block& a, ConstVec x, Vec y, Executor& executor) {
  if (const Matrix* dense = a.dense_matrix()) return multiply_transposed(*dense, x, y, executor);
  multiply_transposed(matrix_of(a), x, y, executor);
}

double transposed_bytes(const Block& a) {
  if (!a.is_sparse()) return 0.0;
  return static_cast<double>(a.summary().bytes) + 8.0 * static_cast<double>(a.shape()[1]);
}

namespace {

// The sum of x_j^2 over the columns that row i does not list as NaN; `support` holds the j with x_j
// != 0.
double observed_squares(const SparseMatrix& a, Index i, ConstVec x,
                        const std::vector<std::int32_t>& support) {
  Index e = a.pointers()[i];
  const Index end = a.pointers()[i + 1];
  double total = 0.0;
  for (const std::int32_t j : support) {
    while (e < end && a.columns()[e] < j) ++e;
    const bool is_missing = e < end && a.columns()[e] == j && a.values()[e] != a.values()[e];
    if (!is_missing) total += x[j] * x[j];
  }
  return total;
}

void multiply_observed(const SparseMatrix& a, Unlisted unlisted, ConstVec x, Vec y, Vec weight,
                       Executor& executor) {
  check(x, a.cols(), "x");
  check(y, a.rows(), "y");
  check(weight, a.rows(), "weight");
  const double all = unlisted == Unlisted::zero ? sum_squares(x) : 0.0;
  std::vector<std::int32_t> support;
  for (std::size_t j = 0; unlisted == Unlisted::zero && j < x.size(); ++j) {
    if (x[j] != 0.0) support.push_back(static_cast<std::int32_t>(j));
  }
  const Index* pointers = a.pointers().data();
  const std::int32_t* column = a.columns().data();
  const double* value = a.values().data();
  const Partition rows = Partition::weighted(a.pointers());
  executor.map(rows.count(), [&](Index block) {
    for (Index i = rows.begin(block); i < rows.end(block); ++i) {
      double sum = 0.0, seen = 0.0, missing = 0.0;
      for (Index e = pointers[i]; e < pointers[i + 1]; ++e) {
        const double at = x.data()[column[e]];
        if (value[e] != value[e]) {
          missing += at * at;
        } else {
          sum += value[e] * at;
          seen += at * at;
        }
      }
      y[i] = sum;
      if (unlisted == Unlisted::missing) {
        weight[i] = seen;
      } else if (missing == 0.0) {
        weight[i] = all;
      } else {
        const double left = all - missing;
        weight[i] = has_cancelled(left, all) ? observed_squares(a, i, x, support) : left;
      }
    }
  });
}

}  // namespace

void multiply_observed(const Matrix& a, ConstVec x, Vec y, Vec weight, Executor& executor) {
  check(x, a.cols(), "x");
  check(y, a.rows(), "y");
  check(weight, a.rows(), "weight");
  const Partition rows = Partition::even(a.rows(), 2 * a.cols());
  executor.map(rows.count(), [&](Index block) {
    const Index from = rows.begin(block);
    dense::row_dots_observed(a.data() + from * a.cols(), a.cols(), rows.end(block) - from, a.cols(),
                             x.data(), y.data() + from, weight.data() + from);
  });
}

void multiply_transposed_observed(const Matrix& a, ConstVec x, Vec y, Vec weight,
                                  Executor& executor) {
  const Index cols = a.cols();
  check(x, a.rows(), "x");
  check(y, cols, "y");
  check(weight, cols, "weight");
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(weight.begin(), weight.end(), 0.0);
  if (!by_rows(a)) {
    const Stripes stripes(cols, 2 * a.rows());
    executor.map(stripes.count(), [&](Index block) {
      const Index from = stripes.begin(block);
      dense::add_rows_observed(a.data() + from, cols, a.rows(), stripes.end(block) - from, x.data(),
                               y.data() + from, weight.data() + from);
    });
    return;
  }
  const Partition rows = Partition::even(a.rows(), 2 * cols, 2 * cols);
  std::vector<double> both(static_cast<std::size_t>(2 * cols));
  sum_blocks(executor, rows.count(), Vec(both), [&](Index block, Vec partial) {
    const Index from = rows.begin(block);
    dense::add_rows_observed(a.data() + from * cols, cols, rows.end(block) - from, cols,
                             x.data() + from, partial.data(), partial.data() + cols);
  });
  std::copy_n(both.begin(), cols, y.begin());
  std::copy_n(both.begin() + cols, cols, weight.begin());
}

void multiply_observed(const Block& a, ConstVec x, Vec y, Vec weight, Executor& executor) {
  if (const Matrix* dense = a.dense_matrix()) {
    return multiply_observed(*dense, x, y, weight, executor);
  }
  multiply_observed(matrix_of(a), a.unlisted(), x, y, weight, executor);
}

void multiply_transposed_observed(const Block& a, ConstVec x, Vec y, Vec weight,
                                  Executor& executor) {
  if (const Matrix* dense = a.dense_matrix()) {
    return multiply_transposed_observed(*dense, x, y, weight, executor);
  }
  multiply_observed(matrix_of(a).transposed(), a.unlisted(), x, y, weight, executor);
}

}  // namespace gingham
