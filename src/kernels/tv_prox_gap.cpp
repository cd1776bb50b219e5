// Stationarity of the fused lasso.
//
// A subgradient of gamma TV + sum alpha_i |v_i| is gamma F'w + alpha s, where w_i and s_i are signs
// at jumps and nonzero values, and free in [-1, 1] elsewhere. On a run of equal values only the w
// inside it (and, at value 0, the s) are free. By Moreau's decomposition the part of y that these
// cannot reach is the prox of the same penalty on the run alone, so the distance is the norm of
// proxes of what the signs leave over.
#include <algorithm>

#include "gingham/kernels/tv_prox.hpp"
#include "gingham/kernels/tv_prox_checks.hpp"

namespace gingham {
namespace {

double sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }

// The Euclidean norm without overflow; overwrites its argument.
double norm_of(std::vector<double>& x) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  if (largest == 0.0) return 0.0;
  double squares = 0.0;
  for (double& value : x) {
    value /= largest;
    squares += value * value;
  }
  return largest * std::sqrt(squares);
}

}  // namespace

double tv_gap(ConstVec point, ConstVec gradient, double gamma, ConstVec alpha) {
  tv::require_weight(gamma);
  tv::require_same(point.size() == gradient.size() && point.size() == alpha.size());
  tv::require_finite(point);
  const std::size_t t = point.size();
  std::vector<double> rest(t), ones;
  for (std::size_t i = 0; i < t; ++i) rest[i] = -gradient[i] - alpha[i] * sign(point[i]);
  for (std::size_t i = 0; i + 1 < t; ++i) {
    const double jump = sign(point[i + 1] - point[i]);
    rest[i] += gamma * jump;
    rest[i + 1] -= gamma * jump;
  }
  for (std::size_t begin = 0, end = 0; begin < t; begin = end) {
    while (end < t && point[end] == point[begin]) ++end;
    const Vec run(rest.data() + begin, end - begin);
    const ConstVec free = alpha.subspan(begin, end - begin);
    const bool same = std::all_of(free.begin(), free.end(), [&](double x) { return x == free[0]; });
    if (point[begin] != 0.0 || same) {
      tv_prox(run, gamma);
      if (point[begin] == 0.0) {
        for (double& x : run) x = tv::soft(x, free[0]);
      }
    } else {
      ones.assign(run.size(), 1.0);
      tv_prox_weighted(ones, run, gamma, free, run);
    }
  }
  return norm_of(rest);
}

double tv_gap(ConstVec point, ConstVec gradient, double gamma, double alpha) {
  return tv_gap(point, gradient, gamma, std::vector<double>(point.size(), alpha));
}

}  // namespace gingham
