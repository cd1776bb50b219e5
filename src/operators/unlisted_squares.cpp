#include "gingham/operators/unlisted_squares.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/lanes.hpp"

namespace gingham {
namespace {

// f^T G f, |f|^T |G| |f|: the same sums, line by line of a symmetric G.
GINGHAM_MULTIARCH void add_squares(const double* g, const double* f, Index n, bool of_magnitudes,
                                   double* sum) {
  constexpr Index kW = lanes::kWide<double>;
  double total = 0.0;
  Index l = 0;
  for (; l + kW <= n; l += kW) {
    lanes::Wide<double> line{};
    for (Index k = 0; k < n; ++k)
      line += lanes::wide(g + k * n + l) * (of_magnitudes ? std::abs(f[k]) : f[k]);
    const lanes::Wide<double> own = lanes::wide(f + l);
    if (of_magnitudes) {
      line *= own < 0.0 ? -own : own;
    } else {
      line *= own;
    }
    total += lanes::total<double>(line);
  }
  for (; l < n; ++l) {
    double line = 0.0;
    for (Index k = 0; k < n; ++k) line += g[k * n + l] * (of_magnitudes ? std::abs(f[k]) : f[k]);
    total += line * (of_magnitudes ? std::abs(f[l]) : f[l]);
  }
  *sum += total;
}

}  // namespace

UnlistedSquares::UnlistedSquares(const FactorView& model, std::vector<Matrix> grams)
    : model_(model), grams_(std::move(grams)) {
  const auto is_signed = [](const Matrix& one) {
    return !std::all_of(one.values().begin(), one.values().end(),
                        [](double x) { return x >= 0.0; });
  };
  bool is_any_signed = is_signed(model.modes[0]);
  for (Index k = 0; k < model.n_components(); ++k) is_any_signed |= !(model.weight(k) >= 0.0);
  if (!is_any_signed && std::none_of(grams_.begin(), grams_.end(), is_signed)) return;
  sizes_ = grams_;
  for (Matrix& one : sizes_) {
    for (double& x : one.values()) x = std::abs(x);
  }
}

UnlistedSquares::Whole UnlistedSquares::whole(Index item_class, ConstVec f) const {
  const auto c = static_cast<std::size_t>(item_class);
  Whole sums;
  const Index n = grams_[c].rows();
  add_squares(grams_[c].data(), f.data(), n, false, &sums.squares);
  sums.size = sums.squares;
  if (sizes_.empty()) return sums;
  sums.size = 0.0;
  add_squares(sizes_[c].data(), f.data(), n, true, &sums.size);
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
