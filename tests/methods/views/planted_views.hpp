// Views that share planted groups of rows.
#pragma once
#include <cmath>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/data/dataset.hpp"
#include "gingham/metrics/nmi.hpp"

namespace gingham::testing {

struct PlantedViews {
  Dataset data;
  std::vector<Index> labels;
};

// Two views of 8 and 5 columns; row i of a view is separation * c_label(i) + N(0, I), with centres
// c_k of independent normal entries in each view.
inline PlantedViews planted_views(Index rows, Index groups, double separation, std::uint64_t seed,
                                  bool sparse = false) {
  Rng rng = Rng::named(seed, "planted views");
  PlantedViews made;
  for (Index i = 0; i < rows; ++i) made.labels.push_back(i * groups / rows);
  std::vector<Block> blocks;
  for (const Index columns : {8, 5}) {
    Matrix centers(groups, columns), x(rows, columns);
    for (double& value : centers.values()) value = separation * rng.normal();
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) x(i, j) = centers(made.labels[i], j) + rng.normal();
    }
    const std::string name = columns == 8 ? "A" : "B";
    if (sparse) {
      blocks.emplace_back(name, SparseMatrix::from_dense(x));
    } else {
      blocks.emplace_back(name, std::move(x));
    }
  }
  made.data = Dataset(std::move(blocks));
  return made;
}

// The same rows in another order.
inline Dataset with_rows(const Dataset& data, const std::vector<Index>& order) {
  std::vector<Block> blocks;
  for (const Block& block : data.blocks()) {
    const Matrix& x = *block.dense_matrix();
    Matrix y(x.rows(), x.cols());
    for (Index i = 0; i < x.rows(); ++i)
      std::copy(x.row(order[i]).begin(), x.row(order[i]).end(), y.row(i).begin());
    blocks.emplace_back(block.name(), std::move(y));
  }
  return Dataset(std::move(blocks));
}

inline double agreement(const std::vector<Index>& a, const std::vector<Index>& b) {
  return nmi(a, b);
}

}  // namespace gingham::testing
