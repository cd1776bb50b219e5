// Proximal alternating linearised minimisation, Algorithm 1 of the paper. With h half the loss, H
// the diagonal of a block's Hessian and L its Lipschitz constant, one iteration is
//
//   u^k    <- u^k - grad / (gamma L)                              H_i = omega_i^2 |v^k|^2
//   v^k    <- the s_k largest of v^k - grad / (gamma L)           H_j = |omega o u^k|^2
//   omega  <- the s_omega largest of omega - grad / (gamma L)     H_i = sum_k w_k |v^k|^2 (u_i^k)^2
//
// and u >= 0, omega >= 0 with one sign. Where cells are missing norms go over the observed ones,
// and each column has its own H_j: its step is 1 / (gamma H_j), the largest are those of H_j v_j^2.
//
// literal    L = |H|_2 for u and omega, as in the paper. u_i stays as it is while omega_i = 0.
// otherwise  L = max H. Before the step of omega, u_i = <r_i, v> / |v|^2 in every view where
//            omega_i = 0, which does not change the loss, and the scale of each row moves into
//            omega, so that |omega_i| is comparable and H_i = 1; after it the scale moves back:
//            omega is 0 or 1, and u_i = 0 where it is 0.
#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multiview/cocluster.hpp"
#include "gingham/penalties/members/top.hpp"

namespace gingham::methods::multiview {
namespace {

constexpr double kFaded = 1e-12;  // of the largest omega

// 1 / (gamma L). A zero constant means that the block has no influence: no step.
double step_length(const Palm& palm, const std::vector<double>& hessian) {
  const double lipschitz = palm.is_literal ? norm2(hessian) : max_abs(hessian);
  return lipschitz > 0.0 ? 1.0 / (palm.gamma * lipschitz) : 0.0;
}

}  // namespace

void Fitter::palm_step(const Limits& limits, const Palm& palm, CoCluster& c) const {
  palm_rows(limits, palm, c);
  palm_columns(limits, palm, c);
  palm_omega(limits, palm, c);
}

void Fitter::palm_rows(const Limits& limits, const Palm& palm, CoCluster& c) const {
  std::vector<double> hessian(c.omega.size());
  for (std::size_t k = 0; k < views_.size(); ++k) {
    const Products z = views_[k].row_products(c.v[k]);
    for (std::size_t i = 0; i < hessian.size(); ++i) {
      hessian[i] = c.omega[i] * c.omega[i] * z.norms[i];
    }
    const double length = step_length(palm, hessian);
    for (std::size_t i = 0; i < hessian.size(); ++i) {
      const double slope = c.omega[i] * (c.omega[i] * c.u[k][i] * z.norms[i] - z.values[i]);
      const bool has_cells = z.norms[i] > 0.0;  // where v is not zero
      const double moved = has_cells ? c.u[k][i] - length * slope : 0.0;
      c.u[k][i] = limits.one_sign ? std::max(moved, 0.0) : moved;
    }
  }
}

void Fitter::palm_columns(const Limits& limits, const Palm& palm, CoCluster& c) const {
  for (std::size_t k = 0; k < views_.size(); ++k) {
    const Products y = views_[k].column_products(c.left(k));
    std::vector<double> size(y.values.size());
    for (std::size_t j = 0; j < size.size(); ++j) {
      const double best = best_factor(y.values[j], y.norms[j], false);
      c.v[k][j] -= (c.v[k][j] - best) / palm.gamma;
      size[j] = std::sqrt(y.norms[j]) * std::abs(c.v[k][j]);
    }
    const std::vector<std::uint8_t> kept = largest_gains(size, limits.columns[k]);
    for (std::size_t j = 0; j < size.size(); ++j) c.v[k][j] = kept[j] != 0 ? c.v[k][j] : 0.0;
  }
}

void Fitter::palm_omega(const Limits& limits, const Palm& palm, CoCluster& c) const {
  const std::vector<Products> z = row_products(c);
  std::vector<double> hessian(c.omega.size(), 0.0);
  for (std::size_t i = 0; i < hessian.size(); ++i) {
    for (std::size_t k = 0; k < views_.size(); ++k) {
      double& u = c.u[k][i];
      if (!palm.is_literal && c.omega[i] == 0.0)
        u = best_factor(z[k].values[i], z[k].norms[i], limits.one_sign);
      hessian[i] += views_[k].weight() * z[k].norms[i] * u * u;
    }
    if (palm.is_literal || hessian[i] == 0.0) continue;
    const double scale = std::sqrt(hessian[i]);
    for (std::size_t k = 0; k < views_.size(); ++k) c.u[k][i] /= scale;
    c.omega[i] *= scale;
    hessian[i] = 1.0;
  }
  const double length = step_length(palm, hessian);
  for (std::size_t i = 0; i < hessian.size(); ++i) {
    double slope = 0.0;
    for (std::size_t k = 0; k < views_.size(); ++k) {
      const double u = c.u[k][i];
      slope += views_[k].weight() * u * (c.omega[i] * u * z[k].norms[i] - z[k].values[i]);
    }
    const bool is_there = limits.available[i] != 0 && hessian[i] > 0.0;
    const double moved = is_there ? c.omega[i] - length * slope : 0.0;
    c.omega[i] = limits.one_sign ? std::max(moved, 0.0) : moved;
  }
  if (!palm.is_literal) {  // rows that fade away are out, not smaller and smaller
    const double least = kFaded * max_abs(c.omega);
    for (double& one : c.omega) one = std::abs(one) > least ? one : 0.0;
  }
  keep_largest(limits.rows, c.omega);
  for (std::size_t i = 0; i < hessian.size() && !palm.is_literal; ++i) {
    for (std::size_t k = 0; k < views_.size(); ++k) c.u[k][i] *= c.omega[i];
    c.omega[i] = c.omega[i] != 0.0 ? 1.0 : 0.0;
  }
}

}  // namespace gingham::methods::multiview
