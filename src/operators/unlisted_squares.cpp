#include "gingham/operators/unlisted_squares.hpp"

#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham {

UnlistedSquares::UnlistedSquares(const FactorView& model, std::vector<Matrix> grams)
    : model_(model), grams_(std::move(grams)), sizes_(grams_) {
  for (Matrix& one : sizes_) {
    for (double& x : one.values()) x = std::abs(x);
  }
}

UnlistedSquares::Whole UnlistedSquares::whole(Index item_class, ConstVec f) const {
  const auto c = static_cast<std::size_t>(item_class);
  Whole sums;
  for (Index k = 0; k < grams_[c].rows(); ++k) {
    if (f[k] == 0.0) continue;
    sums.squares += f[k] * dot(grams_[c].row(k), f);
    double size = 0.0;
    const ConstVec magnitudes = sizes_[c].row(k);
    for (std::size_t l = 0; l < f.size(); ++l) size += magnitudes[l] * std::abs(f[l]);
    sums.size += std::abs(f[k]) * size;
  }
  return sums;
}

bool UnlistedSquares::is_lost(double left, const Whole& whole) {
  return whole.size != 0.0 && has_cancelled(left, whole.size);
}

DoubleDouble UnlistedSquares::exact_whole(Index item) {
  std::call_once(once_, [&] { make_exact(); });
  const Index n = model_.n_components();
  DoubleDouble sum;
  for (Index k = 0; k < n; ++k) {
    for (Index l = 0; l < n; ++l) {
      DoubleDouble term = exact_[static_cast<std::size_t>(k * n + l)];
      for (const Index c : {k, l}) {
        term *= model_.weight(c);
        term *= model_.modes[0](item, c);
      }
      sum += term;
    }
  }
  return sum;
}

DoubleDouble UnlistedSquares::exact_square(Index item, const CellList& cells, Index cell) const {
  DoubleDouble m;
  for (Index k = 0; k < model_.n_components(); ++k) {
    DoubleDouble z = product_of(model_.weight(k), model_.modes[0](item, k));
    for (std::size_t n = 0; n < cells.others.size(); ++n)
      z *= model_.modes[n + 1](cells.others[n][cell], k);
    m += z;
  }
  return m *= DoubleDouble(m);
}

void UnlistedSquares::make_exact() {
  const Index n = model_.n_components();
  exact_.assign(static_cast<std::size_t>(n * n), {1.0, 0.0});
  for (Index m = 1; m < model_.n_modes(); ++m) {
    const Matrix& a = model_.modes[m];
    for (Index k = 0; k < n; ++k) {
      for (Index l = 0; l < n; ++l) {
        DoubleDouble overlap;
        for (Index i = 0; i < a.rows(); ++i) overlap += product_of(a(i, k), a(i, l));
        exact_[static_cast<std::size_t>(k * n + l)] *= overlap;
      }
    }
  }
}

}  // namespace gingham
