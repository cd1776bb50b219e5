#include "gingham/kernels/deflated.hpp"

#include <algorithm>
#include <array>

#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

constexpr Index kChunk =
    512;  // columns worked on at a time, so that a row's residual stays in cache
constexpr Index kLanes = 8;

// sum_j (x_j - sum_k coefficient_k right_k[j])^2 over one row.
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

Deflated::Deflated(const Block& matrix) : matrix_(&matrix) {
  if (!matrix.is_matrix()) throw Error(ErrorCode::internal, matrix.name(), "is not a matrix");
}

void Deflated::subtract(double weight, ConstVec left, ConstVec right) {
  terms_.push_back({weight, {left.begin(), left.end()}, {right.begin(), right.end()}});
}

void Deflated::multiply(ConstVec x, Vec y, Executor& executor) const {
  gingham::multiply(*matrix_, x, y, executor);
  for (const Term& term : terms_) axpy(-term.weight * dot(term.right, x), term.left, y);
}

void Deflated::multiply_transposed(ConstVec x, Vec y, Executor& executor) const {
  gingham::multiply_transposed(*matrix_, x, y, executor);
  for (const Term& term : terms_) axpy(-term.weight * dot(term.left, x), term.right, y);
}

double Deflated::residual_squared(ConstVec left, ConstVec right, Executor& executor) const {
  std::vector<double> weights;
  std::vector<const double*> lefts, rights;
  for (const Term& term : terms_) {
    weights.push_back(term.weight);
    lefts.push_back(term.left.data());
    rights.push_back(term.right.data());
  }
  weights.push_back(1.0);
  lefts.push_back(left.data());
  rights.push_back(right.data());
  const auto n_terms = static_cast<Index>(weights.size());
  const auto row_coefficients = [&](Index i, std::vector<double>& out) {
    for (Index k = 0; k < n_terms; ++k) out[k] = weights[k] * lefts[k][i];
  };

  if (const Matrix* dense = matrix_->dense_matrix()) {
    const Partition blocks = Partition::even(rows(), cols());
    return sum_blocks(executor, blocks.count(), [&](Index block) {
      std::vector<double> c(static_cast<std::size_t>(n_terms));
      double total = 0.0;
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        row_coefficients(i, c);
        total += row_residual(dense->row(i).data(), cols(), c.data(), rights.data(), n_terms);
      }
      return total;
    });
  }
  const SparseMatrix& sparse = *matrix_->sparse_matrix();
  std::vector<double> gram(static_cast<std::size_t>(n_terms * n_terms));
  for (Index k = 0; k < n_terms; ++k) {
    for (Index l = 0; l < n_terms; ++l) {
      gram[k * n_terms + l] = dot({rights[k], static_cast<std::size_t>(cols())},
                                  {rights[l], static_cast<std::size_t>(cols())});
    }
  }
  const Partition blocks = Partition::weighted(sparse.pointers());
  return sum_blocks(executor, blocks.count(), [&](Index block) {
    std::vector<double> c(static_cast<std::size_t>(n_terms));
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      row_coefficients(i, c);
      double unlisted = 0.0;
      for (Index k = 0; k < n_terms; ++k) {
        for (Index l = 0; l < n_terms; ++l) unlisted += c[k] * c[l] * gram[k * n_terms + l];
      }
      for (Index e = sparse.pointers()[i]; e < sparse.pointers()[i + 1]; ++e) {
        double model = 0.0;
        for (Index k = 0; k < n_terms; ++k) model += c[k] * rights[k][sparse.columns()[e]];
        unlisted -= model * model;
        total += (sparse.values()[e] - model) * (sparse.values()[e] - model);
      }
      total += std::max(unlisted, 0.0);
    }
    return total;
  });
}

}  // namespace gingham
