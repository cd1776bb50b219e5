// Proximal alternating linearised minimisation: gradients and Lipschitz constants are those of half
// the loss, steps are 1 / (gamma L).
#include <algorithm>
#include <cmath>

#include "gingham/methods/multiview/cocluster.hpp"

namespace gingham::methods::multiview {
namespace {

constexpr double kStep = 1.1;     // gamma > 1
constexpr double kFaded = 1e-12;  // of the largest omega

// A zero constant means that the block has no influence: no step.
double step_length(double lipschitz) { return lipschitz > 0.0 ? 1.0 / (kStep * lipschitz) : 0.0; }

double largest_of(const Norms& norms) {
  double most = norms.all;
  for (const double one : norms.each) most = std::max(most, one);
  return most;
}

}  // namespace

void Fitter::palm_step(const Limits& limits, CoCluster& c) const {
  palm_rows(limits, c);
  palm_columns(limits, c);
  palm_omega(limits, c);
}

// L = |v|^2 max omega^2
void Fitter::palm_rows(const Limits& limits, CoCluster& c) const {
  double most = 0.0;
  for (const double one : c.omega) most = std::max(most, one * one);
  for (std::size_t k = 0; k < views_.size(); ++k) {
    const Products z = views_[k].row_products(c.v[k]);
    const double length = step_length(largest_of(z.norms) * most);
    for (std::size_t i = 0; i < c.omega.size(); ++i) {
      const double slope = c.omega[i] * (c.omega[i] * c.u[k][i] * z.norms[i] - z.values[i]);
      const bool has_cells = z.norms[i] > 0.0;  // where v is not zero
      const double moved = has_cells ? c.u[k][i] - length * slope : 0.0;
      c.u[k][i] = limits.one_sign ? std::max(moved, 0.0) : moved;
    }
  }
}

// L = |omega o u|^2
void Fitter::palm_columns(const Limits& limits, CoCluster& c) const {
  for (std::size_t k = 0; k < views_.size(); ++k) {
    const Products y = views_[k].column_products(c.left(k));
    const double length = step_length(largest_of(y.norms));
    for (std::size_t j = 0; j < y.values.size(); ++j) {
      c.v[k][j] -= length * (c.v[k][j] * y.norms[j] - y.values[j]);
    }
    keep_largest(limits.columns[k], c.v[k]);
  }
}

// The scale of a row goes into omega first, or what is compared there has an arbitrary scale:
// sum_k w_k |v^k|^2 (u_i^k)^2 = 1 for every row, so that L = 1.
void Fitter::palm_omega(const Limits& limits, CoCluster& c) const {
  const std::vector<Products> z = row_products(c);
  for (std::size_t i = 0; i < c.omega.size(); ++i) {
    double squares = 0.0;
    for (std::size_t k = 0; k < views_.size(); ++k) {
      squares += views_[k].weight() * z[k].norms[i] * c.u[k][i] * c.u[k][i];
    }
    if (!(squares > 0.0) || limits.available[i] == 0) {
      c.omega[i] = 0.0;
      continue;
    }
    const double scale = std::sqrt(squares);
    c.omega[i] *= scale;
    double slope = 0.0;
    for (std::size_t k = 0; k < views_.size(); ++k) {
      const double u = c.u[k][i] /= scale;
      slope += views_[k].weight() * u * (c.omega[i] * u * z[k].norms[i] - z[k].values[i]);
    }
    const double moved = c.omega[i] - step_length(1.0) * slope;
    c.omega[i] = limits.one_sign ? std::max(moved, 0.0) : moved;
  }
  // Rows that fade away are out, not smaller and smaller.
  double most = 0.0;
  for (const double one : c.omega) most = std::max(most, std::abs(one));
  for (double& one : c.omega) one = std::abs(one) > kFaded * most ? one : 0.0;
  keep_largest(limits.rows, c.omega);
}

}  // namespace gingham::methods::multiview
