// Products with a scaled view. With w = D_c x, t = D_r x:
//
//   (X_s x)_i   = r_i sum over observed (i, j) of (x_ij - m_j) w_j
//   (X_s^T x)_j = c_j sum over observed (i, j) of (x_ij - m_j) t_i
//
// A dense view is centred cell by cell. A sparse one sums (x - m) w over what it lists and, where
// unlisted cells are zeros, takes away sum m w over the rest: all of it less the listed part.
#include <algorithm>
#include <cmath>

#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::views {
namespace {

constexpr Index kLanes = 8;  // partial sums: lets a dot product run in vector registers

void check_size(std::size_t found, Index expected) {
  if (static_cast<Index>(found) != expected)
    throw Error(ErrorCode::internal, "", "product with a view: a vector has the wrong size");
}

std::vector<double> scaled(const std::vector<double>& scale, ConstVec x) {
  std::vector<double> result(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) result[j] = scale[j] * x[j];
  return result;
}

// sum_j (a_j - m_j) w_j
GINGHAM_MULTIARCH
double centered_dot(const double* a, const double* m, const double* w, Index n) {
  double lane[kLanes] = {}, total = 0.0;
  Index j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    for (Index l = 0; l < kLanes; ++l) lane[l] += (a[j + l] - m[j + l]) * w[j + l];
  }
  for (; j < n; ++j) total += (a[j] - m[j]) * w[j];
  for (Index l = 0; l < kLanes; ++l) total += lane[l];
  return total;
}

// The same for four rows, so that m and w are read once; the same bits as one by one.
GINGHAM_MULTIARCH
void centered_dots(const double* const a[4], const double* m, const double* w, Index n, double* y) {
  double lane[4][kLanes] = {}, total[4] = {};
  Index j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    for (int r = 0; r < 4; ++r) {
      for (Index l = 0; l < kLanes; ++l) lane[r][l] += (a[r][j + l] - m[j + l]) * w[j + l];
    }
  }
  for (; j < n; ++j) {
    for (int r = 0; r < 4; ++r) total[r] += (a[r][j] - m[j]) * w[j];
  }
  for (int r = 0; r < 4; ++r) {
    for (Index l = 0; l < kLanes; ++l) total[r] += lane[r][l];
    y[r] = total[r];
  }
}

// The same over the observed a_j, and the sum of x_j^2 over them.
GINGHAM_MULTIARCH
void observed_dot(const double* a, const double* m, const double* w, const double* x, Index n,
                  double& product, double& weight) {
  double lane[kLanes] = {}, squares[kLanes] = {};
  product = weight = 0.0;
  Index j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    for (Index l = 0; l < kLanes; ++l) {
      const double cell = a[j + l];
      lane[l] += cell == cell ? (cell - m[j + l]) * w[j + l] : 0.0;
      squares[l] += cell == cell ? x[j + l] * x[j + l] : 0.0;
    }
  }
  for (; j < n; ++j) {
    product += a[j] == a[j] ? (a[j] - m[j]) * w[j] : 0.0;
    weight += a[j] == a[j] ? x[j] * x[j] : 0.0;
  }
  for (Index l = 0; l < kLanes; ++l) {
    product += lane[l];
    weight += squares[l];
  }
}

// y_j += (a_j - m_j) t, of one row and of four
GINGHAM_MULTIARCH
void add_centered(const double* a, const double* m, double t, double* y, Index n) {
  for (Index j = 0; j < n; ++j) y[j] += (a[j] - m[j]) * t;
}

GINGHAM_MULTIARCH
void add_centered(const double* const a[4], const double* m, const double t[4], double* y,
                  Index n) {
  const double *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
  const double t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3];
  for (Index j = 0; j < n; ++j) {
    const double mean = m[j];
    y[j] +=
        ((a0[j] - mean) * t0 + (a1[j] - mean) * t1) + ((a2[j] - mean) * t2 + (a3[j] - mean) * t3);
  }
}

// The same for the rows of a block, those with t = 0 left out.
void add_rows(const Matrix& a, const std::vector<double>& m, const std::vector<double>& t,
              Index begin, Index end, double* y) {
  const double* row[4];
  double factor[4];
  int count = 0;
  for (Index i = begin; i < end; ++i) {
    if (t[i] == 0.0) continue;
    row[count] = a.row(i).data();
    factor[count++] = t[i];
    if (count < 4) continue;
    add_centered(row, m.data(), factor, y, a.cols());
    count = 0;
  }
  for (int r = 0; r < count; ++r) add_centered(row[r], m.data(), factor[r], y, a.cols());
}

// The same over the observed a_j, and weight_j += square there.
GINGHAM_MULTIARCH
void add_observed(const double* a, const double* m, double t, double square, double* y,
                  double* weight, Index n) {
  for (Index j = 0; j < n; ++j) {
    y[j] += a[j] == a[j] ? (a[j] - m[j]) * t : 0.0;
    weight[j] += a[j] == a[j] ? square : 0.0;
  }
}

// sum of p_j over the observed a_j
GINGHAM_MULTIARCH
double observed_sum(const double* a, const double* p, Index n) {
  double lane[kLanes] = {}, total = 0.0;
  Index j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    for (Index l = 0; l < kLanes; ++l) lane[l] += a[j + l] == a[j + l] ? p[j + l] : 0.0;
  }
  for (; j < n; ++j) total += a[j] == a[j] ? p[j] : 0.0;
  for (Index l = 0; l < kLanes; ++l) total += lane[l];
  return total;
}

// y_j += value where a_j is observed
GINGHAM_MULTIARCH
void add_where_observed(const double* a, double value, double* y, Index n) {
  for (Index j = 0; j < n; ++j) y[j] += a[j] == a[j] ? value : 0.0;
}

// Per row of a sparse matrix the sum of p over its observed cells; `all`: the sum of all p.
void sum_observed(const SparseMatrix& a, Unlisted unlisted, ConstVec p, double all, Vec y,
                  Executor& executor) {
  const Partition blocks = Partition::weighted(a.pointers());
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      double listed = 0.0, missing = 0.0;
      for (Index k = a.pointers()[i]; k < a.pointers()[i + 1]; ++k) {
        (std::isnan(a.values()[k]) ? missing : listed) += p[a.columns()[k]];
      }
      y[i] = unlisted == Unlisted::zero ? all - missing : listed;
    }
  });
}

// One row or column of a sparse view against a vector.
struct Line {
  ConstVec w;                // what the cells are multiplied by
  ConstVec x;                // what the weight is made of
  double all_w = 0.0;        // sum of mean * w over the whole line
  double all_squares = 0.0;  // sum of x^2
  bool has_zeros = true;     // unlisted cells are observed zeros

  // mean(k): of the column of the k-th item of the line.
  template <class Mean>
  void product(const SparseMatrix& a, Index line, Mean&& mean, double& y, double& weight) const {
    double product = 0.0, listed_w = 0.0, squares = 0.0, listed_squares = 0.0;
    bool has_missing = false;
    const Index begin = a.pointers()[line], end = a.pointers()[line + 1];
    for (Index k = begin; k < end; ++k) {
      const Index at = a.columns()[k];
      const double value = a.values()[k], square = x[at] * x[at];
      listed_w += mean(at) * w[at];
      listed_squares += square;
      if (std::isnan(value)) {
        has_missing = true;
        continue;
      }
      product += (value - mean(at)) * w[at];
      squares += square;
    }
    y = product;
    weight = squares;
    if (!has_zeros) return;
    double rest_w = all_w - listed_w, rest_squares = all_squares - listed_squares;
    if (has_missing && rest_squares < kCancels * all_squares) {
      rest_w = rest_squares = 0.0;
      Index k = begin;
      for (Index at = 0; at < a.cols(); ++at) {
        if (k < end && a.columns()[k] == at) {
          ++k;
          continue;
        }
        rest_w += mean(at) * w[at];
        rest_squares += x[at] * x[at];
      }
    }
    y -= rest_w;
    weight += rest_squares;
  }
};

}  // namespace

void ScaledView::fill_row(Index i, Vec out, double missing) const {
  check_size(out.size(), cols());
  const double scale = row_scale_[i];
  const auto put = [&](Index j, double value) {
    const double centred = (value - means_[j]) * column_scale_[j] * scale;
    out[j] = value == value ? centred : missing;
  };
  if (const Matrix* x = view_->dense_matrix()) {
    for (Index j = 0; j < cols(); ++j) put(j, (*x)(i, j));
    return;
  }
  const SparseMatrix& x = *view_->sparse_matrix();
  const double unlisted = view_->unlisted() == Unlisted::zero ? 0.0 : std::nan("");
  for (Index j = 0; j < cols(); ++j) put(j, unlisted);
  for (Index k = x.pointers()[i]; k < x.pointers()[i + 1]; ++k) put(x.columns()[k], x.values()[k]);
}

void ScaledView::multiply(ConstVec x, Vec y) const {
  check_size(x.size(), cols());
  check_size(y.size(), rows());
  if (has_missing()) {
    std::vector<double> weight(y.size());
    return multiply_observed(x, y, weight);
  }
  const std::vector<double> w = scaled(column_scale_, x);
  if (const Matrix* a = view_->dense_matrix()) {
    const Partition blocks = Partition::even(rows(), cols());
    executor_->map(blocks.count(), [&](Index block) {
      Index i = blocks.begin(block);
      for (; i + 4 <= blocks.end(block); i += 4) {
        const double* const four[4] = {a->row(i).data(), a->row(i + 1).data(), a->row(i + 2).data(),
                                       a->row(i + 3).data()};
        centered_dots(four, means_.data(), w.data(), cols(), y.data() + i);
      }
      for (; i < blocks.end(block); ++i)
        y[i] = centered_dot(a->row(i).data(), means_.data(), w.data(), cols());
    });
  } else {
    gingham::multiply(*view_->sparse_matrix(), w, y, *executor_);
    const double shift = dot(means_, w);
    for (double& value : y) value -= shift;
  }
  for (Index i = 0; i < rows(); ++i) y[i] *= row_scale_[i];
}

void ScaledView::multiply_transposed(ConstVec x, Vec y) const {
  check_size(x.size(), rows());
  check_size(y.size(), cols());
  if (has_missing()) {
    std::vector<double> weight(y.size());
    return multiply_transposed_observed(x, y, weight);
  }
  const std::vector<double> t = scaled(row_scale_, x);
  if (const Matrix* a = view_->dense_matrix()) {
    const Partition blocks = Partition::even(rows(), cols());
    std::fill(y.begin(), y.end(), 0.0);
    sum_blocks(*executor_, blocks.count(), y, [&](Index block, Vec partial) {
      add_rows(*a, means_, t, blocks.begin(block), blocks.end(block), partial.data());
    });
  } else {
    gingham::multiply_transposed(*view_->sparse_matrix(), t, y, *executor_);
    axpy(-sum(t), means_, y);
  }
  for (Index j = 0; j < cols(); ++j) y[j] *= column_scale_[j];
}

void ScaledView::multiply_observed(ConstVec x, Vec y, Vec weight) const {
  check_size(x.size(), cols());
  check_size(y.size(), rows());
  check_size(weight.size(), rows());
  const std::vector<double> w = scaled(column_scale_, x);
  if (const Matrix* a = view_->dense_matrix()) {
    const Partition blocks = Partition::even(rows(), cols());
    executor_->map(blocks.count(), [&](Index block) {
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i)
        observed_dot(a->row(i).data(), means_.data(), w.data(), x.data(), cols(), y[i], weight[i]);
    });
  } else {
    const SparseMatrix& listed = *view_->sparse_matrix();
    const Line line{.w = w,
                    .x = x,
                    .all_w = dot(means_, w),
                    .all_squares = sum_squares(x),
                    .has_zeros = view_->unlisted() == Unlisted::zero};
    const Partition blocks = Partition::weighted(listed.pointers());
    executor_->map(blocks.count(), [&](Index block) {
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i)
        line.product(
            listed, i, [&](Index j) { return means_[j]; }, y[i], weight[i]);
    });
  }
  for (Index i = 0; i < rows(); ++i) y[i] *= row_scale_[i];
}

void ScaledView::multiply_transposed_observed(ConstVec x, Vec y, Vec weight) const {
  check_size(x.size(), rows());
  check_size(y.size(), cols());
  check_size(weight.size(), cols());
  const std::vector<double> t = scaled(row_scale_, x);
  if (const Matrix* a = view_->dense_matrix()) {
    const Partition blocks = Partition::even(rows(), cols());
    std::vector<double> sums(2 * y.size(), 0.0);
    sum_blocks(*executor_, blocks.count(), Vec(sums), [&](Index block, Vec partial) {
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        if (x[i] == 0.0) continue;
        add_observed(a->row(i).data(), means_.data(), t[i], x[i] * x[i], partial.data(),
                     partial.data() + y.size(), cols());
      }
    });
    std::copy_n(sums.begin(), y.size(), y.begin());
    std::copy_n(sums.begin() + cols(), y.size(), weight.begin());
  } else {
    const SparseMatrix& listed = view_->sparse_matrix()->transposed();
    const double all_t = sum(t), all_squares = sum_squares(x);
    const Partition blocks = Partition::weighted(listed.pointers());
    executor_->map(blocks.count(), [&](Index block) {
      for (Index j = blocks.begin(block); j < blocks.end(block); ++j) {
        const Line line{.w = t,
                        .x = x,
                        .all_w = means_[j] * all_t,
                        .all_squares = all_squares,
                        .has_zeros = view_->unlisted() == Unlisted::zero};
        line.product(
            listed, j, [&](Index) { return means_[j]; }, y[j], weight[j]);
      }
    });
  }
  for (Index j = 0; j < cols(); ++j) y[j] *= column_scale_[j];
}

void ScaledView::observed_row_products(ConstVec a, ConstVec b, Vec y) const {
  check_size(a.size(), cols());
  check_size(b.size(), cols());
  check_size(y.size(), rows());
  const std::vector<double> products = scaled(std::vector<double>(a.begin(), a.end()), b);
  const double all = sum(products);
  if (!has_missing()) {
    std::fill(y.begin(), y.end(), all);
  } else if (const Matrix* x = view_->dense_matrix()) {
    const Partition blocks = Partition::even(rows(), cols());
    executor_->map(blocks.count(), [&](Index block) {
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i)
        y[i] = observed_sum(x->row(i).data(), products.data(), cols());
    });
  } else {
    sum_observed(*view_->sparse_matrix(), view_->unlisted(), products, all, y, *executor_);
  }
}

void ScaledView::observed_column_products(ConstVec a, ConstVec b, Vec y) const {
  check_size(a.size(), rows());
  check_size(b.size(), rows());
  check_size(y.size(), cols());
  const std::vector<double> products = scaled(std::vector<double>(a.begin(), a.end()), b);
  const double all = sum(products);
  if (!has_missing()) {
    std::fill(y.begin(), y.end(), all);
  } else if (const Matrix* x = view_->dense_matrix()) {
    const Partition blocks = Partition::even(rows(), cols());
    std::fill(y.begin(), y.end(), 0.0);
    sum_blocks(*executor_, blocks.count(), y, [&](Index block, Vec partial) {
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        if (products[i] != 0.0)
          add_where_observed(x->row(i).data(), products[i], partial.data(), cols());
      }
    });
  } else {
    sum_observed(view_->sparse_matrix()->transposed(), view_->unlisted(), products, all, y,
                 *executor_);
  }
}

}  // namespace gingham::methods::views
