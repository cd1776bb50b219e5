// Views of all kinds: ties, zeros, holes, rows that a view did not see, huge and tiny scales.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham::testing {

inline Matrix random_view(Index rows, Index columns, Rng& rng) {
  const Index kind = rng.below(5);
  const double scale = kind == 4 ? std::pow(10.0, 8.0 * (2.0 * rng.uniform() - 1.0)) : 1.0;
  const double shift = rng.uniform() < 0.3 ? 3.0 : 0.0;
  Matrix x(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const double block = i < rows / 2 && j < (columns + 1) / 2 ? 2.0 : 0.0;
      double cell = rng.normal() + block;
      if (kind == 1) cell = static_cast<double>(rng.below(3));  // ties
      if (kind == 2) cell = rng.uniform() < 0.7 ? 0.0 : cell;   // mostly zeros
      if (kind == 3) cell = (i % 3 == 0 ? 1.0 : -0.5) * (1.0 + static_cast<double>(j));  // rank one
      x(i, j) = scale * (cell + shift);
    }
  }
  return x;
}

// Cells, and whole rows, become NaN.
inline void make_holes(double cells, double whole_rows, Rng& rng, Matrix& x) {
  for (Index i = 0; i < x.rows(); ++i) {
    const bool unseen = rng.uniform() < whole_rows;
    for (double& cell : x.row(i)) {
      if (unseen || rng.uniform() < cells) cell = std::nan("");
    }
  }
}

inline Block view_block(const Matrix& x, const std::string& name, bool sparse,
                        Unlisted unlisted = Unlisted::zero) {
  if (!sparse) return Block(name, x);
  return Block(name, SparseMatrix::from_dense(x), {}, unlisted);
}

inline Dataset random_views(Rng& rng) {
  const Index n_views = 1 + rng.below(4), rows = 1 + rng.below(rng.uniform() < 0.2 ? 4 : 40);
  std::vector<Block> blocks;
  for (Index k = 0; k < n_views; ++k) {
    Matrix x = random_view(rows, 1 + rng.below(12), rng);
    if (rng.uniform() < 0.05) x = Matrix(x.rows(), x.cols());
    const bool holes = rng.uniform() < 0.35;
    if (holes) make_holes(rng.uniform() < 0.5 ? 0.3 * rng.uniform() : 0.0, 0.3, rng, x);
    blocks.push_back(view_block(x, "view" + std::to_string(k), rng.uniform() < 0.4,
                                rng.uniform() < 0.3 ? Unlisted::missing : Unlisted::zero));
  }
  return Dataset(std::move(blocks));
}

}  // namespace gingham::testing
