// Co-clusterings scored directly from their definitions, and the best of all there are.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/engine/run.hpp"

namespace gingham::testing {

// A method with the options that make it one problem.
struct Kind {
  std::string method;
  std::string divergence;  // of bregman
  std::string scheme;

  bool squares() const { return method == "kmeans-coclustering" || divergence == "euclidean"; }
  bool margins() const { return method == "itcc" || scheme == "margins"; }
  std::string text() const { return method + " " + divergence + " " + scheme; }
  std::vector<Setting> settings(std::vector<Setting> more) const {
    if (method == "bregman") {
      more.push_back({"divergence", divergence});
      more.push_back({"scheme", scheme});
    }
    return more;
  }
};

inline std::vector<Kind> bregman_kinds() {
  return {{"bregman", "euclidean", "blocks"},
          {"bregman", "euclidean", "margins"},
          {"bregman", "i-divergence", "blocks"},
          {"bregman", "i-divergence", "margins"}};
}

// All that lower their objective.
inline std::vector<Kind> descending_kinds() {
  std::vector<Kind> kinds = bregman_kinds();
  kinds.push_back({"itcc", "", ""});
  return kinds;
}

inline std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds = descending_kinds();
  kinds.push_back({"kmeans-coclustering", "", ""});
  return kinds;
}

using Labeling = std::vector<Index>;

// Sums and numbers of observed cells in the part of x that `inside` tells.
struct Part {
  double sum = 0.0, count = 0.0;
  double mean() const { return sum / count; }
};

template <class Inside>
Part part_of(const Matrix& x, Inside&& inside) {
  Part part;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      if (std::isnan(x(i, j)) || !inside(i, j)) continue;
      part.sum += x(i, j);
      part.count += 1.0;
    }
  }
  return part;
}

// The fit to cell (i, j), from averages (squares, blocks) or sums (information with margins).
inline double fitted(const Kind& kind, const Matrix& x, const Labeling& rows,
                     const Labeling& columns, Index i, Index j) {
  const Index g = rows[i], h = columns[j];
  const Part block = part_of(x, [&](Index a, Index b) { return rows[a] == g && columns[b] == h; });
  if (!kind.margins()) return block.mean();
  const Part row = part_of(x, [&](Index a, Index) { return a == i; });
  const Part column = part_of(x, [&](Index, Index b) { return b == j; });
  const Part group = part_of(x, [&](Index a, Index) { return rows[a] == g; });
  const Part pile = part_of(x, [&](Index, Index b) { return columns[b] == h; });
  if (kind.squares()) return row.mean() + column.mean() + block.mean() - group.mean() - pile.mean();
  if (group.sum == 0.0 || pile.sum == 0.0) return 0.0;
  return block.sum * (row.sum / group.sum) * (column.sum / pile.sum);
}

// The objective of a labeling.
inline double naive_loss(const Kind& kind, const Matrix& x, const Labeling& rows,
                         const Labeling& columns) {
  double loss = 0.0;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      if (std::isnan(x(i, j))) continue;
      const double f = fitted(kind, x, rows, columns, i, j);
      if (kind.squares()) {
        loss += (x(i, j) - f) * (x(i, j) - f);
      } else {
        loss += f - x(i, j) + (x(i, j) > 0.0 ? x(i, j) * std::log(x(i, j) / f) : 0.0);
      }
    }
  }
  if (kind.method == "itcc") loss /= part_of(x, [](Index, Index) { return true; }).sum;
  return loss;
}

// The next labeling in the order of counting; false after the last.
inline bool next_labeling(Labeling& labels, Index k) {
  for (Index& label : labels) {
    if (++label < k) return true;
    label = 0;
  }
  return false;
}

// The least objective over all labelings.
inline double least_loss(const Kind& kind, const Matrix& x, Index row_groups, Index column_groups) {
  double least = INFINITY;
  Labeling rows(static_cast<std::size_t>(x.rows()), 0);
  do {
    Labeling columns(static_cast<std::size_t>(x.cols()), 0);
    do {
      least = std::min(least, naive_loss(kind, x, rows, columns));
    } while (next_labeling(columns, column_groups));
  } while (next_labeling(rows, row_groups));
  return least;
}

// Positive noise; with `zeros`, about half of the cells are zero.
inline Matrix random_positive(Index rows, Index columns, Rng& rng, bool zeros = false) {
  Matrix x(rows, columns);
  for (double& value : x.values())
    value = zeros && rng.uniform() < 0.5 ? 0.0 : 0.1 + std::abs(rng.normal());
  return x;
}

}  // namespace gingham::testing
