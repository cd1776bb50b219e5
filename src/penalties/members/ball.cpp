// The root behind the weighted projection.
//
// z_j = v_j d_j / (d_j + mu). The function 1 / ||z|| rises and is concave in mu >= 0, so Newton's
// method from the left never oversteps the root of ||z|| = radius and converges quadratically.
#include "gingham/penalties/members/ball.hpp"

#include "gingham/kernels/lanes.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/penalties/group_shrink.hpp"

namespace gingham {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kLane = lanes::kWide<double>;
constexpr int kMaxNewtonSteps = 200;

// v * (radius / length), where the quotient may leave the range of a double.
double shorten(Vec v, double length, double radius) {
  const double factor = radius / length;
  if (factor > 1e-290 && length < kInfinity) {
    scale(factor, v);
    return radius;
  }
  const double largest = norms::linf(v);
  for (double& x : v) x /= largest;
  const double rest = norms::l2(v);
  for (double& x : v) x = radius * (x / rest);
  return radius;
}

// In units in which the largest d is 1: sum z^2, and sum z^2 / (d + mu), where the derivative of
// 1 / ||z|| is the latter / ||z||^3.
struct Sums {
  double square = 0.0;
  double slope = 0.0;
};
GINGHAM_MULTIARCH void find_sums(const double* v, const double* d, Index n, double steepest,
                                 double mu, Sums* sums) {
  V square{}, slope{};
  Index j = 0;
  for (; j + kLane <= n; j += kLane) {
    const V own = wide(d + j) / steepest;
    const V inverse = own > 0.0 ? 1.0 / (own + mu) : V{};
    const V z = wide(v + j) * (own * inverse);
    square += z * z;
    slope += z * z * inverse;
  }
  *sums = {lanes::total<double>(square), lanes::total<double>(slope)};
  for (; j < n; ++j) {
    const double own = d[j] / steepest;
    const double inverse = own > 0.0 ? 1.0 / (own + mu) : 0.0;
    const double z = v[j] * (own * inverse);
    sums->square += z * z;
    sums->slope += z * z * inverse;
  }
}
GINGHAM_MULTIARCH void shorten_by(double* v, const double* d, Index n, double steepest, double mu,
                                  double unit) {
  for (Index j = 0; j < n; ++j) {
    const double own = d[j] / steepest;
    v[j] = own > 0.0 ? unit * (v[j] * (own / (own + mu))) : 0.0;
  }
}

double root(ConstVec v, ConstVec d, double steepest, double radius) {
  double mu = 0.0;
  for (int k = 0; k < kMaxNewtonSteps; ++k) {
    Sums sums;
    find_sums(v.data(), d.data(), std::ssize(v), steepest, mu, &sums);
    const double length = std::sqrt(sums.square);
    const double next = mu + (length / radius - 1.0) * sums.square / sums.slope;
    if (!(next > mu)) break;
    mu = next;
  }
  return mu;
}

}  // namespace

double project_nonneg_ball(Vec v, double radius) {
  const double length = shrink_l2(v, 0.0);
  return length <= radius ? length : shorten(v, length, radius);
}

double project_nonneg_ball_weighted(Vec v, ConstVec curvature, double radius) {
  for (const double d : curvature) {
    if (!(d >= 0.0 && d < kInfinity)) {
      throw Error(ErrorCode::internal, "", "ball: the curvature is not finite, or negative");
    }
  }
  shrink_l2(v, 0.0);
  for (std::size_t j = 0; j < v.size(); ++j) {
    if (curvature[j] == 0.0) v[j] = 0.0;
  }
  const double length = norm2(v);
  if (length <= radius) return length;
  const double largest = max_abs(v), steepest = max_abs(curvature);
  if (largest < 1e-100 || largest > 1e100) {  // squares are taken in units of the largest
    for (double& x : v) x /= largest;
    const double mu = root(v, curvature, steepest, radius / largest);
    shorten_by(v.data(), curvature.data(), std::ssize(v), steepest, mu, largest);
  } else {
    const double mu = root(v, curvature, steepest, radius);
    shorten_by(v.data(), curvature.data(), std::ssize(v), steepest, mu, 1.0);
  }
  const double found = norm2(v);  // the radius, but for rounding
  return found <= radius ? found : shorten(v, found, radius);
}

// On magnitudes: the minimiser has the signs of b.
void UnitBall::minimise(ConstVec b, Curvature h, Vec z) const {
  require_problem(b, h, z);
  const double steepest = h.largest(z.size());
  std::vector<double> signs(z.size());
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double pulled = entry_.pulled(b[j], h[j]);
    signs[j] = entry_.is_nonnegative() ? 1.0 : norms::sign(pulled);
    // A quotient beyond the range is shortened to the ball all the same.
    z[j] = h[j] > 0.0 ? std::clamp(signs[j] * pulled / h[j], -1e300, 1e300) : 0.0;
  }
  if (!(steepest > 0.0)) {
    std::fill(z.begin(), z.end(), 0.0);
  } else if (h.is_even()) {
    project_nonneg_ball(z, 1.0);
  } else {
    project_nonneg_ball_weighted(z, h.each(), 1.0);
  }
  for (std::size_t j = 0; j < z.size(); ++j) z[j] *= signs[j];
}

}  // namespace gingham
