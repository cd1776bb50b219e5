#include "gingham/penalties/group_linf.hpp"

#include <vector>

#include "gingham/kernels/l1_ball.hpp"

namespace gingham {
namespace {

std::vector<double> magnitudes(ConstVec v) {
  std::vector<double> result(v.size());
  for (std::size_t j = 0; j < v.size(); ++j) result[j] = std::abs(v[j]);
  return result;
}

void set_zero(Vec v) { std::fill(v.begin(), v.end(), 0.0); }

void cap(Vec v, double tau) {
  for (double& x : v) x = std::clamp(x, -tau, tau);
}

// Distance from the positive y to the simplex {s >= 0, sum s = lambda}, entry by entry into `rest`.
void leave_simplex_residual(Vec y, double lambda) {
  std::vector<double> nearest(y.begin(), y.end());
  project_simplex(nearest, lambda);
  for (std::size_t j = 0; j < y.size(); ++j) y[j] -= nearest[j];
}

// Distance from y to the l1 ball of radius lambda.
double distance_to_ball(std::vector<double> y, double lambda) {
  std::vector<double> nearest = y;
  project_l1_ball(nearest, lambda);
  return norms::l2_of(y.size(), [&](std::size_t j) { return y[j] - nearest[j]; });
}

// At a nonzero v the subdifferential is lambda times the convex hull of the signed unit vectors of
// the largest entries; with v >= 0 required, zero entries may add anything non-positive.
double gap_away_from_zero(ConstVec v, ConstVec gradient, double lambda, bool nonnegative) {
  const double largest = norms::linf(v);
  std::vector<double> rest;
  std::vector<double> at_the_top;
  for (std::size_t j = 0; j < v.size(); ++j) {
    if (std::abs(v[j]) == largest) {
      at_the_top.push_back(-gradient[j] * norms::sign(v[j]));
    } else {
      rest.push_back(nonnegative && v[j] == 0.0 ? std::max(-gradient[j], 0.0) : gradient[j]);
    }
  }
  leave_simplex_residual(at_the_top, lambda);
  rest.insert(rest.end(), at_the_top.begin(), at_the_top.end());
  return norms::l2(rest);
}

}  // namespace

void GroupLinf::prox(Vec v, double step) const {
  require_prox_input(v, step);
  const std::vector<double> size = magnitudes(v);
  if (norms::l1(v) <= step * lambda) return set_zero(v);
  cap(v, l1_threshold(size, step * lambda).tau());
}

double GroupLinf::stationarity_gap(ConstVec v, ConstVec gradient) const {
  if (norms::linf(v) > 0.0) return gap_away_from_zero(v, gradient, lambda, false);
  return distance_to_ball({gradient.begin(), gradient.end()}, lambda);
}

void GroupLinf::prox_weighted(Vec v, ConstVec curvature) const {
  require_prox_input(v, 0.0);
  const std::vector<double> size = magnitudes(v);
  double total = 0.0;
  for (std::size_t j = 0; j < v.size(); ++j) total += curvature[j] * size[j];
  if (total <= lambda) return set_zero(v);
  cap(v, l1_threshold(size, curvature, lambda).tau());
  for (std::size_t j = 0; j < v.size(); ++j) {
    if (curvature[j] == 0.0) v[j] = 0.0;
  }
}

void NonnegGroupLinf::prox(Vec v, double step) const {
  require_prox_input(v, step);
  for (double& x : v) x = std::max(x, 0.0);
  GroupLinf{lambda}.prox(v, step);
}

double NonnegGroupLinf::stationarity_gap(ConstVec v, ConstVec gradient) const {
  if (norms::any_negative(v)) return kInfinity;
  if (norms::linf(v) > 0.0) return gap_away_from_zero(v, gradient, lambda, true);
  std::vector<double> outward(v.size());
  for (std::size_t j = 0; j < v.size(); ++j) outward[j] = std::max(-gradient[j], 0.0);
  return distance_to_ball(outward, lambda);
}

void NonnegGroupLinf::prox_weighted(Vec v, ConstVec curvature) const {
  require_prox_input(v, 0.0);
  for (double& x : v) x = std::max(x, 0.0);
  GroupLinf{lambda}.prox_weighted(v, curvature);
}

}  // namespace gingham
