// Every number of a k-means result from the data, the labels and the centres, by plain loops.
#include "gingham/methods/kmeans/recompute.hpp"

#include <algorithm>
#include <cmath>

namespace gingham::methods::kmeans {
namespace {

using Real = long double;

Real squared_distance(ConstVec a, ConstVec b) {
  Real total = 0;
  for (std::size_t j = 0; j < a.size(); ++j) total += std::pow(static_cast<Real>(a[j]) - b[j], 2);
  return total;
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  const Matrix& points = *data.block(0).dense_matrix();
  const Matrix* centers = nullptr;
  for (const NamedArray& array : model.arrays) {
    if (array.name == "centers") centers = std::get_if<Matrix>(&array.values);
  }
  if (centers == nullptr || centers->rows() != options.integer("clusters") ||
      centers->cols() != points.cols() || model.memberships.size() != 1) {
    throw Error(ErrorCode::input, "centers", "is missing or does not fit the data and the options");
  }
  const std::vector<Index> labels = strongest(model.memberships[0]);
  const Index n = points.rows(), d = points.cols(), k = centers->rows();
  std::vector<Real> mean(static_cast<std::size_t>(d), 0), sums(static_cast<std::size_t>(k * d), 0);
  std::vector<Index> counts(static_cast<std::size_t>(k), 0);
  Real loss = 0;
  Index misplaced = 0;
  for (Index i = 0; i < n; ++i) {
    const Index own = labels[i];
    if (own < 0 || own >= k) throw Error(ErrorCode::input, "labels", "a row has no cluster");
    ++counts[own];
    const Real here = squared_distance(points.row(i), centers->row(own));
    loss += here;
    bool is_nearest = true;
    for (Index c = 0; c < k; ++c) {
      if (squared_distance(points.row(i), centers->row(c)) < here * (1 - 1e-9L)) is_nearest = false;
    }
    misplaced += is_nearest ? 0 : 1;
    for (Index j = 0; j < d; ++j) {
      mean[j] += points(i, j) / static_cast<Real>(n);
      sums[own * d + j] += points(i, j);
    }
  }
  Real total = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) total += std::pow(points(i, j) - mean[j], 2);
  }
  Recomputed result;
  Real center_gap = 0;
  for (Index c = 0; c < k; ++c) {
    Real off = 0, between = 0;
    for (Index j = 0; j < d; ++j) {
      if (counts[c] > 0)
        off += std::pow((*centers)(c, j) - sums[c * d + j] / static_cast<Real>(counts[c]), 2);
      between += static_cast<Real>(counts[c]) * std::pow((*centers)(c, j) - mean[j], 2);
    }
    if (total > 0)
      center_gap = std::max(center_gap, std::sqrt(off / (total / static_cast<Real>(n))));
    result.components.push_back(
        {static_cast<double>(static_cast<Real>(counts[c]) / static_cast<Real>(n)),
         total > 0 ? static_cast<double>(between / total) : 0.0});
  }
  result.terms.loss = static_cast<double>(loss);
  if (total > 0) result.explained = static_cast<double>(1 - loss / total);
  result.terms.gaps = {{"rows", static_cast<double>(misplaced) / static_cast<double>(n)},
                       {"centers", static_cast<double>(center_gap)}};
  result.memberships = {membership_of("rows", std::nullopt, labels)};
  return result;
}

}  // namespace gingham::methods::kmeans
