#include "gingham/operators/side_by_side.hpp"

#include <algorithm>
#include <cmath>

namespace gingham {
namespace {

// body(i, row) for the rows of x.
template <class Body>
void for_each_line(Matrix& x, Executor& executor, Body&& body) {
  const Partition lines = Partition::even(x.rows(), x.cols());
  double* values = x.data();
  const Index k = x.cols();
  executor.map(lines.count(), [&](Index block) {
    for (Index i = lines.begin(block); i < lines.end(block); ++i)
      body(i, Vec(values + i * k, static_cast<std::size_t>(k)));
  });
}

void multiply_all(Matrix& x, double factor, Executor& executor) {
  for_each_line(x, executor, [&](Index, Vec row) {
    for (double& value : row) value *= factor;
  });
}

// Rows times their factors.
Matrix scaled(Matrix x, const std::vector<double>& factors, Executor& executor) {
  for_each_line(x, executor, [&](Index i, Vec row) {
    for (double& value : row) value *= factors[i];
  });
  return x;
}

Matrix borrowed(const Matrix& x, Index from, Index n) {
  return Matrix(n, x.cols(),
                Array<double>::borrow(x.data() + from * x.cols(), n * x.cols(), nullptr));
}

template <class To, class From>
DenseMatrix<To> converted(const DenseMatrix<From>& from, double factor, Executor& executor) {
  DenseMatrix<To> to(from.rows(), from.cols());
  const Partition lines = Partition::even(from.rows(), from.cols());
  To* out = to.data();
  executor.map(lines.count(), [&](Index block) {
    for (Index e = lines.begin(block) * from.cols(); e < lines.end(block) * from.cols(); ++e)
      out[e] = static_cast<To>(factor * static_cast<double>(from.data()[e]));
  });
  return to;
}

}  // namespace

SideBySide::SideBySide(std::vector<const PreparedMatrix*> parts, std::vector<double> factors,
                       std::vector<std::uint8_t> counts)
    : parts_(std::move(parts)),
      factors_(std::move(factors)),
      counts_(std::move(counts)),
      offsets_{0} {
  for (const PreparedMatrix* part : parts_) {
    offsets_.push_back(offsets_.back() + part->cols());
    is_dense_ = is_dense_ && part->block().dense_matrix() != nullptr;
  }
  if (std::all_of(counts_.begin(), counts_.end(), [](auto one) { return one != 0; }))
    counts_.clear();
  is_plain_ = is_dense_ && parts_.size() == 1 && factors_[0] == 1.0 && counts_.empty() &&
              parts_[0]->is_plain();
  if (is_plain_) parts_[0]->copy_terms(left_, right_);
  if (!is_plain_ && is_dense_ && parts_.size() == 1 && factors_[0] == 1.0 && counts_.empty() &&
      parts_[0]->is_only_scaled()) {
    const Preparation& p = parts_[0]->preparation();
    own_scale_ = cols() > rows() ? p.row_scale : p.column_scale;
    other_scale_ = cols() > rows() ? p.column_scale : p.row_scale;
    for (const double one : other_scale_) weights_.push_back(one * one);
    is_plain_ = true;
  }
}

double SideBySide::size() const {
  double largest = 0.0;
  for (std::size_t p = 0; p < parts_.size(); ++p)
    largest = std::max(largest, factors_[p] * parts_[p]->typical_size());
  return largest;
}

Piece SideBySide::piece(Index row, Index n_rows, Index column, Index n_cols, double* room) const {
  if (is_plain_) return {parts_[0]->block().dense_matrix()->row(row).data() + column, cols()};
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Index from = std::max(column, offsets_[p]),
                to = std::min(column + n_cols, offsets_[p + 1]);
    if (from >= to) continue;
    double* out = room + from - column;
    parts_[p]->fill_piece(row, n_rows, from - offsets_[p], to - from, out, n_cols);
    for (Index i = 0; i < n_rows && factors_[p] != 1.0; ++i) {
      for (Index j = 0; j < to - from; ++j) out[i * n_cols + j] *= factors_[p];
    }
  }
  for (Index i = 0; i < n_rows && !counts_.empty(); ++i) {
    if (counts_[row + i] == 0) std::fill_n(room + i * n_cols, n_cols, 0.0);
  }
  return {room, n_cols};
}

void SideBySide::forward(const Matrix& x, Matrix& y) const {
  y = Matrix(rows(), x.cols());
  Matrix part;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p]->multiply(borrowed(x, offsets_[p], parts_[p]->cols()), part);
    for_each_line(y, executor(), [&](Index i, Vec row) {
      if (!counts_.empty() && counts_[i] == 0) return;
      const double* from = std::as_const(part).row(i).data();
      for (std::size_t c = 0; c < row.size(); ++c) row[c] += factors_[p] * from[c];
    });
  }
}

void SideBySide::backward(const Matrix& x, Matrix& y) const {
  y = Matrix(cols(), x.cols());
  Matrix masked, part;
  if (!counts_.empty()) {
    masked = x;
    for_each_line(masked, executor(), [&](Index i, Vec row) {
      if (counts_[i] == 0) std::fill(row.begin(), row.end(), 0.0);
    });
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p]->multiply_transposed(counts_.empty() ? x : masked, part);
    double* out = y.data() + offsets_[p] * x.cols();
    for_each_line(part, executor(), [&](Index j, Vec row) {
      for (std::size_t c = 0; c < row.size(); ++c)
        out[static_cast<std::size_t>(j * x.cols()) + c] = factors_[p] * row[c];
    });
  }
}

SquaredOperator SideBySide::products(std::function<void()> before) const {
  const auto cells = [this](Index row, Index n_rows, Index column, Index n_cols, double* room) {
    return piece(row, n_rows, column, n_cols, room);
  };
  const Matrix *left = left_.cols() > 0 ? &left_ : nullptr,
               *right = right_.cols() > 0 ? &right_ : nullptr;
  const auto squared = [=, this](const Matrix& x, double factor, Matrix& y) {
    before();
    if (!weights_.empty()) {
      multiply_squared({rows(), cols(), cells, nullptr, nullptr, weights_.data()},
                       scaled(x, own_scale_, executor()), factor, y, executor());
      y = scaled(std::move(y), own_scale_, executor());
      return;
    }
    if (is_dense_)
      return multiply_squared({rows(), cols(), cells, left, right}, x, factor, y, executor());
    Matrix middle;
    cols() > rows() ? backward(x, middle) : forward(x, middle);
    multiply_all(middle, factor, executor());
    cols() > rows() ? forward(middle, y) : backward(middle, y);
    multiply_all(y, factor, executor());
  };
  const auto across = [=, this](const Matrix& x, Matrix& y) {
    before();
    if (!weights_.empty()) {
      multiply_across({rows(), cols(), cells}, scaled(x, own_scale_, executor()), y, executor());
      y = scaled(std::move(y), other_scale_, executor());
      return;
    }
    if (is_dense_) return multiply_across({rows(), cols(), cells, left, right}, x, y, executor());
    cols() > rows() ? backward(x, y) : forward(x, y);
  };
  return {rows(), cols(), size(), squared, across};
}

SquaredOperator squared_products(const Observed& matrix, bool in_single, Executor& executor) {
  // The side that X is of, and the other.
  const Index own = matrix.size(1) <= matrix.size(0) ? 1 : 0;
  const auto product = [&matrix, &executor, in_single](Index mode, const Matrix& x, double factor,
                                                       Matrix& y) {
    if (in_single) {
      std::vector<MatrixF> factors(2);
      factors[static_cast<std::size_t>(1 - mode)] = converted<float>(x, factor, executor);
      MatrixF found;
      matrix.products(mode, factors, found, executor);
      y = converted<double>(found, 1.0, executor);
      return;
    }
    std::vector<Matrix> factors(2);
    factors[static_cast<std::size_t>(1 - mode)] = converted<double>(x, factor, executor);
    matrix.products(mode, factors, y, executor);
  };
  return {matrix.size(0), matrix.size(1), matrix.largest_magnitude(),
          [=](const Matrix& x, double factor, Matrix& y) {
            Matrix middle;
            product(1 - own, x, factor, middle);
            product(own, middle, factor, y);
          },
          [=](const Matrix& x, Matrix& y) { product(1 - own, x, 1.0, y); }};
}

}  // namespace gingham
