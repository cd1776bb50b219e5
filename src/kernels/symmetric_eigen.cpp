#include "gingham/kernels/symmetric_eigen.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

// Letters: Q (one basis vector per row), AQ its products with A, b the size of a block.

namespace gingham {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Map = Eigen::Map<Rows>;
using ConstMap = Eigen::Map<const Rows>;

constexpr Index kDepth = 4;         // blocks of a Krylov space
constexpr Index kFewGuards = 4;     // vectors beyond the wanted ones
constexpr Index kMaxCycles = 1000;  // restarts before giving up
constexpr Index kPatience = 20;     // cycles without progress before giving up
constexpr Index kSmall = 96;        // a matrix up to this size is decomposed whole
constexpr double kCollapsed =
    1e-10;  // a vector this much shorter after projection adds nothing new
// Tolerances of the search for a better direction, one after the other.
constexpr double kFiner[] = {1e-2, 1e-4, 1e-8};

Index block_size(Index k) { return k + std::max(kFewGuards, k / 2); }

// Decomposed whole.
bool is_small(Index n, Index block) { return n <= std::max(kSmall, kDepth * block); }

class BlockKrylov {
 public:
  BlockKrylov(const SymmetricOperator& a, Index k, Rng rng, double tolerance)
      : a_(a), k_(k), rng_(rng), tolerance_(tolerance), block_(std::min(block_size(k), a.n)) {}

  Eigenpairs run(const Matrix* start) {
    if (is_small(a_.n, block_)) return whole();
    begin(start);
    double best = -1.0;
    Index since = 0;
    for (Index cycle = 0; cycle < kMaxCycles; ++cycle) {
      extend();
      restart();
      if (cycle > 0 && residual_ <= tolerance_ * norm_) break;
      if (best >= 0.0 && residual_ >= best) {
        if (++since >= kPatience) break;
      } else {
        best = residual_;
        since = 0;
      }
    }
    return finish(q_.topRows(k_), values_);
  }

 private:
  void product(const Matrix& x, Matrix& y) {
    a_.apply(x, y);
    for (const double value : y.values()) {
      if (!std::isfinite(value))
        throw Error(ErrorCode::input, "", "a product with the matrix is not finite");
    }
  }

  // The whole matrix, column by column of the identity.
  Eigenpairs whole() {
    Matrix identity(a_.n, a_.n), formed;
    for (Index i = 0; i < a_.n; ++i) identity(i, i) = 1.0;
    product(identity, formed);
    const ConstMap full(formed.data(), a_.n, a_.n);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (full + full.transpose()));
    values_.resize(static_cast<std::size_t>(k_));
    Rows vectors(k_, a_.n);
    for (Index i = 0; i < k_; ++i) {
      values_[i] = solver.eigenvalues()(a_.n - 1 - i);
      vectors.row(i) = solver.eigenvectors().col(a_.n - 1 - i).transpose();
    }
    norm_ = solver.eigenvalues().cwiseAbs().maxCoeff();
    return finish(vectors, values_);
  }

  void begin(const Matrix* start) {
    q_.resize(kDepth * block_, a_.n);
    aq_.resize(kDepth * block_, a_.n);
    const Index given = start != nullptr ? std::min(start->cols(), block_) : 0;
    for (Index i = 0; i < block_; ++i) {
      for (Index j = 0; j < a_.n; ++j) q_(i, j) = i < given ? (*start)(j, i) : rng_.normal();
      orthonormalize(i);
    }
    apply(0);
    used_ = block_;
  }

  // Row i of Q orthogonal to those before it and of length 1; a random one where nothing is left.
  void orthonormalize(Index i) {
    for (;;) {
      const double before = q_.row(i).norm();
      for (int pass = 0; pass < 2 && i > 0; ++pass) {
        const Eigen::VectorXd part = q_.topRows(i) * q_.row(i).transpose();
        q_.row(i) -= part.transpose() * q_.topRows(i);
      }
      const double length = q_.row(i).norm();
      if (length > kCollapsed * before) {
        q_.row(i) /= length;
        // A short rest carries rounding of what was taken away.
        if (length > 0.5 * before) return;
        const Eigen::VectorXd part = q_.topRows(i) * q_.row(i).transpose();
        q_.row(i) -= part.transpose() * q_.topRows(i);
        q_.row(i) /= q_.row(i).norm();
        return;
      }
      for (Index j = 0; j < a_.n; ++j) q_(i, j) = rng_.normal();
    }
  }

  // AQ for the block that begins at row `from`.
  void apply(Index from) {
    Matrix x(a_.n, block_), y;
    Map(x.data(), a_.n, block_) = q_.middleRows(from, block_).transpose();
    product(x, y);
    aq_.middleRows(from, block_) = ConstMap(y.data(), a_.n, block_).transpose();
  }

  void extend() {
    while (used_ + block_ <= q_.rows()) {
      q_.middleRows(used_, block_) = aq_.middleRows(used_ - block_, block_);
      for (Index i = 0; i < block_; ++i) orthonormalize(used_ + i);
      apply(used_);
      used_ += block_;
    }
  }

  // Q shrinks to the leading Ritz vectors.
  void restart() {
    const Eigen::MatrixXd small = q_.topRows(used_) * aq_.topRows(used_).transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (small + small.transpose()));
    norm_ = std::max(norm_, solver.eigenvalues().cwiseAbs().maxCoeff());
    const Eigen::MatrixXd turn = solver.eigenvectors().rightCols(block_).rowwise().reverse();
    const Rows q = turn.transpose() * q_.topRows(used_);
    const Rows aq = turn.transpose() * aq_.topRows(used_);
    q_.topRows(block_) = q;
    aq_.topRows(block_) = aq;
    used_ = block_;
    values_.resize(static_cast<std::size_t>(k_));
    residual_ = 0.0;
    for (Index i = 0; i < k_; ++i) {
      values_[i] = solver.eigenvalues()(small.rows() - 1 - i);
      residual_ = std::max(residual_, (aq.row(i) - values_[i] * q.row(i)).norm());
    }
  }

  Eigenpairs finish(const Rows& rows, const std::vector<double>& values) {
    Eigenpairs found{.values = values, .vectors = Matrix(a_.n, k_)};
    for (Index i = 0; i < k_; ++i) {
      Index where = 0;
      rows.row(i).cwiseAbs().maxCoeff(&where);
      const double sign = rows(i, where) < 0.0 ? -1.0 : 1.0;
      for (Index j = 0; j < a_.n; ++j) found.vectors(j, i) = sign * rows(i, j);
    }
    Matrix products;
    product(found.vectors, products);
    for (Index i = 0; i < k_; ++i) {
      double squares = 0.0;
      for (Index j = 0; j < a_.n; ++j) {
        const double off = products(j, i) - values[i] * found.vectors(j, i);
        squares += off * off;
      }
      found.residual = std::max(found.residual, std::sqrt(squares));
    }
    found.converged = found.residual <= tolerance_ * norm_;
    return found;
  }

  const SymmetricOperator& a_;
  Index k_;
  Rng rng_;
  double tolerance_;
  Index block_;
  Rows q_, aq_;
  Index used_ = 0;  // rows of both in use
  std::vector<double> values_;
  double norm_ = 0.0;  // largest |Ritz value| seen
  double residual_ = 0.0;
};

}  // namespace

Index eigen_basis(Index n, Index k) {
  const Index block = std::min(block_size(k), n);
  // Whole: the identity, its product, their mean, eigenvectors and a copy on the way.
  return (is_small(n, block) ? 5 * n : 2 * kDepth * block) + 6 * block;
}

Eigenpairs leading_eigenpairs(const SymmetricOperator& a, Index k, Rng rng, double tolerance,
                              const Matrix* start) {
  if (k < 0 || k > a.n) {
    throw Error(ErrorCode::usage, "",
                std::to_string(k) + " eigenvalues wanted of a matrix of " + std::to_string(a.n) +
                    " x " + std::to_string(a.n));
  }
  if (k == 0) return {.values = {}, .vectors = Matrix(a.n, 0), .residual = 0.0, .converged = true};
  return BlockKrylov(a, k, rng, tolerance).run(start);
}

// The leading eigenvalue of P A P - c U U^T, P = I - U U^T: with c as large as any quotient inside,
// the span of U cannot win.
double exchange_gain(const SymmetricOperator& a, const Matrix& u, const Matrix& au, Rng rng) {
  const Index k = u.cols();
  if (k == 0 || k >= a.n) return 0.0;
  const ConstMap inside(u.data(), a.n, k);
  const Eigen::MatrixXd small = inside.transpose() * ConstMap(au.data(), a.n, k);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (small + small.transpose()),
                                                              Eigen::EigenvaluesOnly);
  const double least = solver.eigenvalues().minCoeff();
  const double down = solver.eigenvalues().cwiseAbs().maxCoeff();
  const SymmetricOperator outside{
      .n = a.n, .apply = [&](const Matrix& x, Matrix& y) {
        Matrix projected = x;
        Map within(projected.data(), x.rows(), x.cols());
        const Eigen::MatrixXd part = inside.transpose() * ConstMap(x.data(), x.rows(), x.cols());
        within -= inside * part;
        a.apply(projected, y);
        Map to(y.data(), y.rows(), y.cols());
        const Eigen::MatrixXd back = inside.transpose() * to + down * part;
        to -= inside * back;
      }};
  Eigenpairs found;
  for (const double tolerance : kFiner) {
    const bool has_start = found.vectors.rows() > 0;
    const Matrix start = std::move(found.vectors);
    found = leading_eigenpairs(outside, 1, rng, tolerance, has_start ? &start : nullptr);
    if (found.values[0] + found.residual < least) return 0.0;
  }
  return std::max(found.values[0] - least, 0.0);
}

}  // namespace gingham
