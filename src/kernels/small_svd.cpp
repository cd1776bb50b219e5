#include "gingham/kernels/small_svd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gingham/kernels/isa.hpp"

namespace gingham {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr int kMaxSweeps = 60;    // about ten are needed
constexpr double kZero = 1e-140;  // a column this short has no direction

GINGHAM_MULTIARCH
double dot(const double* x, const double* y, Index n) {
  constexpr Index kLanes = 8;
  double lane[kLanes] = {}, sum = 0.0;
  Index j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    for (Index l = 0; l < kLanes; ++l) lane[l] += x[j + l] * y[j + l];
  }
  for (; j < n; ++j) sum += x[j] * y[j];
  for (Index l = 0; l < kLanes; ++l) sum += lane[l];
  return sum;
}

GINGHAM_MULTIARCH
void rotate(double* x, double* y, Index n, double c, double s) {
  for (Index j = 0; j < n; ++j) {
    const double a = x[j], b = y[j];
    x[j] = c * a - s * b;
    y[j] = s * a + c * b;
  }
}

// Turns every pair of rows of w orthogonal once, and the rows of q with them; false when all were.
bool sweep(Matrix& w, Matrix& q) {
  const Index n = w.rows();
  bool turned = false;
  for (Index i = 0; i < n; ++i) {
    for (Index j = i + 1; j < n; ++j) {
      double *x = w.row(i).data(), *y = w.row(j).data();
      const double a = dot(x, x, n), b = dot(y, y, n), c = dot(x, y, n);
      if (std::abs(c) <= 4 * kEps * std::sqrt(a) * std::sqrt(b)) continue;
      const double zeta = (b - a) / (2.0 * c);
      const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
      const double cosine = 1.0 / std::sqrt(1.0 + t * t);
      rotate(x, y, n, cosine, cosine * t);
      rotate(q.row(i).data(), q.row(j).data(), n, cosine, cosine * t);
      turned = true;
    }
  }
  return turned;
}

// A unit vector orthogonal to the first `count` rows of p, into the next one.
void complete(Matrix& p, Index count) {
  const Index n = p.cols();
  auto out = p.row(count);
  for (Index axis = 0; axis < n; ++axis) {
    std::fill(out.begin(), out.end(), 0.0);
    out[axis] = 1.0;
    for (int pass = 0; pass < 3; ++pass) {
      for (Index i = 0; i < count; ++i) {
        const double part = dot(p.row(i).data(), out.data(), n);
        for (Index j = 0; j < n; ++j) out[j] -= part * p(i, j);
      }
    }
    const double length = std::sqrt(dot(out.data(), out.data(), n));
    if (length * length * static_cast<double>(n) < 0.5) continue;  // some axis keeps 1 / n at least
    for (double& x : out) x /= length;
    return;
  }
}

}  // namespace

SmallSvd small_svd(Matrix transposed) {
  const Index n = transposed.rows();
  Matrix turned(n, n);
  for (Index i = 0; i < n; ++i) turned(i, i) = 1.0;
  for (int count = 0; count < kMaxSweeps && sweep(transposed, turned); ++count) {
  }
  std::vector<double> lengths;
  for (Index i = 0; i < n; ++i) {
    lengths.push_back(std::sqrt(dot(transposed.row(i).data(), transposed.row(i).data(), n)));
  }
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return lengths[i] > lengths[j]; });
  SmallSvd result{.p = Matrix(n, n), .s = {}, .q = Matrix(n, n)};
  for (Index i = 0; i < n; ++i) {
    const Index from = order[i];
    const double length = lengths[from] > kZero ? lengths[from] : 0.0;
    result.s.push_back(length);
    std::ranges::copy(turned.row(from), result.q.row(i).begin());
    if (length == 0.0) {
      complete(result.p, i);
      continue;
    }
    for (Index j = 0; j < n; ++j) result.p(i, j) = transposed(from, j) / length;
  }
  return result;
}

}  // namespace gingham
