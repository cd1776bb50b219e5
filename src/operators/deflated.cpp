#include "gingham/operators/deflated.hpp"

#include <algorithm>
#include <array>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/dense_kernels.hpp"
#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

constexpr Index kChunk =
    512;  // columns worked on at a time, so that a row's residual stays in cache
constexpr Index kLanes = 8;

// r_j = x_j - sum_k coefficient_k right_k[j]; a missing x_j gives a missing r_j.
GINGHAM_MULTIARCH
void residual_row(const double* x, Index n, const double* coefficients, const double* const* rights,
                  Index n_terms, double* r) {
  std::copy_n(x, n, r);
  for (Index k = 0; k < n_terms; ++k) {
    const double c = coefficients[k];
    for (Index j = 0; j < n; ++j) r[j] -= c * rights[k][j];
  }
}

// sum_j (x_j - sum_k coefficient_k right_k[j])^2 over the observed cells of one row.
GINGHAM_MULTIARCH
double row_residual(const double* x, Index n, const double* coefficients,
                    const double* const* rights, Index n_terms) {
  std::array<double, kLanes> sum{};
  std::array<double, kChunk> r;
  for (Index begin = 0; begin < n; begin += kChunk) {
    const Index size = std::min(kChunk, n - begin);
    std::copy_n(x + begin, size, r.data());
    for (Index k = 0; k < n_terms; ++k) {
      const double c = coefficients[k];
      const double* b = rights[k] + begin;
      for (Index j = 0; j < size; ++j) r[j] -= c * b[j];
    }
    for (Index j = 0; j < size; ++j) r[j] = r[j] == r[j] ? r[j] : 0.0;
    Index j = 0;
    for (; j + kLanes <= size; j += kLanes) {
      for (Index lane = 0; lane < kLanes; ++lane) sum[lane] += r[j + lane] * r[j + lane];
    }
    for (; j < size; ++j) sum[j % kLanes] += r[j] * r[j];
  }
  double total = 0.0;
  for (const double lane : sum) total += lane;
  return total;
}

}  // namespace

// The terms as rows see them: row i of their sum is sum_k weight_k left_k[i] right_k.
struct Deflated::Coefficients {
  explicit Coefficients(const Deflated& deflated) {
    for (const Term& term : deflated.terms_) add(term.weight, term.left, term.right);
  }
  void add(double weight, ConstVec left, ConstVec right) {
    weights.push_back(weight);
    lefts.push_back(left.data());
    rights.push_back(right.data());
  }
  void of_row(Index i, std::vector<double>& out) const {
    for (std::size_t k = 0; k < weights.size(); ++k) out[k] = weights[k] * lefts[k][i];
  }
  std::vector<double> weights;
  std::vector<const double*> lefts, rights;
};

Deflated::Deflated(const Block& matrix) : matrix_(&matrix) {
  if (!matrix.is_matrix()) throw Error(ErrorCode::internal, matrix.name(), "is not a matrix");
}

void Deflated::subtract(double weight, ConstVec left, ConstVec right) {
  terms_.push_back({weight, {left.begin(), left.end()}, {right.begin(), right.end()}});
}

void Deflated::multiply(ConstVec x, Vec y, Executor& executor) const {
  if (has_missing()) {
    std::vector<double> weight(y.size());
    return multiply_observed(x, y, weight, executor);
  }
  gingham::multiply(*matrix_, x, y, executor);
  for (const Term& term : terms_) axpy(-term.weight * dot(term.right, x), term.left, y);
}

void Deflated::multiply_transposed(ConstVec x, Vec y, Executor& executor) const {
  if (has_missing()) {
    std::vector<double> weight(y.size());
    return multiply_transposed_observed(x, y, weight, executor);
  }
  gingham::multiply_transposed(*matrix_, x, y, executor);
  for (const Term& term : terms_) axpy(-term.weight * dot(term.left, x), term.right, y);
}

// y_i -= sum_k c_k left_ki (sum of right_kj x_j over the observed cells of row i); `pattern` lists
// the rows of what is multiplied, which is the transpose of the matrix or itself.
void Deflated::take_terms(const SparseMatrix& pattern, bool transposed, ConstVec x, Vec y,
                          Executor& executor) const {
  const bool unlisted_observed = matrix_->unlisted() == Unlisted::zero;
  const Partition blocks = Partition::weighted(pattern.pointers());
  for (const Term& term : terms_) {
    const std::vector<double>& left = transposed ? term.right : term.left;
    const std::vector<double>& right = transposed ? term.left : term.right;
    const double all = unlisted_observed ? dot(right, x) : 0.0;
    executor.map(blocks.count(), [&](Index block) {
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        double listed = 0.0;  // over the observed ones, or over the missing ones
        for (Index e = pattern.pointers()[i]; e < pattern.pointers()[i + 1]; ++e) {
          const bool is_missing = pattern.values()[e] != pattern.values()[e];
          if (is_missing != unlisted_observed) continue;
          listed += right[pattern.columns()[e]] * x[pattern.columns()[e]];
        }
        y[i] -= term.weight * left[i] * (unlisted_observed ? all - listed : listed);
      }
    });
  }
}

void Deflated::multiply_observed(ConstVec x, Vec y, Vec weight, Executor& executor) const {
  const Matrix* dense = matrix_->dense_matrix();
  if (dense == nullptr || terms_.empty()) {
    gingham::multiply_observed(*matrix_, x, y, weight, executor);
    if (dense == nullptr) take_terms(*matrix_->sparse_matrix(), false, x, y, executor);
    return;
  }
  const Coefficients coefficients(*this);
  const Partition blocks = Partition::even(rows(), cols());
  executor.map(blocks.count(), [&](Index block) {
    std::vector<double> c(terms_.size()), r(static_cast<std::size_t>(cols()));
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      coefficients.of_row(i, c);
      residual_row(dense->row(i).data(), cols(), c.data(), coefficients.rights.data(),
                   std::ssize(terms_), r.data());
      dense::row_dots_observed(r.data(), cols(), 1, cols(), x.data(), y.data() + i,
                               weight.data() + i);
    }
  });
}

void Deflated::multiply_transposed_observed(ConstVec x, Vec y, Vec weight,
                                            Executor& executor) const {
  const Matrix* dense = matrix_->dense_matrix();
  if (dense == nullptr || terms_.empty()) {
    gingham::multiply_transposed_observed(*matrix_, x, y, weight, executor);
    if (dense == nullptr) {
      take_terms(matrix_->sparse_matrix()->transposed(), true, x, y, executor);
    }
    return;
  }
  const Coefficients coefficients(*this);
  const Partition blocks = Partition::even(rows(), cols());
  const auto n = static_cast<std::size_t>(cols());
  std::vector<double> both(2 * n);
  sum_blocks(executor, blocks.count(), Vec(both), [&](Index block, Vec partial) {
    std::vector<double> c(terms_.size()), r(n);
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      if (x[i] == 0.0) continue;
      coefficients.of_row(i, c);
      residual_row(dense->row(i).data(), cols(), c.data(), coefficients.rights.data(),
                   std::ssize(terms_), r.data());
      dense::add_rows_observed(r.data(), cols(), 1, cols(), x.data() + i, partial.data(),
                               partial.data() + n);
    }
  });
  std::copy_n(both.begin(), n, y.begin());
  std::copy_n(both.begin() + static_cast<std::ptrdiff_t>(n), n, weight.begin());
}

double Deflated::squared(Executor& executor) const {
  return residual_squared(std::vector<double>(static_cast<std::size_t>(rows())),
                          std::vector<double>(static_cast<std::size_t>(cols())), executor);
}

double Deflated::residual_squared(ConstVec left, ConstVec right, Executor& executor) const {
  Coefficients all(*this);
  all.add(1.0, left, right);
  const std::vector<const double*>& rights = all.rights;
  const auto n_terms = static_cast<Index>(rights.size());

  if (const Matrix* dense = matrix_->dense_matrix()) {
    const Partition blocks = Partition::even(rows(), cols());
    return sum_blocks(executor, blocks.count(), [&](Index block) {
      std::vector<double> c(static_cast<std::size_t>(n_terms));
      double total = 0.0;
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        all.of_row(i, c);
        total += row_residual(dense->row(i).data(), cols(), c.data(), rights.data(), n_terms);
      }
      return total;
    });
  }
  const SparseMatrix& sparse = *matrix_->sparse_matrix();
  const bool unlisted_observed = matrix_->unlisted() == Unlisted::zero;
  std::vector<DoubleDouble> gram(static_cast<std::size_t>(n_terms * n_terms));
  for (Index k = 0; unlisted_observed && k < n_terms; ++k) {
    for (Index l = 0; l <= k; ++l) {
      DoubleDouble product;
      for (Index j = 0; j < cols(); ++j) product += product_of(rights[k][j], rights[l][j]);
      gram[k * n_terms + l] = gram[l * n_terms + k] = product;
    }
  }
  // Of row i: the sum of model^2 over all cells less that over the listed ones, which may cancel.
  const auto unlisted_squares = [&](Index i, const std::vector<double>& c) {
    double whole = 0.0, listed = 0.0;
    for (Index k = 0; k < n_terms; ++k) {
      for (Index l = 0; l < n_terms; ++l) whole += c[k] * c[l] * gram[k * n_terms + l].high;
    }
    for (Index e = sparse.pointers()[i]; e < sparse.pointers()[i + 1]; ++e) {
      double model = 0.0;
      for (Index k = 0; k < n_terms; ++k) model += c[k] * rights[k][sparse.columns()[e]];
      listed += model * model;
    }
    if (!has_cancelled(whole - listed, whole) || whole == 0.0) return whole - listed;
    DoubleDouble outside;
    for (Index k = 0; k < n_terms; ++k) {
      for (Index l = 0; l < n_terms; ++l) {
        DoubleDouble one = gram[k * n_terms + l];
        one *= product_of(c[k], c[l]);
        outside += one;
      }
    }
    for (Index e = sparse.pointers()[i]; e < sparse.pointers()[i + 1]; ++e) {
      DoubleDouble model;
      for (Index k = 0; k < n_terms; ++k) {
        model += product_of(c[k], rights[k][sparse.columns()[e]]);
      }
      model *= DoubleDouble(model);
      outside -= model;
    }
    return std::max(static_cast<double>(outside), 0.0);
  };
  const Partition blocks = Partition::weighted(sparse.pointers());
  return sum_blocks(executor, blocks.count(), [&](Index block) {
    std::vector<double> c(static_cast<std::size_t>(n_terms));
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      all.of_row(i, c);
      if (unlisted_observed) total += unlisted_squares(i, c);
      for (Index e = sparse.pointers()[i]; e < sparse.pointers()[i + 1]; ++e) {
        if (sparse.values()[e] != sparse.values()[e]) continue;
        double rest = sparse.values()[e];
        for (Index k = 0; k < n_terms; ++k) rest -= c[k] * rights[k][sparse.columns()[e]];
        total += rest * rest;
      }
    }
    return total;
  });
}

}  // namespace gingham
