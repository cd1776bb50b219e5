#include "gingham/kernels/block_lanczos.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/small_eigen.hpp"
#include "gingham/kernels/thin_products.hpp"

// Letters: V (n x capacity, the first `used` columns) is an orthonormal basis, X (n x b) the panel
// that joins it next, T = V^T S V. With T = Q diag(theta) Q^T the Ritz vectors are V q_i; what S
// adds outside V lies behind the last panel only:
//
//   S V = V T + Z E^T,          residual of the i-th: ||Z (E^T q_i)|| / s_i, E^T q_i its last rows

namespace gingham {
namespace {

constexpr Index kPanels = 6;           // of a basis, between restarts
constexpr double kHidden = 1e-7;       // of s_1: values that squaring hides
constexpr double kUnresolved = 1e-15;  // of the largest eigenvalue of a Gram matrix
constexpr double kEven = 1e-2;         // eigenvalues this close are divided by without loss
constexpr int kMostPasses = 6;

Index basis_size(Index n, Index b, Index most) {
  const Index wanted = b * std::min(kPanels, most);
  return wanted + b >= n ? n : wanted;  // near the full size it may as well be full: exact then
}

class BlockLanczos {
 public:
  BlockLanczos(const SquaredOperator& a, Index k, Rng rng, const LanczosRules& rules,
               Executor& executor)
      : a_(a),
        k_(k),
        n_(std::min(a.rows, a.cols)),
        b_(std::min(std::max(k, rules.width), n_)),
        rules_(rules),
        rng_(rng),
        executor_(executor),
        basis_(n_, basis_size(n_, b_, rules.most)),
        t_(basis_.cols(), basis_.cols()) {}

  Svd run(const Matrix* start) {
    Matrix x = first_panel(start);
    orthonormalize(x, b_);
    const double factor = std::ldexp(1.0, -std::ilogb(a_.size));
    for (Index products = 1;; ++products) {
      append(x);
      Matrix z, rest;
      a_.squared(x, factor, z);
      add_products(z);
      gram(z, rest, executor_);
      if (!is_finite(rest))
        throw Error(ErrorCode::input, "", "a product with the matrix is not finite");
      decompose(rest);
      is_converged_ = used_ >= k_ && (used_ == n_ || residual_ <= rules_.tolerance);
      if (is_converged_ || (used_ >= k_ && products >= rules_.most)) break;
      if (used_ == basis_.cols()) restart();
      x = std::move(z);
      orthonormalize(x, std::min(b_, basis_.cols() - used_));
    }
    return finish();
  }

 private:
  static bool is_finite(const Matrix& g) {
    return std::all_of(g.values().begin(), g.values().end(),
                       [](double value) { return std::isfinite(value); });
  }

  // body(begin, end) over the rows of a panel, which has so many columns.
  template <class Body>
  void for_rows(Index cols, Body&& body) const {
    const Partition rows = Partition::even(n_, std::max<Index>(cols, 1));
    executor_.map(rows.count(), [&](Index block) { body(rows.begin(block), rows.end(block)); });
  }

  // Column c of a panel from a stream of its own, entry i from place i of it: uniform on [-1, 1).
  void fill_random(Matrix& x, Index c) {
    const std::uint64_t place = rng_.position();
    double* values = x.data();
    for_rows(1, [&](Index begin, Index end) {
      Rng rng = rng_;
      rng.seek(place + static_cast<std::uint64_t>(begin));
      for (Index i = begin; i < end; ++i) values[i * x.cols() + c] = rng.uniform(-1.0, 1.0);
    });
    rng_.seek(place + static_cast<std::uint64_t>(n_));
  }

  Matrix first_panel(const Matrix* start) {
    Matrix x(n_, b_);
    const Index given = start != nullptr && start->rows() == n_ ? std::min(start->cols(), b_) : 0;
    for (Index c = given; c < b_; ++c) fill_random(x, c);
    for (Index i = 0; i < n_ && given > 0; ++i)
      std::copy_n(start->row(i).begin(), given, x.row(i).begin());
    return x;
  }

  // x <- x m
  void transform(Matrix& x, const Matrix& m) const {
    Matrix y(n_, m.cols());
    thin::multiply(x.data(), x.cols(), n_, x.cols(), m.data(), m.cols(), y.data(), executor_);
    x = std::move(y);
  }

  // Takes away what of x lies in the basis; returns V^T x.
  Matrix project(Matrix& x) const {
    const Index width = x.cols();
    Matrix h(used_, width);
    if (used_ == 0) return h;
    const double* v = basis_.data();
    thin::multiply_transposed(v, basis_.cols(), n_, used_, std::as_const(x).data(), width, h.data(),
                              executor_);
    Matrix part(n_, width);
    thin::multiply(v, basis_.cols(), n_, used_, std::as_const(h).data(), width, part.data(),
                   executor_);
    double* to = x.data();
    const double* from = std::as_const(part).data();
    for_rows(width, [&](Index begin, Index end) {
      for (Index e = begin * width; e < end * width; ++e) to[e] -= from[e];
    });
    return h;
  }

  // The leading `count` directions of x outside the basis, orthonormal: x Q L^(-1/2), x^T x = Q L
  // Q^T, again until nothing changes. Directions too short to be resolved are made longer first,
  // and replaced by random ones if they still are.
  void orthonormalize(Matrix& x, Index count) {
    for (int pass = 0; pass < kMostPasses; ++pass) {
      if (pass > 0) project(x);
      Matrix g;
      gram(x, g, executor_);
      const SmallEigen found = small_eigenpairs(g);
      const double largest = found.values[0];
      const Index width = std::min(count, x.cols());
      Matrix turn(x.cols(), width);
      std::vector<Index> lost;
      for (Index c = 0; c < width; ++c) {
        const double value = found.values[c], least = kUnresolved * largest;
        if (!(largest > 0.0) || (pass > 0 && value <= least)) {
          lost.push_back(c);
          continue;
        }
        const double inverse = 1.0 / std::sqrt(std::max(value, least));
        for (Index r = 0; r < x.cols(); ++r) turn(r, c) = found.vectors(r, c) * inverse;
      }
      const bool is_even = lost.empty() && found.values[width - 1] >= kEven * largest;
      transform(x, turn);
      for (const Index c : lost) fill_random(x, c);
      if (is_even && (pass > 0 || used_ == 0)) return;
    }
  }

  void append(const Matrix& x) {
    double* v = basis_.data();
    const double* from = x.data();
    for_rows(x.cols(), [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        std::copy_n(from + i * x.cols(), x.cols(), v + i * basis_.cols() + used_);
    });
    used_ += x.cols();
    last_ = x.cols();
  }

  // The last columns of T from z = S X; z becomes what lies outside the basis. Twice: what the
  // first pass leaves of a long part is not short beside the rest.
  void add_products(Matrix& z) {
    const Index from = used_ - last_;
    for (int pass = 0; pass < 2; ++pass) {
      const Matrix h = project(z);
      for (Index i = 0; i < used_; ++i) {
        for (Index c = 0; c < last_; ++c)
          t_(i, from + c) = (pass > 0 ? t_(i, from + c) : 0.0) + h(i, c);
      }
    }
    for (Index i = 0; i < from; ++i) {
      for (Index c = 0; c < last_; ++c) t_(from + c, i) = t_(i, from + c);
    }
  }

  // `rest`: Z^T Z.
  void decompose(const Matrix& rest) {
    Matrix small(used_, used_);
    for (Index i = 0; i < used_; ++i) std::copy_n(t_.row(i).begin(), used_, small.row(i).begin());
    ritz_ = small_eigenpairs(small);
    values_.clear();
    for (const double theta : ritz_.values) values_.push_back(std::sqrt(std::max(theta, 0.0)));
    residual_ = 0.0;
    const Index judged = rules_.judged > 0 ? std::min(rules_.judged, k_) : k_;
    for (Index i = 0; i < std::min(judged, used_); ++i) {
      double squares = 0.0;
      for (Index r = 0; r < last_; ++r) {
        for (Index c = 0; c < last_; ++c)
          squares += ritz_.vectors(used_ - last_ + r, i) * rest(r, c) *
                     ritz_.vectors(used_ - last_ + c, i);
      }
      const double s = std::max(values_[i], kHidden * values_[0]);
      if (squares > 0.0) residual_ = std::max(residual_, std::sqrt(squares) / (s * values_[0]));
    }
  }

  // The leading Ritz vectors, n x count.
  Matrix ritz(Index count) const {
    Matrix turn(used_, count), vectors(n_, count);
    for (Index i = 0; i < used_; ++i)
      std::copy_n(ritz_.vectors.row(i).begin(), count, turn.row(i).begin());
    thin::multiply(basis_.data(), basis_.cols(), n_, used_, std::as_const(turn).data(), count,
                   vectors.data(), executor_);
    return vectors;
  }

  // The basis shrinks to its leading Ritz vectors; the panel that comes next stays.
  void restart() {
    const Index kept = std::max(b_, basis_.cols() / 2);
    const Matrix vectors = ritz(kept);
    used_ = 0;
    append(vectors);
    std::fill(t_.values().begin(), t_.values().end(), 0.0);
    for (Index i = 0; i < kept; ++i) t_(i, i) = ritz_.values[i];
  }

  Svd finish() {
    Matrix own = ritz(k_), other;
    if (a_.across) a_.across(own, other);
    const double unit = std::ldexp(1.0, std::ilogb(a_.size));
    Svd found{.u = {},
              .s = std::vector<double>(static_cast<std::size_t>(k_)),
              .v = {},
              .converged = is_converged_};
    const Matrix& signs = a_.is_wide() && a_.across ? other : own;
    for (Index c = 0; c < k_; ++c) {
      const bool is_hidden = !(values_[c] > kHidden * values_[0]);
      double squares = 0.0, peak = 0.0;
      for (Index i = 0; i < other.rows(); ++i) {
        const double value = other(i, c) / unit;
        squares += value * value;
      }
      for (Index i = 0; i < signs.rows(); ++i) {
        if (std::abs(signs(i, c)) > std::abs(peak)) peak = signs(i, c);
      }
      const double length = (a_.across ? std::sqrt(squares) : values_[c]) * unit;
      const double sign = is_hidden ? 0.0 : peak < 0.0 ? -1.0 : 1.0;
      for (Index i = 0; i < own.rows(); ++i) own(i, c) *= sign;
      for (Index i = 0; i < other.rows(); ++i) other(i, c) *= is_hidden ? 0.0 : sign / length;
      found.s[c] = is_hidden ? 0.0 : length;
    }
    found.u = std::move(a_.is_wide() ? own : other);
    found.v = std::move(a_.is_wide() ? other : own);
    return found;
  }

  const SquaredOperator& a_;
  Index k_, n_;
  Index b_;
  LanczosRules rules_;
  Rng rng_;
  Executor& executor_;
  Matrix basis_, t_;
  Index used_ = 0, last_ = 0;  // columns of V; those of the last panel
  SmallEigen ritz_;
  std::vector<double> values_;  // s, of all Ritz vectors
  double residual_ = 0.0;       // the largest of the wanted triplets, over s_1
  bool is_converged_ = false;
};

}  // namespace

Svd leading_triplets(const SquaredOperator& a, Index k, Rng rng, const LanczosRules& rules,
                     Executor& executor, const Matrix* start) {
  if (k < 0 || k > std::min(a.rows, a.cols)) {
    throw Error(ErrorCode::usage, "",
                std::to_string(k) + " singular values wanted of a matrix of " +
                    std::to_string(a.rows) + " x " + std::to_string(a.cols));
  }
  if (k == 0 || !(a.size > 0.0)) {
    return {.u = Matrix(a.rows, k),
            .s = std::vector<double>(static_cast<std::size_t>(k)),
            .v = Matrix(a.cols, k),
            .converged = true};
  }
  return BlockLanczos(a, k, rng, rules, executor).run(start);
}

double lanczos_values(Index rows, Index cols, Index k, const LanczosRules& rules) {
  const Index n = std::min(rows, cols), b = std::min(std::max(k, rules.width), n);
  // Panels: X, two products of it, and copies with padded rows.
  constexpr double kPanelsAtOnce = 5.0;
  const auto own = static_cast<double>(n), width = static_cast<double>(b + 8);
  return own * static_cast<double>(basis_size(n, b, rules.most)) +
         kPanelsAtOnce * width * (own + static_cast<double>(std::max(rows, cols)));
}

}  // namespace gingham
