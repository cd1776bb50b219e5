#include "gingham/methods/nonnegative/start.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/side_by_side.hpp"

namespace gingham::methods::nonnegative {
namespace {

// Directions to begin with: those that stand out are found by few products, and where none does
// any will do.
constexpr double kSvdTolerance = 1e-3;
constexpr Index kMostProducts = 4;
constexpr Index kFewGuards = 4;  // vectors beyond the wanted ones, and a share of those
constexpr Index kGuardShare = 4;

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

StartFactors svd_start(const Observed& data, Index rank, Rng rng, bool in_single,
                       Executor& executor) {
  const Index n = std::min({rank, data.size(0), data.size(1)});
  const LanczosRules rules{.tolerance = kSvdTolerance,
                           .width = n + std::max(kFewGuards, n / kGuardShare),
                           .most = kMostProducts};
  const Svd svd =
      leading_triplets(squared_products(data, in_single, executor), n, rng, rules, executor);
  const Index n_found = std::count_if(svd.s.begin(), svd.s.end(), [](double s) { return s > 0.0; });
  StartFactors factors = n_found < rank
                             ? random_start(data, rank, rng, executor)
                             : StartFactors{Matrix(data.size(0), rank), Matrix(data.size(1), rank)};
  for (Index k = 0; k < n_found; ++k) {
    const Parts u(svd.u, k), v(svd.v, k);
    const double plus = u.plus_length * v.plus_length, minus = u.minus_length * v.minus_length;
    const bool is_plus = plus >= minus;
    const double scale = std::sqrt(svd.s[k] * std::max(plus, minus));
    set_column(factors.rows, k, is_plus ? u.plus : u.minus,
               scale / (is_plus ? u.plus_length : u.minus_length));
    set_column(factors.columns, k, is_plus ? v.plus : v.minus,
               scale / (is_plus ? v.plus_length : v.minus_length));
  }
  clear_unseen(data, factors);
  return factors;
}

}  // namespace gingham::methods::nonnegative
