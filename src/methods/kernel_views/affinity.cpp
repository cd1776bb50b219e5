#include "gingham/methods/kernel_views/affinity.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::kernel_views {

double inverse_root(double degree) {
  const double inverse = degree > 0.0 ? 1.0 / std::sqrt(degree) : 0.0;
  return std::isfinite(inverse) ? inverse : 0.0;
}

std::vector<double> degree_scale(const Matrix& k, Executor& executor) {
  std::vector<double> scale(static_cast<std::size_t>(k.rows()));
  const Partition blocks = Partition::even(k.rows(), k.cols());
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i)
      scale[i] = inverse_root(sum_abs(k.row(i)));
  });
  return scale;
}

void scale_rows(const std::vector<double>& scale, Matrix& x) {
  for (Index i = 0; i < x.rows(); ++i) gingham::scale(scale[i], x.row(i));
}

void multiply_normalized(const Matrix& k, const std::vector<double>& scale, const Matrix& x,
                         Matrix& y, Executor& executor) {
  Matrix scaled = x;
  scale_rows(scale, scaled);
  multiply(k, scaled, y, executor);
  scale_rows(scale, y);
}

void normalize(Matrix& k, Executor& executor) {
  const Index n = k.rows();
  const std::vector<double> scale = degree_scale(k, executor);
  const Partition blocks = Partition::even(n, n);
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      double* row = k.row(i).data();
      for (Index j = 0; j < n; ++j) row[j] *= scale[i] * scale[j];
    }
  });
}

Matrix unit_rows(const Matrix& vectors) {
  Matrix points = vectors;
  for (Index i = 0; i < points.rows(); ++i) {
    const double length = norm2(vectors.row(i));
    for (double& value : points.row(i)) value = length > 0.0 ? value / length : 0.0;
  }
  return points;
}

double subspace_gap(const SymmetricOperator& m, const Matrix& u, const Matrix& mu, double bound,
                    double enough, Executor& executor) {
  Matrix inside, products, gram;
  multiply_transposed(u, mu, inside, executor);
  multiply(u, inside, products, executor);
  axpy(-1.0, mu.values(), products.values());
  const double residual = norm2(products.values()) / bound;
  multiply_transposed(u, u, gram, executor);
  for (Index k = 0; k < gram.rows(); ++k) gram(k, k) -= 1.0;
  const double gap = std::max(residual, norm2(gram.values()));
  if (residual > enough) return gap;
  return std::max(gap, exchange_gain(m, u, mu, Rng::named(0, "outside")) / bound);
}

double eigen_tolerance(double tolerance) {
  constexpr double kOfTheTolerance = 0.1, kFinest = 1e-13;
  return std::max(kOfTheTolerance * tolerance, kFinest);
}

}  // namespace gingham::methods::kernel_views
