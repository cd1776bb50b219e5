#include "gingham/penalties/fused.hpp"

#include "gingham/kernels/tv_prox.hpp"
#include "gingham/penalties/norms.hpp"

namespace gingham {

double Fused::value(ConstVec v) const {
  double jumps = 0.0;
  for (std::size_t i = 0; i + 1 < v.size(); ++i) jumps += std::abs(v[i + 1] - v[i]);
  return gamma * jumps + alpha * norms::l1(v);
}

void Fused::prox(Vec v, double step) const {
  require_prox_input(v, step);
  tv_prox(v, step * gamma);
  for (double& x : v) x = norms::soft(x, step * alpha);
}

double Fused::stationarity_gap(ConstVec v, ConstVec gradient) const {
  return tv_gap(v, gradient, gamma, alpha);
}

}  // namespace gingham
