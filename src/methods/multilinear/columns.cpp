#include "gingham/methods/multilinear/columns.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/methods/multilinear/factors.hpp"

namespace gingham::methods::multilinear {

Columns::Columns(const Matrix& y, const std::vector<double>& weights, Index first, ConstVec q)
    : y_(y),
      weights_(weights),
      first_(first),
      n_columns_(std::ssize(weights)),
      q_(q),
      is_even_(std::ssize(q) == n_columns_ * n_columns_),
      b_(static_cast<std::size_t>(y.rows())),
      h_(b_.size()) {}

void Columns::look_at(Index k, Index n_explaining, const Matrix& a, Executor& executor) {
  const Partition blocks = Partition::even(y_.rows(), n_explaining + 1);
  double *b = b_.data(), *h = h_.data();
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      double pull = weights_[k] * y_(i, k - first_);
      for (Index l = 0; l < n_explaining; ++l) {
        if (l != k) pull -= q(i, k, l) * a(i, l);
      }
      h[i] = std::max(q(i, k, k), 0.0);
      b[i] = h[i] > 0.0 ? pull : 0.0;
    }
  });
}

bool Columns::is_finite() const {
  const auto is_number = [](double x) { return std::isfinite(x); };
  return std::all_of(b_.begin(), b_.end(), is_number) &&
         std::all_of(h_.begin(), h_.end(), is_number);
}

double Columns::sweep(const Penalty& half, int passes, Matrix& a, Executor& executor) {
  std::vector<double> z(b_.size());
  double moved = 0.0;
  for (int pass = 0; pass < passes; ++pass) {
    for (Index k = first_; k < n_columns_; ++k) {
      look_at(k, n_columns_, a, executor);
      if (!(h().largest(h_.size()) > 0.0)) continue;
      if (is_finite()) {
        half.minimise(b_, h(), z);
      } else {
        std::fill(z.begin(), z.end(), std::nan(""));
      }
      for (Index i = 0; i < a.rows(); ++i) {
        const double change = z[i] - a(i, k);
        moved += h_[i] * change * change;
      }
      set_column(a, k, z);
    }
  }
  return moved;
}

}  // namespace gingham::methods::multilinear
