// For recomputations: kernels and affinities by plain loops.
#pragma once
#include "gingham/methods/views/plain.hpp"

namespace gingham::methods::kernel_views {

using views::Real;

// Symmetric, one triangle of it stored.
class Triangle {
 public:
  explicit Triangle(Index n) : n_(n), values_(n * (n + 1) / 2) {}
  Index n() const { return n_; }
  double& at(Index i, Index j) {
    return values_.data()[i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i];
  }
  double at(Index i, Index j) const {
    return values_.data()[i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i];
  }

 private:
  Index n_;
  Array<double> values_;
};

struct PlainKernel {
  Triangle values;
  double width = 0.0;
};

PlainKernel plain_kernel(const Dataset& data, const Options& options, Index view);
void plain_normalize(Triangle& k);
// max_i ||L u_i - theta_i u_i||
Real plain_residual(const Triangle& l, const Matrix& vectors, const std::vector<double>& values);

}  // namespace gingham::methods::kernel_views
