// What must hold of a solver wherever it stands, against plain loops over the cells.
#pragma once
#include <gtest/gtest.h>

#include "methods/multilinear/oracle.hpp"

namespace gingham::testing {

using methods::multilinear::Solver;

// |X| and the lengths of the model's parts together: what rounding is relative to.
inline double reach(const Cells& cells, const Factors& factors) {
  double sum = cells.size();
  for (Index k = 0; k < factors.n_components(); ++k) {
    Real squares = 0;
    for (const std::vector<Index>& at : cells.at) {
      const Real z = factors.weights[k] * product_at(factors, at, k);
      squares += z * z;
    }
    sum += static_cast<double>(std::sqrt(squares));
  }
  return sum;
}

inline void expect_products(const Cells& cells, const Solver& solver) {
  const Factors factors = Factors::of(solver.factors());
  const Index k_all = factors.n_components();
  std::vector<Real> linear(static_cast<std::size_t>(k_all)),
      quadratic(static_cast<std::size_t>(k_all * k_all));
  for (std::size_t e = 0; e < cells.x.size(); ++e) {
    for (Index k = 0; k < k_all; ++k) {
      const Real z = product_at(factors, cells.at[e], k);
      linear[k] += z * cells.x[e];
      for (Index l = 0; l < k_all; ++l) {
        quadratic[k * k_all + l] += z * product_at(factors, cells.at[e], l);
      }
    }
  }
  for (Index k = 0; k < k_all; ++k) {
    const auto own = static_cast<double>(std::sqrt(quadratic[k * k_all + k]));
    EXPECT_NEAR(solver.linear()[k], static_cast<double>(linear[k]),
                1e-11 * cells.size() * own);
    for (Index l = 0; l < k_all; ++l) {
      const auto other = static_cast<double>(std::sqrt(quadratic[l * k_all + l]));
      EXPECT_NEAR(solver.quadratic()(k, l), static_cast<double>(quadratic[k * k_all + l]),
                  1e-10 * own * other);
    }
    if (cells.squares() > 0) {
      const Real rho = factors.weights[k];
      Real residual = linear[k];
      for (Index l = 0; l < k_all; ++l) residual -= quadratic[k * k_all + l] * factors.weights[l];
      const Real lost = rho * (2 * residual + rho * quadratic[k * k_all + k]) / cells.squares();
      const double scale = reach(cells, factors) / cells.size();
      EXPECT_NEAR(solver.explained(k), static_cast<double>(lost), 1e-10 * scale * scale);
    }
  }
}

inline void expect_cost(const Cells& cells, const Solver& solver) {
  const double scale = reach(cells, Factors::of(solver.factors()));
  EXPECT_NEAR(solver.loss(), static_cast<double>(naive_loss(cells, Factors::of(solver.factors()))),
              1e-11 * scale * scale);
  Real penalty = 0;
  for (Index n = 0; n < Factors::of(solver.factors()).n_modes(); ++n) penalty += solver.penalty(n);
  const auto naive = static_cast<double>(naive_penalty(solver.problem(), Factors::of(solver.factors())));
  EXPECT_NEAR(static_cast<double>(penalty), naive, 1e-12 * naive);
  EXPECT_NEAR(solver.cost(), solver.loss() + naive, 1e-12 * solver.cost());
}

// Y of the last mode of the sweep, in the model's scale.
inline void expect_last(const Cells& cells, Solver& solver) {
  const Factors factors = Factors::of(solver.factors());
  const Index mode = solver.sweep().back(), first = solver.first();
  const Matrix& last = solver.last_product(one_thread());
  ASSERT_EQ(last.rows(), cells.shape[mode]);
  ASSERT_EQ(last.cols(), factors.n_components() - first);
  for (Index k = first; k < factors.n_components(); ++k) {
    std::vector<Real> sums(static_cast<std::size_t>(last.rows()), 0), squares = sums;
    for (std::size_t e = 0; e < cells.x.size(); ++e) {
      const Real z = product_at(factors, cells.at[e], k, mode);
      sums[cells.at[e][mode]] += z * cells.x[e];
      squares[cells.at[e][mode]] += z * z;
    }
    for (Index i = 0; i < last.rows(); ++i) {
      EXPECT_NEAR(last(i, k - first), static_cast<double>(sums[i]),
                  1e-10 * cells.size() * static_cast<double>(std::sqrt(squares[i])))
          << "item " << i << " component " << k;
    }
  }
}

}  // namespace gingham::testing
