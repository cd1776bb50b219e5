#include "gingham/methods/nonnegative/start.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/unfolded.hpp"

namespace gingham::methods::nonnegative {
namespace {

constexpr double kSvdTolerance = 1e-3;  // directions to begin with need no more

// The multiple of A B^T that fits X0 best, shared by both.
void fit_scale(const Observed& data, Executor& executor, StartFactors& factors) {
  Matrix y, left, right;
  data.products(0, std::vector<Matrix>{Matrix(), factors.columns}, y, executor);
  gram(factors.rows, left, executor);
  gram(factors.columns, right, executor);
  const double squares = dot(std::as_const(left).values(), std::as_const(right).values());
  const double along = dot(std::as_const(y).values(), std::as_const(factors.rows).values());
  if (!(squares > 0.0 && along > 0.0)) return;
  const double factor = std::sqrt(along / squares);
  scale(factor, factors.rows.values());
  scale(factor, factors.columns.values());
}

// The parts of one sign, and their lengths.
struct Parts {
  std::vector<double> plus, minus;
  double plus_length = 0.0, minus_length = 0.0;

  Parts(const Matrix& vectors, Index k) {
    for (Index i = 0; i < vectors.rows(); ++i) {
      plus.push_back(std::max(vectors(i, k), 0.0));
      minus.push_back(std::max(-vectors(i, k), 0.0));
    }
    plus_length = norm2(plus);
    minus_length = norm2(minus);
  }
};

void set_column(Matrix& factor, Index k, const std::vector<double>& part, double scale) {
  for (Index i = 0; i < factor.rows(); ++i) factor(i, k) = scale * part[i];
}

}  // namespace

void clear_unseen(const Observed& data, StartFactors& factors) {
  for (int side = 0; side < 2; ++side) {
    Matrix& f = side == 0 ? factors.rows : factors.columns;
    for (Index i = 0; i < f.rows(); ++i) {
      if (!data.is_seen(side, i)) std::fill(f.row(i).begin(), f.row(i).end(), 0.0);
    }
  }
}

StartFactors random_start(const Observed& data, Index rank, Rng rng, Executor& executor) {
  StartFactors factors{Matrix(data.size(0), rank), Matrix(data.size(1), rank)};
  for (double& x : factors.rows.values()) x = rng.uniform();
  for (double& x : factors.columns.values()) x = rng.uniform();
  clear_unseen(data, factors);
  fit_scale(data, executor, factors);
  return factors;
}

StartFactors svd_start(const Observed& data, Index rank, Rng rng, Executor& executor) {
  StartFactors factors = random_start(data, rank, rng, executor);
  const Index n = std::min({rank, data.size(0), data.size(1)});
  const Unfolded all(data, 0);
  const Svd svd = truncated_svd(all.products(executor), n, rng, kSvdTolerance);
  for (Index k = 0; k < n; ++k) {
    const Parts u(svd.u, k), v(svd.v, k);
    const double plus = u.plus_length * v.plus_length, minus = u.minus_length * v.minus_length;
    const double most = std::max(plus, minus);
    if (!(most > 0.0 && svd.s[k] > 0.0)) continue;
    const double scale = std::sqrt(svd.s[k] * most);
    if (plus >= minus) {
      set_column(factors.rows, k, u.plus, scale / u.plus_length);
      set_column(factors.columns, k, v.plus, scale / v.plus_length);
    } else {
      set_column(factors.rows, k, u.minus, scale / u.minus_length);
      set_column(factors.columns, k, v.minus, scale / v.minus_length);
    }
  }
  clear_unseen(data, factors);
  return factors;
}

}  // namespace gingham::methods::nonnegative
