// Every number of a spectral result from the data, the singular vectors, labels and centres, by
// plain loops.
#include "gingham/methods/spectral/recompute.hpp"

#include <algorithm>
#include <cmath>

namespace gingham::methods::spectral {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

Real inverse_root(Real sum) { return sum > 0 ? 1 / std::sqrt(sum) : 0; }

const Matrix& matrix_of(const Model& model, const char* name, Index rows) {
  for (const NamedArray& array : model.arrays) {
    const Matrix* values = std::get_if<Matrix>(&array.values);
    if (array.name == name && values != nullptr && (rows < 0 || values->rows() == rows))
      return *values;
  }
  throw Error(ErrorCode::input, name, "is missing or does not fit the data");
}

struct Cut {
  Real inertia = 0;
  Index misplaced = 0;
  std::vector<Reals> points;
  std::vector<Index> labels;
};

// How far centres are from their points' means, in units of the points' spread.
Real center_gap(const Cut& cut, const Matrix& centers) {
  const auto n = static_cast<Real>(cut.points.size());
  const Index width = centers.cols();
  Reals mean(static_cast<std::size_t>(width), 0);
  for (const Reals& z : cut.points) {
    for (Index k = 0; k < width; ++k) mean[k] += z[k] / n;
  }
  Real squares = 0;
  for (const Reals& z : cut.points) {
    for (Index k = 0; k < width; ++k) squares += std::pow(z[k] - mean[k], 2);
  }
  Real largest = 0;
  for (Index c = 0; c < centers.rows(); ++c) {
    Reals sum(static_cast<std::size_t>(width), 0);
    Index count = 0;
    for (std::size_t p = 0; p < cut.points.size(); ++p) {
      if (cut.labels[p] != c) continue;
      ++count;
      for (Index k = 0; k < width; ++k) sum[k] += cut.points[p][k];
    }
    Real off = 0;
    for (Index k = 0; count > 0 && k < width; ++k)
      off += std::pow(sum[k] / static_cast<Real>(count) - centers(c, k), 2);
    if (squares > 0) largest = std::max(largest, std::sqrt(off / (squares / n)));
  }
  return largest;
}

// Adds one side's items to the sums over the embedding.
void add_side(const Reals& scale, const Matrix& vectors, const std::vector<Index>& labels,
              const Matrix& centers, Cut& cut) {
  for (std::size_t i = 0; i < scale.size(); ++i) {
    if (scale[i] == 0) continue;
    Reals z(static_cast<std::size_t>(centers.cols()), 0);
    for (Index k = 0; k < centers.cols(); ++k)
      z[k] = scale[i] * vectors(static_cast<Index>(i), k + 1);
    Reals distance(static_cast<std::size_t>(centers.rows()), 0);
    for (Index c = 0; c < centers.rows(); ++c) {
      for (Index k = 0; k < centers.cols(); ++k) {
        distance[c] += std::pow(z[k] - centers(c, k), 2);
      }
    }
    if (labels[i] < 0 || labels[i] >= centers.rows())
      throw Error(ErrorCode::input, "labels", "an item has none");
    const Real here = distance[labels[i]];
    cut.inertia += here;
    // Singular vectors are known to about 1e-16 of their length; ties within that are no
    // misplacement.
    const bool is_nearest = std::none_of(distance.begin(), distance.end(),
                                         [&](Real other) { return other < here * (1 - 1e-9L); });
    cut.misplaced += is_nearest ? 0 : 1;
    cut.points.push_back(std::move(z));
    cut.labels.push_back(labels[i]);
  }
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options&, const Model& model) {
  const Block& block = data.block(0);
  const Index m = block.shape()[0], n = block.shape()[1];
  const Matrix& left = matrix_of(model, "left", m);
  const Matrix& right = matrix_of(model, "right", n);
  const Matrix& centers = matrix_of(model, "centers", -1);
  const std::vector<double>* singular = nullptr;
  for (const NamedArray& array : model.arrays) {
    if (array.name == "singular") singular = std::get_if<std::vector<double>>(&array.values);
  }
  if (singular == nullptr || left.cols() != right.cols() || centers.cols() + 1 != left.cols() ||
      static_cast<Index>(singular->size()) != left.cols() || model.memberships.size() != 2) {
    throw Error(ErrorCode::input, "left, right, singular, centers", "do not fit each other");
  }
  const std::vector<Index> row_labels = strongest(model.memberships[0]);
  const std::vector<Index> column_labels = strongest(model.memberships[1]);

  Reals row_scale(static_cast<std::size_t>(m), 0), column_scale(static_cast<std::size_t>(n), 0);
  for_each_entry(block, [&](std::span<const Index> at, double value) {
    row_scale[at[0]] += value;
    column_scale[at[1]] += value;
  });
  for (Real& sum : row_scale) sum = inverse_root(sum);
  for (Real& sum : column_scale) sum = inverse_root(sum);

  Real residual = 0;
  for (Index k = 0; k < left.cols(); ++k) {
    Reals av(static_cast<std::size_t>(m), 0), au(static_cast<std::size_t>(n), 0);
    for_each_entry(block, [&](std::span<const Index> at, double value) {
      const Real a = row_scale[at[0]] * value * column_scale[at[1]];
      av[at[0]] += a * right(at[1], k);
      au[at[1]] += a * left(at[0], k);
    });
    Real row_squares = 0, column_squares = 0;
    for (Index i = 0; i < m; ++i) row_squares += std::pow(av[i] - (*singular)[k] * left(i, k), 2);
    for (Index j = 0; j < n; ++j)
      column_squares += std::pow(au[j] - (*singular)[k] * right(j, k), 2);
    residual = std::max({residual, std::sqrt(row_squares), std::sqrt(column_squares)});
  }
  Cut cut;
  add_side(row_scale, left, row_labels, centers, cut);
  add_side(column_scale, right, column_labels, centers, cut);

  Recomputed result;
  result.terms.loss = static_cast<double>(cut.inertia);
  result.terms.gaps = {
      {"embedding", static_cast<double>(residual)},
      {"items", static_cast<double>(cut.misplaced) / static_cast<double>(cut.points.size())},
      {"centers", static_cast<double>(center_gap(cut, centers))}};
  for (Index c = 0; c < centers.rows(); ++c) {
    const auto size = std::count(row_labels.begin(), row_labels.end(), c) +
                      std::count(column_labels.begin(), column_labels.end(), c);
    result.components.push_back(
        {static_cast<double>(size) / static_cast<double>(m + n), std::nan("")});
  }
  result.memberships = {membership_of("rows", std::nullopt, row_labels),
                        membership_of("columns", std::nullopt, column_labels)};
  return result;
}

}  // namespace gingham::methods::spectral
