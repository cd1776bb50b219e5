#include "gingham/kernels/truncated_svd.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/small_svd.hpp"

// Letters: A is taken with cols <= rows (its transpose otherwise), so that a basis of cols vectors
// spans everything. V (cols x j) and U (rows x j) are orthonormal bases, stored one vector after
// the other, and
//
//   A V = U B,    A^T U = V B^T + r e_j^T,        B upper triangular, r orthogonal to V.
//
// With B = P S Q^T the Ritz triplets are (U P_i, S_i, V Q_i); the residual of the i-th is ||r||
// |P_ji|. A product that adds no new direction is replaced by a random one, which keeps both
// relations.

namespace gingham {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr Index kLanes = 16;  // partial sums per dot product: lets it run in vector registers
constexpr Index kTile = 512;  // entries of a vector updated at a time, so that they stay in cache
constexpr Index kMinBasis = 24;  // vectors; shorter cycles converge in visibly more products
constexpr Index kConfirmSteps =
    8;  // along a random direction: shows a missed copy of 1 above a bulk of 0.9
constexpr Index kMaxCycles = 1000;  // restarts before giving up
constexpr Index kPatience = 30;     // cycles without progress near rounding level before giving up
constexpr double kNearRounding =
    1e-7;  // of s_1: only below this is a standstill blamed on rounding

// out[i] = basis[i] . w
GINGHAM_MULTIARCH
void project(const double* basis, Index count, Index n, const double* w, double* out) {
  for (Index i = 0; i < count; ++i) {
    const double* b = basis + i * n;
    double lane[kLanes] = {};
    Index j = 0;
    for (; j + kLanes <= n; j += kLanes) {
      for (Index l = 0; l < kLanes; ++l) lane[l] += b[j + l] * w[j + l];
    }
    double sum = 0.0;
    for (; j < n; ++j) sum += b[j] * w[j];
    for (Index l = 0; l < kLanes; ++l) sum += lane[l];
    out[i] = sum;
  }
}

// w -= sum_i h[i] basis[i]
GINGHAM_MULTIARCH
void subtract(const double* basis, Index count, Index n, const double* h, double* w) {
  for (Index from = 0; from < n; from += kTile) {
    const Index to = std::min(n, from + kTile);
    for (Index i = 0; i < count; ++i) {
      const double* b = basis + i * n;
      const double factor = h[i];
      for (Index j = from; j < to; ++j) w[j] -= factor * b[j];
    }
  }
}

double norm(const double* w, Index n) {
  double square = 0.0;
  project(w, 1, n, w, &square);
  return std::sqrt(square);
}

// Removes from w its part in the basis, adds the coefficients to h, returns the norm of what is
// left. Twice at least: after one pass the basis' own loss of orthogonality grows from vector to
// vector. Then until a pass no longer halves w: what is left is orthogonal to rounding.
double orthogonalize(const double* basis, Index count, Index n, double* w, double* h) {
  constexpr int kPasses = 4;
  std::vector<double> part(static_cast<std::size_t>(count));
  double length = norm(w, n);
  for (int pass = 0; pass < kPasses && length > 0.0; ++pass) {
    project(basis, count, n, w, part.data());
    subtract(basis, count, n, part.data(), w);
    for (Index i = 0; i < count; ++i) h[i] += part[static_cast<std::size_t>(i)];
    const double before = std::exchange(length, norm(w, n));
    if (pass > 0 && length > 0.5 * before) break;
  }
  return length;
}

// The operator with cols <= rows and entries of the order of one.
class Scaled {
 public:
  explicit Scaled(const LinearOperator& a)
      : flipped_(a.cols > a.rows),
        rows_(std::max(a.rows, a.cols)),
        cols_(std::min(a.rows, a.cols)),
        forward_(flipped_ ? a.apply_transposed : a.apply),
        backward_(flipped_ ? a.apply : a.apply_transposed) {}

  bool flipped() const { return flipped_; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  void forward(const double* x, double* y) { product(forward_, x, cols_, y, rows_); }
  void backward(const double* x, double* y) { product(backward_, x, rows_, y, cols_); }
  double unscaled(double s) const { return std::ldexp(s, exponent_); }

 private:
  void product(const std::function<void(ConstVec, Vec)>& f, const double* x, Index nx, double* y,
               Index ny) {
    f(ConstVec(x, static_cast<std::size_t>(nx)), Vec(y, static_cast<std::size_t>(ny)));
    double largest = 0.0;
    bool finite = true;
    for (Index i = 0; i < ny; ++i) {
      largest = std::max(largest, std::abs(y[i]));
      finite &= std::isfinite(y[i]);
    }
    if (!finite) throw Error(ErrorCode::input, "", "a product with the matrix is not finite");
    // The first product that is not zero sets the scale, by a power of two so that nothing is
    // rounded.
    if (!has_scale_ && largest > 0.0) {
      exponent_ = std::ilogb(largest);
      has_scale_ = true;
    }
    if (exponent_ == 0) return;
    const int first = -exponent_ / 2;  // in two factors: 2^-exponent itself may overflow
    const double f1 = std::ldexp(1.0, first), f2 = std::ldexp(1.0, -exponent_ - first);
    for (Index i = 0; i < ny; ++i) y[i] = y[i] * f1 * f2;
  }

  bool flipped_;
  Index rows_, cols_;
  const std::function<void(ConstVec, Vec)>&forward_, &backward_;
  int exponent_ = 0;
  bool has_scale_ = false;
};

struct Triplets {
  Rows u, v;  // one triplet per row
  std::vector<double> s;
};

class Lanczos {
 public:
  Lanczos(const LinearOperator& a, Index k, Rng rng, double tolerance)
      : a_(a),
        k_(k),
        // A basis near the full size may as well be full: then one cycle is exact.
        size_(2 * k + kMinBasis >= a_.cols() * 3 / 4 ? a_.cols() : k + std::max(k, kMinBasis)),
        rng_(rng),
        tolerance_(std::max(tolerance, 4.0 * kEps)),
        u_(size_, a_.rows()),
        v_(size_, a_.cols()),
        b_(Eigen::MatrixXd::Zero(size_, size_)),
        rest_(a_.cols()) {}

  Svd run() {
    random_direction(v_.row(0).data(), v_.data(), 0, a_.cols());
    bool converged = false;
    Triplets best;
    Index confirmations = 0;
    double least_residual = std::numeric_limits<double>::infinity();
    for (Index cycle = 0, waited = 0; cycle < kMaxCycles; ++cycle) {
      converged = extend(size_, true);
      best = ritz(k_);
      if (converged) {
        // A Krylov space holds one copy of each singular value; with k = 1, or a full basis, that
        // is enough.
        if (k_ == 1 || used_ == a_.cols() || confirmations++ > k_ || !finds_more()) break;
        converged = false;
        least_residual = std::numeric_limits<double>::infinity();
        continue;
      }
      if (used_ == a_.cols()) break;
      waited = residual_ < 0.7 * least_residual ? 0 : waited + 1;
      least_residual = std::min(least_residual, residual_);
      if (waited > kPatience && residual_ < kNearRounding * small_.s[0]) break;
      restart(std::min(used_ - 1, k_ + (size_ - k_) / 2));
    }
    return finish(best, converged);
  }

 private:
  // A unit vector orthogonal to the first `count` (fewer than n) vectors of the basis.
  void random_direction(double* w, const double* basis, Index count, Index n) {
    std::vector<double> unused(static_cast<std::size_t>(count));
    double length = 0.0;
    while (length < 1e-3) {  // of about sqrt(n / 3): what survives is accurate
      for (Index j = 0; j < n; ++j) w[j] = rng_.uniform(-1.0, 1.0);
      length = orthogonalize(basis, count, n, w, unused.data());
    }
    for (Index j = 0; j < n; ++j) w[j] /= length;
  }

  // w / length, or a random direction where w is nothing but rounding; returns its length or 0.
  double normalize_or_replace(double* w, double length, const double* basis, Index count, Index n) {
    norm_ = std::max(norm_, length);
    if (length <= 4.0 * kEps * norm_) {
      random_direction(w, basis, count, n);
      return 0.0;
    }
    for (Index j = 0; j < n; ++j) w[j] /= length;
    return length;
  }

  // Adds vectors until there are `size` or, where `may_stop`, until the wanted triplets have
  // converged (it returns whether they have). Expects v_[used_]. The small decomposition is made
  // every few steps only.
  bool extend(Index size, bool may_stop) {
    const Index stride = std::max<Index>(4, size / 8);
    Index next_check = std::max(k_, used_ + stride), last_check = used_;
    double last_residual = 0.0;
    std::vector<double> h(static_cast<std::size_t>(size_));
    while (used_ < size) {
      const Index j = used_;
      double* u = u_.row(j).data();
      a_.forward(v_.row(j).data(), u);
      std::fill(h.begin(), h.end(), 0.0);
      norm_ = std::max(norm_, norm(u, a_.rows()));
      const double length = orthogonalize(u_.data(), j, a_.rows(), u, h.data());
      for (Index i = 0; i < j; ++i) b_(i, j) = h[static_cast<std::size_t>(i)];
      b_(j, j) = normalize_or_replace(u, length, u_.data(), j, a_.rows());
      ++used_;

      a_.backward(u, rest_.data());
      norm_ = std::max(norm_, norm(rest_.data(), a_.cols()));
      rest_norm_ = orthogonalize(v_.data(), used_, a_.cols(), rest_.data(), h.data());
      if (used_ == a_.cols()) {
        rest_norm_ = 0.0;  // V spans everything
      } else {
        rest_norm_ = normalize_or_replace(rest_.data(), rest_norm_, v_.data(), used_, a_.cols());
      }
      if (used_ < size_) v_.row(used_) = rest_.transpose();
      if (may_stop && (used_ == size || used_ == next_check)) {
        decompose();
        const double wanted = tolerance_ * small_.s[0];
        if (used_ >= k_ && residual_ <= wanted) return true;
        // When the end is near, go there and no farther: the residual falls about geometrically.
        const double fall = std::log(last_residual / residual_);
        const double steps = fall > 0.0 ? static_cast<double>(used_ - last_check) *
                                              std::log(residual_ / wanted) / fall
                                        : static_cast<double>(stride);
        next_check = used_ + std::clamp(static_cast<Index>(std::min(steps, 1e6)), Index{1}, stride);
        last_check = used_;
        last_residual = residual_;
      }
    }
    return false;
  }

  void decompose() {
    Matrix transposed(used_, used_);
    for (Index i = 0; i < used_; ++i) {
      for (Index j = i; j < used_; ++j) transposed(j, i) = b_(i, j);
    }
    small_ = small_svd(std::move(transposed));
    residual_ = 0.0;
    for (Index i = 0; i < std::min(k_, used_); ++i) {
      residual_ = std::max(residual_, rest_norm_ * std::abs(small_.p(i, used_ - 1)));
    }
  }

  Triplets ritz(Index count) const {
    const Eigen::Map<const Rows> p(small_.p.data(), used_, used_), q(small_.q.data(), used_, used_);
    return {.u = p.topRows(count) * u_.topRows(used_),
            .v = q.topRows(count) * v_.topRows(used_),
            .s = {small_.s.begin(), small_.s.begin() + count}};
  }

  // The bases shrink to the leading Ritz vectors; the next vector is the one that was next anyway.
  void restart(Index count) {
    const Triplets kept = ritz(count);
    u_.topRows(count) = kept.u;
    v_.topRows(count) = kept.v;
    v_.row(count) = rest_.transpose();
    b_.setZero();
    for (Index i = 0; i < count; ++i) b_(i, i) = kept.s[i];
    used_ = count;
  }

  // Follows a random direction beside the converged triplets; true when it shows a larger value
  // than s_k. What is left of A^T U outside V is dropped: it is below the tolerance.
  bool finds_more() {
    const double smallest = small_.s[k_ - 1];
    const double margin = std::max(1e-8 * smallest, 10.0 * tolerance_ * small_.s[0]);
    restart(k_);
    random_direction(v_.row(k_).data(), v_.data(), k_, a_.cols());
    extend(std::min(size_, k_ + kConfirmSteps), false);
    decompose();
    if (small_.s[k_ - 1] <= smallest + margin) return false;
    if (used_ == size_) restart(std::min(used_ - 1, k_ + (size_ - k_) / 2));
    return true;
  }

  Svd finish(Triplets& best, bool converged) const {
    Rows& u = a_.flipped() ? best.v : best.u;
    Rows& v = a_.flipped() ? best.u : best.v;
    Svd result{.u = Matrix(u.cols(), k_),
               .s = std::vector<double>(static_cast<std::size_t>(k_)),
               .v = Matrix(v.cols(), k_),
               .converged = converged};
    for (Index i = 0; i < k_; ++i) {
      Index where = 0;
      v.row(i).cwiseAbs().maxCoeff(&where);
      const double sign = v(i, where) < 0.0 ? -1.0 : 1.0;
      for (Index j = 0; j < u.cols(); ++j) result.u(j, i) = sign * u(i, j);
      for (Index j = 0; j < v.cols(); ++j) result.v(j, i) = sign * v(i, j);
      result.s[static_cast<std::size_t>(i)] = a_.unscaled(best.s[i]);
    }
    return result;
  }

  Scaled a_;
  Index k_;
  Index size_;  // of the basis
  Rng rng_;
  double tolerance_;
  Rows u_, v_;
  Eigen::MatrixXd b_;
  Eigen::VectorXd rest_;  // the direction of r, or a random one where r is zero
  double rest_norm_ = 0.0;
  double norm_ = 0.0;  // the largest product seen: a lower bound of s_1
  Index used_ = 0;
  SmallSvd small_;         // of B
  double residual_ = 0.0;  // the largest of the wanted triplets
};

}  // namespace

Svd truncated_svd(const LinearOperator& a, Index k, Rng rng, double tolerance) {
  if (k < 0 || k > std::min(a.rows, a.cols)) {
    throw Error(ErrorCode::usage, "",
                std::to_string(k) + " singular values wanted of a matrix of " +
                    std::to_string(a.rows) + " x " + std::to_string(a.cols));
  }
  if (k == 0) return {.u = Matrix(a.rows, 0), .s = {}, .v = Matrix(a.cols, 0), .converged = true};
  return Lanczos(a, k, rng, tolerance).run();
}

}  // namespace gingham
