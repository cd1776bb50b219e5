// The numbers of the blocks as for any co-clustering, and the gaps of the two k-means from labels
// and centres, by plain loops.
#include "gingham/methods/kmeans_coclustering/recompute.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/methods/checkerboard/checkerboard.hpp"
#include "gingham/methods/checkerboard/recompute.hpp"

namespace gingham::methods::kmeans_coclustering {
namespace {

using Real = long double;

struct Gaps {
  double items = 0.0, centers = 0.0;
};

// Rows of x, or its columns, as points.
Gaps gaps_of(const Matrix& x, bool by_rows, const std::vector<Index>& labels,
             const Matrix& centers) {
  const Index n = by_rows ? x.rows() : x.cols(), d = by_rows ? x.cols() : x.rows();
  const auto at = [&](Index i, Index t) { return static_cast<Real>(by_rows ? x(i, t) : x(t, i)); };
  const auto distance = [&](Index i, Index c) {
    Real total = 0;
    for (Index t = 0; t < d; ++t) total += std::pow(at(i, t) - centers(c, t), 2);
    return total;
  };
  Index misplaced = 0;
  Real squares = 0, largest = 0;
  for (Index i = 0; i < n; ++i) {
    const Real here = distance(i, labels[i]);
    bool is_nearest = true;
    for (Index c = 0; c < centers.rows() && is_nearest; ++c)
      is_nearest = !(distance(i, c) < here * (1 - 1e-9L));
    misplaced += is_nearest ? 0 : 1;
  }
  for (Index t = 0; t < d; ++t) {
    Real mean = 0;
    for (Index i = 0; i < n; ++i) mean += at(i, t) / static_cast<Real>(n);
    for (Index i = 0; i < n; ++i) squares += std::pow(at(i, t) - mean, 2);
  }
  for (Index c = 0; c < centers.rows(); ++c) {
    const auto count = static_cast<Real>(std::count(labels.begin(), labels.end(), c));
    Real off = 0;
    for (Index t = 0; t < d && count > 0; ++t) {
      Real sum = 0;
      for (Index i = 0; i < n; ++i) sum += labels[i] == c ? at(i, t) : 0;
      off += std::pow(sum / count - centers(c, t), 2);
    }
    if (squares > 0) largest = std::max(largest, std::sqrt(off / (squares / static_cast<Real>(n))));
  }
  return {static_cast<double>(static_cast<Real>(misplaced) / static_cast<Real>(n)),
          static_cast<double>(largest)};
}

const Matrix& centers_of(const Model& model, const char* name, Index groups, Index width) {
  for (const NamedArray& array : model.arrays) {
    const Matrix* values = std::get_if<Matrix>(&array.values);
    if (array.name == name && values != nullptr && values->rows() == groups &&
        values->cols() == width)
      return *values;
  }
  throw Error(ErrorCode::input, name, "is missing or does not fit the data");
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  const Index kr = checkerboard::row_groups(options), kc = checkerboard::column_groups(options);
  Recomputed result = checkerboard::recompute({}, data, kr, kc, model);
  const Matrix& x = *data.block(0).dense_matrix();
  const Gaps rows = gaps_of(x, true, strongest(model.memberships[0]),
                            centers_of(model, "row_centers", kr, x.cols()));
  const Gaps columns = gaps_of(x, false, strongest(model.memberships[1]),
                               centers_of(model, "column_centers", kc, x.rows()));
  const double blocks = result.terms.gaps.back().value;
  result.terms.gaps = {{"rows", rows.items},
                       {"columns", columns.items},
                       {"row_centers", rows.centers},
                       {"column_centers", columns.centers},
                       {"blocks", blocks}};
  return result;
}

}  // namespace gingham::methods::kmeans_coclustering
